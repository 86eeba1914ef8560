"""Snapshots that were taken by releases: `python tests/snapshots/keeping.py VERSION` takes one by this.

A release keeps one and never changes it again. What every later one makes of it is held to what the plain meaning makes
of all events: `test_snapshots.py`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, it must find `tests`

from tocsin.algebra.notes import Notes
from tocsin.algebra.order import Release
from tocsin.algebra.rules import Program
from tocsin.api import load
from tocsin.engine.engine import Engine
from tocsin.engine.state.snapshot import snapshot
from tocsin.events import Detection, Event
from tocsin.runtime.options import Options
from tocsin.session import Session
from tocsin.time.spans import SECOND

HERE = Path(__file__).parent
TAKEN_AFTER = 60
"""Events that a snapshot has seen."""


def program() -> Program:
    """The rules, as a run has them."""
    return Session(load(HERE / "rules.yaml"), Options()).program


def events() -> list[Event]:
    """What happens: now and then an event is late."""
    random = Random("snapshots")
    found, clock = list[Event](), 0
    for number in range(120):
        clock += random.choice((0, 1, 1, 2))
        time = (clock - random.choice((0, 0, 0, 0, 3))) * SECOND
        data = {"k": random.choice((1, 2, 2.0, "x"))}
        found.append(Event(random.choice("aabc"), time, time, str(number), "s", data, clock * SECOND))
    return found


def stepped(engine: Engine, some: list[Event]) -> list[Detection]:
    """What an engine makes of some events, one by one."""
    found = []
    for event in some:
        engine.step(Release(event.arrival, event))
        found += engine.drain()
    return found


def main() -> int:
    """Takes a snapshot for a release, unless it has one."""
    path = HERE / f"{sys.argv[1]}.snapshot"
    if path.exists():
        print(f"{path.name} is there already, and stays as it is", file=sys.stderr)
        return 1
    engine = Engine(program(), None, Notes())
    stepped(engine, events()[:TAKEN_AFTER])
    path.write_bytes(snapshot(engine))
    return 0


if __name__ == "__main__":
    sys.exit(main())
