"""Detections that a sink would not take, kept in files with the reason."""

from __future__ import annotations

import json
import os
from pathlib import Path

from tocsin.transports import DeadLetter


def keep(dead: tuple[DeadLetter, ...], home: Path, name: str) -> None:
    """Keeps dead letters, one a line, with the reason: all of a micro-batch's, which are written anew if it is."""
    if not dead:
        (home / name).unlink(missing_ok=True)
        return
    home.mkdir(parents=True, exist_ok=True)
    with open(home / f".{name}", "w", encoding="utf-8") as file:
        for each in dead:
            file.write(json.dumps({"reason": each.reason, "message": each.body.decode(errors="replace")}) + "\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(home / f".{name}", home / name)
