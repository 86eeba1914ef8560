"""The environment of 002: what waits is right whatever happens; what does not wait is right where nothing goes wrong."""

from __future__ import annotations

import json

import pytest

from tocsin.simulate.environment import experiment
from tocsin.simulate.environment.experiment import sites
from tocsin.simulate.environment.runs import ASYNCHRONOUS, WAYS, Setting, outcome
from tocsin.sites.outboxes import HEARTBEATS, REQUESTS, TOKENS

SYNCHRONOUS = (HEARTBEATS, REQUESTS, TOKENS)


def test_with_no_delay_and_no_failure_asynchronous_evaluation_gets_nothing_wrong() -> None:
    found = outcome(ASYNCHRONOUS, Setting(delay=0, rate=3), 1)
    assert found.true > 30
    assert (found.told, found.wrong, found.missed, found.late) == (found.true, 0, 0, 0)


@pytest.mark.parametrize("way", SYNCHRONOUS)
@pytest.mark.parametrize(
    "worse", [{"delay": 200.0}, {"failures": 3.0}, {"partitions": 3.0}], ids=lambda each: next(iter(each))
)
def test_what_waits_is_never_wrong_and_misses_nothing(way: str, worse: dict[str, float]) -> None:
    found = outcome(way, Setting(**worse), 2)  # type: ignore[arg-type]  # its fields
    assert found.true > 10
    assert (found.told, found.wrong, found.missed) == (found.true, 0, 0)


def test_what_does_not_wait_is_wrong_where_messages_take_long_and_sooner() -> None:
    setting = Setting(delay=200)
    found, waited = outcome(ASYNCHRONOUS, setting, 1), outcome(REQUESTS, setting, 1)
    assert found.wrong > 0
    assert found.missed > 0
    assert found.delays[-1] < waited.delays[len(waited.delays) // 2]
    assert found.messages < waited.messages


def test_on_slow_links_requests_go_there_and_back_about_twice() -> None:
    """What comes while an answer is awaited is asked about in the same round."""
    found = outcome(REQUESTS, Setting(delay=300), 1)  # and up to 300 more by chance
    assert found.true > 20
    assert found.delays[len(found.delays) // 2] < 5 * 300
    assert found.delays[-1] < 7 * 300


def test_a_failure_makes_what_waits_late() -> None:
    assert outcome(REQUESTS, Setting(), 3).late == 0 < outcome(REQUESTS, Setting(failures=3), 3).late


def test_the_same_seed_gives_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiment, "SWEEPS", {"delay": ("delay", (0, 100)), "sites": ("sites", (2, 3))})
    first, again, other = (sites(seed, 0.2) for seed in (1, 1, 2))
    assert json.dumps(first.record) == json.dumps(again.record)
    assert (first.text(), first.pictures) == (again.text(), again.pictures)
    assert first.record["sweeps"] != other.record["sweeps"]
    assert len(first.record["sweeps"]["delay"]) == 2 * len(WAYS)
