"""Which named events came to the service, by source and id, so that one sent twice counts once.

Millions of them are remembered, and each event asks: so a batch is looked up and noted as a whole, for each source
(`name_runs`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from tocsin.formats.repeats import Seen
from tocsin.formats.texts import Texts
from tocsin.service.name_runs import Batch, NamesOfSource

_Names: TypeAlias = dict[str, NamesOfSource]


class KnownNames(Seen):
    """Names, and when they came here: what a sensor says of the time makes nobody forget anything."""

    now = 0
    is_trusting = False
    """Whether what comes stands in the log: then it comes once, and its name is only noted."""

    def __init__(self, remember: int | None) -> None:
        super().__init__(remember)
        self._names: _Names = {}
        self._older: _Names = {}

    def knew(self, source: str, name: str, time: int) -> bool:
        latest = self._reach()
        mine, older = self._mine(source), self._older.get(source)
        when = mine.when(name)
        if when is None and older is not None:
            when = older.when(name)
        if when is not None and (self._remember is None or latest - when <= self._remember):
            return not self.is_trusting
        mine.single[name] = self.now
        return False

    def are_new(self, names: list[str], sources: list[str] | None, times: bytes, texts: Texts | None = None) -> bool:
        if not names:
            return True
        self._reach()
        new = [(source, Batch(mine)) for source, mine in _by_source(names, sources)]
        met = [batch.has_twice or self._is_met(source, batch) for source, batch in new]
        if any(met) and not self.is_trusting:
            return False
        for (source, batch), is_met in zip(new, met, strict=True):
            mine = self._mine(source)
            if is_met:
                mine.single.update(dict.fromkeys(batch.names, self.now))
            else:
                mine.add(batch, self.now)
        return True

    def _mine(self, source: str) -> NamesOfSource:
        mine = self._names.get(source)
        if mine is None:
            mine = self._names[source] = NamesOfSource()
        return mine

    def _is_met(self, source: str, batch: Batch) -> bool:
        known = (names.get(source) for names in (self._names, self._older))
        return any(mine is not None and mine.meets(batch) for mine in known)

    def are_ascending(self, first: str, last: str, wholes: bytes, sources: list[str] | None, times: bytes) -> bool:
        return False

    def _reach(self) -> int:
        """The latest arrival so far; turns the generations over where the older one is out of reach."""
        latest = self._latest = max(self.now, self._latest or self.now)
        if self._remember is not None and latest - self._begun > self._remember:
            self._older, self._names, self._begun = self._names, {}, latest
        return latest


def _by_source(names: list[str], sources: list[str] | None) -> Iterable[tuple[str, list[str]]]:
    if sources is None:
        return (("", names),)
    if sources.count(sources[0]) == len(sources):
        return ((sources[0], names),)
    mine: dict[str, list[str]] = {}
    for source, name in zip(sources, names, strict=True):
        mine.setdefault(source, []).append(name)
    return mine.items()
