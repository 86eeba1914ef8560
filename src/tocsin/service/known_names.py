"""Which named events came to the service, by source and id, so that one sent twice counts once.

Millions of them are remembered, and each event asks: names stand in a dictionary a source, with the time at which they
came, so that a batch is looked up and noted as a whole, and nothing is made that the collector of garbage has to visit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from tocsin.formats.repeats import Seen
from tocsin.formats.texts import Texts

_Names: TypeAlias = dict[str, dict[str, int]]


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
        mine = self._names.get(source)
        if mine is None:
            mine = self._names[source] = {}
        older = self._older.get(source)
        when = mine.get(name)
        if when is None and older:
            when = older.get(name)
        if when is not None and (self._remember is None or latest - when <= self._remember):
            return not self.is_trusting
        mine[name] = self.now
        return False

    def are_new(self, names: list[str], sources: list[str] | None, times: bytes, texts: Texts | None = None) -> bool:
        if not names:
            return True
        self._reach()
        new = {source: dict.fromkeys(mine, self.now) for source, mine in _by_source(names, sources)}
        if not self.is_trusting and (
            sum(map(len, new.values())) < len(names) or _meet(self._names, new) or _meet(self._older, new)
        ):
            return False
        for source, mine in new.items():
            known = self._names.get(source)
            if known is None:
                self._names[source] = mine
            else:
                known.update(mine)
        return True

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


def _meet(known: Mapping[str, dict[str, int]], new: _Names) -> bool:
    """Whether some name is in both."""
    return any(
        not theirs.keys().isdisjoint(mine) for source, mine in new.items() if (theirs := known.get(source)) is not None
    )
