"""The log held as columns gives the answers that reading it anew gives, however it has grown and been pruned meanwhile."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tocsin.service import backtests, past
from tocsin.service.admission import Admission
from tocsin.service.backtests import backtest
from tocsin.service.past import Past
from tocsin.service.records import Entry, Kind, Writes
from tocsin.service.store import Store, open_store

RULES = {
    "pairs": {"language": "gem", "expression": "x:a ; y:b when x.k = y.k"},
    "often": {"language": "pretty", "expression": "a at least 2 times by k"},
    "absent": {"language": "pretty", "expression": "a followed by not c followed by b"},
    "text": {"language": "pretty", "expression": "b followed by c by s"},
    "told": {"language": "pretty", "expression": "a followed by b", "severity": "high", "notify": "it was {a.k}"},
    "ordered": {"language": "pretty", "expression": "a followed by b by k", "order": "delay:2 s"},
}
START = 1_700_000_000


class Log:
    """A log that grows and is pruned; `reader` reads it."""

    def __init__(self, home: Path, seed: int) -> None:
        self._place = str(home / "log.db")
        self._store = open_store(self._place)
        self._store.acquire()
        self._admission, self._chance = Admission(None), random.Random(seed)
        self._time, self._position = float(START), 0
        self.reader: Store = open_store(self._place, read_only=True)

    def grow(self, bodies: int) -> None:
        """More bodies: of few types or many, plain ones and odd ones, of one event and of many."""
        entries = []
        for _ in range(bodies):
            kinds, size = self._chance.choice(("abc", "ab", "ddd", "c")), self._chance.choice((1, 3, 8, 20))
            lines = b"\n".join(json.dumps(self._event(kinds)).encode() for _ in range(size))
            now = int(self._time * 1e6)
            taken = self._admission.take(lines, now)
            self._position += self._chance.choice((1, 1, 2))  # what is no event stands between
            many = {"count": taken.accepted, "first": taken.first, "low": taken.low, "high": taken.high}
            entries.append(Entry(self._position, Kind.EVENTS, now, taken.body, types=taken.types, **many))
        self._store.commit(Writes(serial=self._position, entries=entries))

    def _event(self, kinds: str) -> dict[str, Any]:
        self._time += self._chance.random()
        one: dict[str, Any] = {"type": self._chance.choice(kinds), "time": self._time, "k": self._chance.randrange(3)}
        one |= {"s": self._chance.choice("xyz")} if self._chance.random() < 0.9 else {"list": [1, {"k": 2}]}
        if self._chance.random() < 0.01:
            one |= {"time": [self._time - 0.1, self._time]}  # an interval: its entry is read line by line
        return one

    def prune(self, share: float) -> None:
        """The oldest are gone."""
        before = int((START + (self._time - START) * share) * 1e6)
        self._store.prune(events_before=before, found_before=0, keep_from=self._position)

    def close(self) -> None:
        self.reader.close()
        self._store.close()


@pytest.fixture(params=range(2))
def log(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Log]:
    made = Log(tmp_path, request.param)
    made.grow(60)
    yield made
    made.close()


def asked(rule: str, **more: Any) -> dict[str, Any]:
    return {"requests": {}, "defaults": {}, "document": {"name": "tried", "window": "1 min", **RULES[rule]}, **more}


def anew(log: Log, rule: str) -> dict[str, Any]:
    """What is found where the log is read entry by entry."""
    return backtest(Past(log.reader), asked(rule, **{"from": "1970-01-02T00:00:00Z"}), lambda _: None)


def test_what_is_held_is_what_is_read(
    log: Log, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = (past.ROOM, 60_000)[request.node.callspec.params["log"]]
    monkeypatch.setattr(past, "STRETCH", 50)
    monkeypatch.setattr(backtests, "MOST_SHOWN", 3)  # the others are only counted
    held = Past(log.reader, room)
    for turn in range(3):
        for rule in RULES:
            told = backtest(held, asked(rule), lambda _: None)
            assert told == anew(log, rule), rule
            assert told["detections"] > 0
        if turn == 0:
            log.grow(25)
        else:
            log.prune(turn / 3)
    assert held._used <= room


def test_who_asks_again_reads_no_more_than_what_came_last(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past, "STRETCH", 50)
    held = Past(log.reader)
    backtest(held, asked("pairs"), lambda _: None)
    read: list[int] = []
    again = Admission.again_together

    def counted(admission: Admission, entries: list[Entry]) -> Any:
        read.append(sum(entry.count for entry in entries))
        return again(admission, entries)

    monkeypatch.setattr(Admission, "again_together", counted)
    backtest(held, asked("often"), lambda _: None)
    assert sum(read) < 50 * 2
