"""What the people and the sensors of a simulated world say: requests in all notations, bodies good, late, bad, hostile."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from typing import Any

from tocsin.events import Event
from tocsin.time.calendar import render_instant

SECOND = 1_000_000
TYPES = ("a", "b", "c")
SOURCES = ("s1", "s2", "")

EXPRESSIONS: list[dict[str, Any]] = [
    {"language": "gem", "expression": "a ; b", "window": "20 sec"},
    {"language": "gem", "expression": "x:a ; y:b", "condition": "x.k == y.k", "window": "20 sec", "order": "delay:3 sec"},
    {"language": "gem", "expression": "{a ; b} ! c", "window": "1 min"},
    {"language": "sel", "expression": "(a -> b) in 9 sec"},
    {"language": "sel", "expression": "(x:a -> !(c) -> y:b) in 30 sec", "condition": "x.k == y.k"},
    {"language": "eps", "expression": "x:a ; y:b", "condition": "x.v < y.v", "window": "30 sec"},
    {"language": "eps", "expression": "TimesEq(2, a, k)", "window": "30 sec", "context": "recent"},
    {"language": "eps", "expression": "a & b", "window": "15 sec", "context": "chronicle"},
    {"language": "eps", "expression": "a & b", "window": "15 sec", "context": "continuous", "order": "guaranteed:5 sec"},
    {"language": "eps", "expression": "at(a, 0/0/0 0:00:04)", "window": "15 sec"},
    {"language": "eps", "expression": "every(0/0/0 0:00:07)"},
    {"language": "pretty", "expression": "a 3 times with the same k within 20 seconds"},
    {"language": "gem", "expression": "x:a ; y:c", "window": "20 sec", "suppress": {"by": "x.k", "for": "30 sec"}},
    {"language": "pretty", "expression": "a as x unless (b as y where y.k == x.k) within 5 seconds"},
    {"language": "pretty", "expression": "a then b within 8 seconds", "order": "probabilistic:0.9"},
    {"language": "eps", "expression": "at(1970/01/12 13:47:10)"},
    {"language": "core", "expression": "[a] ; [b]", "window": "20 sec"},
    {"language": "core", "expression": "A = [a] ; [b]\n[A] ; [c]", "window": "20 sec"},
    {"language": "core", "expression": "([a], [T in {T, b}]){T = 5 sec}"},
    {"language": "global", "expression": "a ; NOT b ; c", "window": "30 sec"},
    {"language": "global", "expression": "a , c", "window": "10 sec"},
    {"language": "python", "expression": "tc.event('a').then(tc.event('c')).within('12 sec')"},
    {"language": "pretty", "expression": "first then c within 20 seconds"},
    {"language": "eps", "expression": "first & second", "window": "30 sec"},
    {"language": "eps", "expression": "a ; c", "window": "60 sec", "budget": "rows=3,policy=drop-oldest"},
    {"language": "eps", "expression": "b ; c", "window": "60 sec", "budget": "rows=2,policy=refuse"},
    {"language": "eps", "expression": "c ; b", "window": "60 sec", "budget": "rows=2,policy=stop"},
    {"language": "gem", "expression": "a", "notify": "{a.k} came", "select": {"k": "a.k"}},
]  # fmt: skip
WRONG: list[dict[str, Any]] = [
    {"language": "gem", "expression": "a ; ; b", "window": "soon"},
    {"language": "eps", "expression": "a & b"},
    {"language": "nowhere", "expression": "a"},
    {"language": "eps"},
    {"language": "eps", "expression": "a ; b", "window": "5 sec", "condition": "a.k ==", "colour": "red"},
]
NAMES = ("first", "second", "third", "fourth", "fifth")
DECLARATIONS: list[tuple[str, dict[str, Any]]] = [
    ("a", {"gem": "event a(long k)"}),
    ("a", {"gem": "event a(long k, double v)"}),
    ("b", {"schema": {"type": "object", "properties": {"k": {"type": "integer", "maximum": 1}}}}),
    ("c", {"gem": "event c(string name)"}),
]
HOSTILE = [
    b"{", b"[]", b"null", b'"a"', b'{"type": "a"', b'{"time": 1}', b'{"type": 5, "time": 1}', b"\xff\xfe", b'{"type":"a","time":NaN}',
    b'{"type": "a", "time": "yesterday"}', b'{"type": "a", "time": 1e400}', b'{"type": "", "time": 1}',
    b'{"type": "a", "time": [5, 1]}', b'{"type": "a", "time": 1, "data": []}', b'{"type": "a", "id": {}, "time": 1}',
    b"[" * 200 + b"]" * 200, b'{"type": "a", "time": 1, "data": {"k": ' + b"[" * 300 + b"]" * 300 + b"}}",
    b'{"type": "a\\ud800", "time": 1}', b'{"type": "a", "time": 1, "start": 2}',
]  # fmt: skip


@dataclass
class Sent:
    """An event as a sensor knows it."""

    token: int
    line: bytes
    source: str
    id: str
    type: str
    start: int | None
    end: int | None
    """None: the service says when it came."""
    data: dict[str, Any]

    def event(self, number: int, arrival: int) -> Event:
        """What the service is to make of it: without looking at the service's own way of reading."""
        end = arrival if self.end is None else self.end
        name = self.id or str(number)
        return Event(self.type, end, end if self.start is None else self.start, name, self.source, self.data, arrival)


