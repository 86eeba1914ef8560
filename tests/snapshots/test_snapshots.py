"""What earlier releases saved goes on as if nothing had happened."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

from tests.snapshots.keeping import HERE, TAKEN_AFTER, events, program, stepped
from tocsin.algebra.notes import Notes
from tocsin.algebra.replay import replay
from tocsin.engine.engine import Engine
from tocsin.engine.state.snapshot import restore

KEPT = sorted(HERE.glob("*.snapshot"))


def test_this_release_keeps_one() -> None:
    assert f"{version('tocsin')}.snapshot" in [path.name for path in KEPT]


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_a_kept_snapshot_goes_on(path: Path) -> None:
    should = list(replay(program(), events()))
    engine = Engine(program(), None, Notes())
    before = stepped(engine, events()[:TAKEN_AFTER])
    engine = Engine(program(), None, Notes())
    restore(engine, path.read_bytes())
    after = stepped(engine, events()[TAKEN_AFTER:])
    engine.finish(None)
    after += engine.drain()
    assert {one.rule for one in after} == {rule.name for rule in program().rules}
    assert list(map(repr, before + after)) == list(map(repr, should))
