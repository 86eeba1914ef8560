"""Flink and Esper themselves: what a query finds in events, and what Tocsin's plain meaning finds in the same."""

from __future__ import annotations

import base64
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import NamedTuple

from tocsin.algebra.rules import Rule
from tocsin.bench.peers.catalogue import Maven, Peer, Wheel
from tocsin.bench.peers.jars import make_ready
from tocsin.events import Event
from tocsin.rules.programs import rules_program
from tocsin.runtime.options import Options
from tocsin.session import Session

FLINK = Peer(
    "Flink SQL",
    "2.3.0",
    "FlinkQueries",
    Wheel("apache-flink-libraries", "2.3.0", ("flink-cep-", "flink-dist-", "flink-table-", "log4j-")),
)
ESPER = Peer(
    "Esper",
    "9.0.0",
    "EsperStatements",
    Maven("com.espertech", ("esper-common", "esper-compiler", "esper-runtime"), "9.0.0"),
)
RUNNING = 280
"""Seconds after which an engine is stopped."""

Found = Counter[tuple[str, ...]]
"""How often each set of events is found."""


class Asked(NamedTuple):
    """A query and the events it is given."""

    name: str
    query: str
    events: list[Event]


def random_events(seed: int, count: int = 120, *, ties: bool = False, types: str = "abc") -> list[Event]:
    """Events in order of time, 50 ms to 3 s apart, on whole 50 ms: windows end between them, and right on some.

    With `ties` every third event comes at the time of the one before. Some attributes are missing.
    """
    random = Random(seed)
    made: list[Event] = []
    now = 1_700_000_000_000
    for number in range(count):
        if not (ties and random.random() < 1 / 3):
            now += random.choice((1, 2, 5, 10, 20, 60)) * 50
        data = {
            "k": random.choice("xyz"),
            "n": random.randrange(4),
            "v": random.choice((0.5, 1.0, 1.5, 2.5)),
            "s": random.choice(("alpha", "beta's", "Gamma", "alphabet")),
            "flag": random.random() < 0.5,
        }
        data = {name: value for name, value in data.items() if random.random() < 0.88}
        micro = now * 1000
        source = random.choice(("p", "q"))
        made.append(Event(random.choice(types), micro, micro, f"e{number}", source, data, micro, number=number))
    return made


def ask(peer: Peer, asked: Iterable[Asked]) -> dict[str, Found | str]:
    """What the engine finds in each case, or why it failed. It is started once for all of them."""
    ready = make_ready(peer, lambda _: None, sources=Path(__file__).parent, shared="Cases")
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "cases"
        file.write_text("".join(map(_lines, asked)), encoding="utf-8")
        ended = subprocess.run(
            ready.command(str(file)), capture_output=True, text=True, timeout=RUNNING, check=False, cwd=scratch
        )
    assert ended.returncode == 0, ended.stderr[-2000:]
    found: dict[str, Found | str] = defaultdict(Counter)
    for line in ended.stdout.splitlines():
        kind, _, rest = line.partition("\t")
        name, *parts = rest.split("\t")
        if kind == "failed":
            found[name] = parts[0]
        elif kind == "found":
            counted = found[name]
            assert isinstance(counted, Counter)
            counted[tuple(sorted(parts))] += 1
    return found


def replayed(rule: Rule, events: list[Event]) -> Found:
    """What Tocsin's plain meaning finds."""
    session = Session(rules_program([rule]), Options(engine="replay"))
    return Counter(tuple(sorted(found.events)) for found in session.detections(events))


def _lines(asked: Asked) -> str:
    query = base64.b64encode(asked.query.encode()).decode()
    lines = [f"case\t{asked.name}\t{query}"]
    for event in asked.events:
        values = [_text(event.data.get(name)) for name in ("k", "n", "v", "s", "flag")]
        lines.append("\t".join(["event", event.id, event.type, event.source, str(event.end // 1000), *values]))
    return "\n".join(lines) + "\n"


def _text(value: object) -> str:
    if value is None:
        return "\\N"
    return str(value).lower() if isinstance(value, bool) else str(value)
