"""The versions of a pipeline's rules, beside its checkpoint: which rules were in force from when on.

Each version is a file, written once, before the first micro-batch under it: so after a crash the same events meet the
same rules again. A version begins after the latest time that was read before it, which whoever reads events can tell.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tocsin.algebra.codec import from_json, to_json
from tocsin.algebra.rules import Program
from tocsin.errors import SnapshotError
from tocsin.planner.lanes import Version
from tocsin.rules.rulebook import Texts
from tocsin.time.calendar import render_instant

BEFORE_ALL: Final = -(2**62)
"""Before every time there is."""


@dataclass(frozen=True)
class Entry:
    """A version, the texts it was read from, and the watermark's delay while it is in force."""

    version: Version
    texts: Texts = field(default_factory=dict)
    candidate_texts: Texts = field(default_factory=dict)
    delay: int = 0
    """Milliseconds."""

    def changes(self, before: Version | None) -> dict[str, list[str]]:
        """The names of rules that are new, different or gone since the version before."""
        old = {} if before is None else {rule.name: rule for rule in before.program.rules}
        new = {rule.name: rule for rule in self.version.program.rules}
        return {
            "added": sorted(new.keys() - old.keys()),
            "changed": sorted(name for name in new.keys() & old.keys() if new[name] != old[name]),
            "removed": sorted(old.keys() - new.keys()),
        }


class VersionLog:
    """The directory of the versions."""

    def __init__(self, checkpoint: str) -> None:
        self._home = Path(checkpoint) / "rules"

    def entries(self) -> list[Entry]:
        """All versions so far, the first first."""
        paths = sorted(self._home.glob("[0-9]*.json")) if self._home.is_dir() else []
        return [_read(path) for path in paths]

    def add(self, entry: Entry, before: Version | None) -> None:
        """Writes a version down: all of it or nothing."""
        self._home.mkdir(parents=True, exist_ok=True)
        version = entry.version
        told = {
            "version": version.number,
            "since": version.since,
            "recorded": datetime.now(UTC).isoformat(timespec="seconds"),
            "changes": entry.changes(before),
            "delay": entry.delay,
            "texts": dict(entry.texts),
            "candidate_texts": dict(entry.candidate_texts),
            "program": json.loads(to_json(version.program, "program")),
            "candidate": json.loads(to_json(version.candidate, "program")),
        }
        path = self._home / f"{version.number:06}.json"
        with open(f"{path}.part", "w", encoding="utf-8") as file:
            json.dump(told, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.replace(f"{path}.part", path)


def _read(path: Path) -> Entry:
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        program, candidate = (
            from_json(json.dumps(told[name]), Program, "program") for name in ("program", "candidate")
        )
        version = Version(int(told["version"]), told["since"], program, candidate)
        return Entry(version, told["texts"], told["candidate_texts"], int(told["delay"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SnapshotError(f"a version of the rules cannot be read: {path}: {error}") from None


def news_of(entry: Entry, before: Version) -> str:
    """What a version changes, in words."""
    changes = [f"{what} {', '.join(names)}" for what, names in entry.changes(before).items() if names]
    since = entry.version.since
    when = f"events after {render_instant(since)}" if since is not None and since > BEFORE_ALL else "all events"
    return f"version {entry.version.number} of the rules, for {when}: {'; '.join(changes) or 'another candidate'}"