@dataclass
class Sensors:
    """Those who send events: each event has a token by which it is known again."""

    random: random.Random
    sent: list[Sent] = field(default_factory=list)
    unsure: list[list[Sent]] = field(default_factory=list)
    """Bodies that were not acknowledged: they are sent again."""

    def body(self, now: int) -> list[Sent]:
        """What is sent next: news, what was not acknowledged, or what was sent before."""
        choice = self.random.random()
        if self.unsure and choice < 0.5:
            return self.unsure.pop(0)
        named = [each for each in self.sent[-12:] if each.id]
        if named and choice < 0.62:
            return self.random.sample(named, min(len(named), self.random.choice((1, 3, 6))))
        count = self.random.choice((1, 1, 1, 2, 3, 5, 6, 8))
        return [self.event(now) for _ in range(count)]

    def event(self, now: int) -> Sent:
        """Another event."""
        choose = self.random
        token, kind, source = len(self.sent), choose.choice("aaabbc"), choose.choice(SOURCES)
        late = choose.choice((0, 0, 0, 0, 1, 2, 5, 40)) * SECOND
        end: int | None = (now - late) // 1000 * 1000
        name = f"e{token}" if choose.random() < 0.6 else ""
        data: dict[str, Any] = {"k": choose.randrange(3), "v": choose.choice((1, 2.5, -3, 7.0)), "n": token}
        if choose.random() < 0.1:
            data["k"] = choose.choice((None, "x", 10**30, [1], True, 0.5))
        if choose.random() < 0.1:
            data["name"] = "é\u2028\U0001f514"
        start = None
        record: dict[str, Any] = {"type": kind}
        assert end is not None
        how = choose.random()
        if how < 0.05:
            end = None
        elif how < 0.15:
            start = end - choose.randrange(3) * SECOND
            record["time"] = [start / SECOND, end / SECOND]
        else:
            record["time"] = render_instant(end) if how < 0.3 else end / SECOND
        if name:
            record["id"] = name
        if source:
            record["source"] = source
        if choose.random() < 0.05:
            record["arrival"] = choose.choice((0, 5, "never", 4e9))
        if choose.random() < 0.5:
            record["data"] = data
        else:
            record |= data
        line = json.dumps(record, ensure_ascii=choose.random() < 0.5).encode()
        made = Sent(token, line, source, name, kind, start, end, data)
        self.sent.append(made)
        return made

    def lines(self, body: list[Sent], now: int) -> bytes:
        """A body as it is sent: with lines among it that are no events."""
        lines = [each.line for each in body]
        if self.random.random() < 0.15:
            lines.insert(self.random.randrange(len(lines) + 1), self.random.choice(HOSTILE))
        if self.random.random() < 0.1:
            beat = {"source": self.random.choice(SOURCES), "time": now / SECOND, "heartbeat": True}
            lines.insert(self.random.randrange(len(lines) + 1), json.dumps(beat).encode())
        end = self.random.choice((b"\n", b"\n", b"\r\n", b"\n\n"))
        return end.join(lines) + self.random.choice((b"", b"\n"))
