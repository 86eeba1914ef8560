"""Parts chained to one another directly, without sites or a network: streams in any order, and in steps of any length.

What a part gives out goes through the records in which it would travel. In which order streams get on, and how far at a
time, is drawn; parts are now and then saved and restored in between.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec

from tocsin.events import Detection, Event
from tocsin.sites.births import ANY, FAR
from tocsin.sites.deployment import Deployment, Directory
from tocsin.sites.hosts import Host
from tocsin.sites.parts import Part, Role
from tocsin.sites.records import WITH, detection_of, detection_record, event_record
from tocsin.sites.sieves import Sieve


@dataclass
class Stream:
    """What a part gives out, and who takes it how far."""

    outputs: list[tuple[int, Any]] = field(default_factory=list)
    """Each with its time."""
    frontier: int = -FAR


@dataclass
class Chain:
    """The parts of a deployment at work."""

    deployment: Deployment
    random: Random
    streams: dict[str, Stream] = field(default_factory=dict)
    hosts: dict[str, Host] = field(default_factory=dict)
    taken: dict[tuple[str, str], int] = field(default_factory=dict)
    told: dict[str, list[Detection]] = field(default_factory=dict)
    travelled: Counter[str] = field(default_factory=Counter)
    """How many events each part gave out."""

    def begin(self, directory: Directory, log: Sequence[Event], since: int) -> None:
        """Everything is registered at a time; the events are born, each where its source is."""
        site_of = {source: site for site, sources in directory.items() for source in sources}
        for part, _ in self.deployment.placed:
            self.streams[part.key] = Stream()
            if part.role is not Role.FILTER:
                self.hosts[part.key] = Host(part, since)
                continue
            sieve = Sieve(part)
            for event in log:
                born_here = site_of[event.source] == part.birthplace and part.type in (event.type, ANY)
                if born_here and (passed := sieve.passed(event)) is not None:
                    self._give(part, event.end, WITH, [passed])
            self.streams[part.key].frontier = FAR

    def _give(self, part: Part, at: int, phase: int, events: Sequence[Event]) -> None:
        record = [at, phase, [event_record(event) for event in events]]
        self.streams[part.key].outputs.append((at, _travelled(record)))
        self.travelled[part.key] += len(events)

    def run(self, last: int) -> list[Detection]:
        """Everything comes, up to a time that all streams reach, and then they end."""
        for until in (last, FAR):
            left = [(key, stream) for key, host in self.hosts.items() for stream in host.part.inputs]
            while left:
                pair = self.random.choice(left)
                if self._is_at(*pair, until):
                    left.remove(pair)
                else:
                    self._step(*pair, until)
            for key in self.hosts:  # those that others take come first
                self._settle(key)
                for stream in self.hosts[key].part.inputs:
                    assert self._is_at(key, stream, until)
        return [one for each in dict.fromkeys(self.deployment.told.values()) for one in self.told.get(each, [])]

    def _is_at(self, key: str, stream: str, until: int) -> bool:
        host = self.hosts[key]
        return host.reached[stream] >= until and self.streams[stream].frontier >= until

    def _step(self, key: str, stream: str, until: int) -> None:
        """A part takes some more of a stream, and perhaps does something."""
        host, given, random = self.hosts[key], self.streams[stream], self.random
        if stream in self.hosts and random.random() < 0.5:
            self._settle(stream)
        first = self.taken.get((key, stream), 0)
        most = random.choice((0, 1, 2, 1000))
        while most and first < len(given.outputs) and given.outputs[first][0] <= until:
            host.offer(stream, first + 1, given.outputs[first][1])
            first, most = first + 1, most - 1
        self.taken[key, stream] = first
        frontier = min(given.frontier, until)
        if first < len(given.outputs):
            frontier = min(frontier, given.outputs[first][0] - 1)
        if random.random() < 0.7:
            host.reach(stream, frontier)
        if random.random() < 0.7:
            self._settle(key)

    def _settle(self, key: str) -> None:
        host = self.hosts[key]
        host.settle()
        outputs, host.outputs = host.outputs, []
        for output in outputs:
            self._give(host.part, output.at, output.phase, output.events)
        found, host.told = host.told, []
        if key + "!" in self.deployment.told.values():
            told = self.told.setdefault(key + "!", [])
            told += [detection_of(_travelled(detection_record(one))) for one in found]
        self.streams[key].frontier = max(self.streams[key].frontier, host.frontier)
        if self.random.random() < 0.03:
            self._restore(key)

    def _restore(self, key: str) -> None:
        """The part goes on as another that was given its state."""
        state = msgspec.msgpack.decode(msgspec.msgpack.encode(self.hosts[key].state()))
        self.hosts[key] = Host(self.hosts[key].part)
        self.hosts[key].restore(state)


def _travelled(record: Any) -> Any:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(record))
