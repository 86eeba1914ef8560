"""Backups of a store of SQLite: put where a service looks for its data, once it is known that they can be read."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from tocsin.errors import UsageError
from tocsin.service.store.sqlite import SqliteStore


def restore(backup: Path, to: Path) -> Iterator[str]:
    """Puts a backup in its place, and tells what it has. What is there already is never written over."""
    if not backup.is_file():
        raise UsageError(f"there is no backup {backup}")
    if to.exists():
        raise UsageError(f"{to} is there already: move it away first")
    to.parent.mkdir(parents=True, exist_ok=True)
    part = to.with_name(f".{to.name}.part")
    shutil.copyfile(backup, part)
    try:
        store = SqliteStore(str(part))
        store.acquire()
        latest = store.latest()
        store.close()
    except BaseException:
        for each in to.parent.glob(f"{part.name}*"):
            each.unlink(missing_ok=True)
        raise
    os.replace(part, to)
    for each in to.parent.glob(f"{part.name}*"):
        each.unlink(missing_ok=True)
    yield f"restored to {to}: {latest.events:,} events, {latest.number:,} detections, up to entry {latest.position:,}"
