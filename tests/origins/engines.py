"""Other engines themselves, on many small random streams at once, and what Tocsin's plain meaning finds in each."""

from __future__ import annotations

import base64
import re
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.foreign.engines import ESPER as ESPER_JARS
from tests.foreign.engines import FLINK as FLINK_JARS
from tocsin.bench.peers.catalogue import SIDDHI as SIDDHI_JARS
from tocsin.bench.peers.catalogue import Peer
from tocsin.bench.peers.jars import make_ready
from tocsin.errors import Source
from tocsin.events import Event
from tocsin.origins import read
from tocsin.rules.programs import rules_program
from tocsin.runtime.options import Options
from tocsin.session import Session

RUNNING = 3_000
"""Seconds after which an engine is stopped."""

Found = Counter[tuple[str, ...]]
"""How often each row is found: its columns as `name=value`."""


@dataclass(frozen=True)
class Engine:
    """An engine, and how a text is put so that each stream stands for itself."""

    name: str
    peer: Peer
    per_stream: Callable[[str], str]
    types: tuple[str, ...]


@dataclass(frozen=True)
class Construct:
    """A text that shows a construct. `nulls`: also with columns that are null; `ties`: with events of one time."""

    name: str
    text: str
    nulls: bool = True
    ties: bool = True


def _partitioned(text: str) -> str:
    if "PARTITION BY" in text:
        return text.replace("PARTITION BY ", "PARTITION BY lane, ")
    return text.replace("ORDER BY", "PARTITION BY lane ORDER BY")


TYPES = ("a", "b", "c")


def _in_context(text: str) -> str:
    return re.sub(r"^((?:@name\('\w+'\)\s*)?)", r"\1context Lanes ", text)


ESPER = Engine("esper-epl", Peer("Esper", ESPER_JARS.version, "EsperStreams", ESPER_JARS.source), _in_context, TYPES)
SIDDHI = Engine(
    "siddhi", Peer("Siddhi", SIDDHI_JARS.version, "SiddhiStreams", SIDDHI_JARS.source), lambda text: text, TYPES
)
FLINK = Engine(
    "flink-sql", Peer("Flink SQL", FLINK_JARS.version, "FlinkStreams", FLINK_JARS.source), _partitioned, ("ticks",)
)


def random_streams(seed: int, count: int, types: tuple[str, ...]) -> list[list[Event]]:
    """Small streams: whole 50 ms, so that spans end between events and right on some."""
    random = Random(seed)
    return [_random_stream(random, number, types) for number in range(count)]


def has_nulls(number: int) -> bool:
    """Whether the stream of this number has columns that are null."""
    return number % 2 == 1


def has_ties(number: int) -> bool:
    """Whether the stream of this number has events of one time."""
    return number % 4 > 1


def streams_for(construct: Construct, streams: list[list[Event]]) -> dict[int, list[Event]]:
    """The streams that a construct is tried on, by their numbers."""
    return {
        number: stream
        for number, stream in enumerate(streams)
        if (construct.nulls or not has_nulls(number)) and (construct.ties or not has_ties(number))
    }


def _random_stream(random: Random, number: int, types: tuple[str, ...]) -> list[Event]:
    now = 1_700_000_000_000 + number % 50
    made: list[Event] = []
    present = 0.9 if has_nulls(number) else 1.0
    for place in range(random.randrange(4, 13)):
        if not (has_ties(number) and random.random() < 0.3):
            now += random.choice((1, 2, 5, 10, 20, 60)) * 50
        values = {"k": random.choice("xy"), "n": random.randrange(4), "v": random.choice((0.5, 1.0, 1.5, 2.5))}
        data: dict[str, object] = {name: each for name, each in values.items() if random.random() < present}
        name = f"{number}-{place}"
        event = Event(random.choice(types), now * 1000, now * 1000, name, "s", {**data, "id": name}, now * 1000)
        made.append(event)
    # Flink tells a match only when none that began before it can still come: a last row without columns ends them all.
    now += 10_000
    made.append(Event(types[-1], now * 1000, now * 1000, f"{number}-99", "s", {"id": f"{number}-99"}, now * 1000))
    return made


def ask(engine: Engine, construct_text: dict[str, str], streams: list[list[Event]]) -> dict[str, Found | str]:
    """What the engine finds with each text in all streams, or why it failed; the first column is the stream."""
    ready = make_ready(engine.peer, lambda _: None, sources=Path(__file__).parent, shared="Streams")
    texts = {name: base64.b64encode(engine.per_stream(text).encode()).decode() for name, text in construct_text.items()}
    lines = [f"query\t{name}\t{text}" for name, text in texts.items()]
    every = [(event.end, number, event) for number, stream in enumerate(streams) for event in stream]
    lines += [_line(number, event) for _, number, event in sorted(every, key=lambda each: each[:2])]
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "streams"
        file.write_text("\n".join(lines), encoding="utf-8")
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
            counted[tuple(parts)] += 1
    return found


def _line(number: int, event: Event) -> str:
    values = [event.data.get(name) for name in ("k", "n", "v")]
    shown = ["\\N" if value is None else str(value) for value in values]
    return "\t".join(["event", event.id, str(number), event.type, str(event.end // 1000), *shown])


def of_streams(found: Found, numbers: Container[int]) -> Found:
    """What was found in some of the streams."""
    return Counter({row: count for row, count in found.items() if int(row[0]) in numbers})


def replayed(origin: str, text: str, streams: Mapping[int, list[Event]]) -> Found:
    """What Tocsin's plain meaning finds in each stream."""
    made = read(Source(text), origin)
    assert not made.refused, made.refused
    session = Session(rules_program(made.rules), Options(engine="replay"))
    found: Found = Counter()
    for number, stream in streams.items():
        for detection in session.detections(stream):
            columns = sorted(f"{name}={_text(value)}" for name, value in detection.data.items())
            found[(str(number), *columns)] += 1
    return found


def _text(value: object) -> str:
    return "null" if value is None else str(value)
