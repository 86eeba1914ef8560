"""A candidate compared with the rules."""

from __future__ import annotations

import pytest

from tocsin.runtime import shadow as shadowing
from tocsin.runtime.shadow import Shadow


def test_each_detection_has_at_most_one_partner() -> None:
    """The same events twice on one side, and once on the other; in any order, and whenever they are told."""
    shadow = Shadow()
    shadow.add([("r", "1", False), ("r", "1", False), ("r", "2", True), ("s", "1", True)])
    assert shadow.difference() == {
        "r": {"both": 0, "live only": 2, "candidate only": 1},
        "s": {"both": 0, "live only": 0, "candidate only": 1},
    }
    shadow.add([("r", "1", True), ("r", "2", False), ("r", "2", False)])
    assert shadow.difference()["r"] == {"both": 2, "live only": 2, "candidate only": 0}


def test_what_waits_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shadowing, "MOST_WAITING", 2)
    shadow = Shadow()
    shadow.add([("r", str(number), False) for number in range(5)])
    assert shadow.given_up == 3
    assert shadow.difference()["r"]["live only"] == 5, "they are counted all the same"
