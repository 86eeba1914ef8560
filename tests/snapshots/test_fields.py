"""Snapshots go on in a release that has more fields than the one that took them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.snapshots.growing import detected_by, grown
from tests.snapshots.keeping import HERE, TAKEN_AFTER, events, program, stepped
from tocsin.algebra.notes import Notes
from tocsin.algebra.replay import replay
from tocsin.engine.engine import Engine
from tocsin.engine.state.snapshot import snapshot


def the_rest() -> list[str]:
    """What the plain meaning makes of the events after a snapshot was taken."""
    found = list(map(repr, replay(program(), events())))
    engine = Engine(program(), None, Notes())
    return found[len(stepped(engine, events()[:TAKEN_AFTER])) :]


def test_a_kept_snapshot_goes_on_when_rules_have_a_field_more(tmp_path: Path) -> None:
    assert detected_by(grown(tmp_path, ("algebra/rules.py",)), HERE / "0.1.0.snapshot") == the_rest()


@pytest.mark.parametrize("files", [("algebra/rules.py",), ("algebra/rules.py", "algebra/patterns.py")])
def test_a_snapshot_of_today_goes_on_when_there_are_more_fields(files: tuple[str, ...], tmp_path: Path) -> None:
    engine = Engine(program(), None, Notes())
    stepped(engine, events()[:TAKEN_AFTER])
    (tmp_path / "today.snapshot").write_bytes(snapshot(engine))
    assert detected_by(grown(tmp_path, files), tmp_path / "today.snapshot") == the_rest()
