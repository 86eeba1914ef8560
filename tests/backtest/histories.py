"""A history, rules in two versions, and what the embedded engine makes of them: what several tests have."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

START = datetime(2026, 11, 15, 18, tzinfo=UTC)
NEW = """\
rules:
- {name: pair, language: eps, expression: "x:a ; y:b", condition: "x.host == y.host", context: unrestricted, window: 1 min}
- {name: quiet, language: sel, expression: "(x:a -> !(y:b if y.host == x.host)) in 5 s"}
- {name: big, language: eps, expression: "x:b", condition: "x.load > 7", select: {much: "x.load * 2", host: x.host}}
- {name: chosen, language: eps, expression: "x:a ; y:b", condition: "x.host == y.host", window: 20 s, select: {host: x.host}, notify: "{host} again"}
- {name: tick, language: eps, expression: "x:a & every(0/0/0 0:10:00)", window: 10 s}
- {name: never, language: eps, expression: "x:zzz"}
"""
OLD = """\
rules:
- {name: pair, language: eps, expression: "x:a ; y:b", condition: "x.host == y.host", context: unrestricted, window: 30 s}
- {name: quiet, language: sel, expression: "(x:a -> !(y:b if y.host == x.host)) in 4 s"}
- {name: big, language: eps, expression: "x:b", condition: "x.load > 5", select: {much: "x.load * 2", host: x.host}}
- {name: gone, language: eps, expression: "x:c", condition: "x.load == 0"}
"""


def made(count: int = 400, seed: int = 3) -> list[dict[str, Any]]:
    """Events over a day and a half, no two at one time; some have no host."""
    random = Random(seed)
    time, events = 0.0, []
    for number in range(count):
        time += random.choice((0.25, 1, 3, 20, 1500))
        host = random.choice(("n1", "n2", "<n3>", None))
        data: dict[str, Any] = {"load": random.randrange(10)} | ({} if host is None else {"host": host})
        when = (START + timedelta(seconds=time)).isoformat().replace("+00:00", "Z")
        events.append(
            {"id": f"{number:03}", "type": random.choice("abc"), "source": f"s{number % 3}", "time": when, "data": data}
        )
    return events


def written(folder: Path, events: list[dict[str, Any]], pieces: int = 3) -> Path:
    """The events as JSON lines, mixed up and in several files; the last has two lines that are no events."""
    folder.mkdir(exist_ok=True)
    mixed = list(events)
    Random(1).shuffle(mixed)
    for piece in range(pieces):
        text = "".join(json.dumps(event) + "\n" for event in mixed[piece::pieces])
        bad = '{"type": "a", "time": broken\n{"type": "a", "data": {}}\n' if piece == pieces - 1 else ""
        (folder / f"{piece}.jsonl").write_text(text + bad)
    return folder


def rules(folder: Path) -> tuple[Path, Path]:
    """The files of the new and the old rules."""
    new, old = folder / "new.yaml", folder / "old.yaml"
    new.write_text(NEW)
    old.write_text(OLD)
    return new, old
