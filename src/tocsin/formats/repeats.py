"""Which named events came already, so that one sent twice counts once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from operator import lt
from typing import Any

from tocsin.formats.texts import SEPARATOR, Texts


class Seen:
    """Which named events came already, so that one sent twice counts once.

    `remember` bounds the memory: a name is forgotten once events are that much later (microseconds of event
    time). Names are kept in two generations and dropped a generation at a time, which costs nothing an event.
    """

    def __init__(self, remember: int | None) -> None:
        self._remember = remember
        self._latest: int | None = None
        self._coming: int | None = None
        self._is_held = False
        self._begun = 0
        self._young: dict[tuple[str, str], int] = {}
        self._old: dict[tuple[str, str], int] = {}
        self._last = (0, "")
        """The greatest name so far, shorter ones first."""
        self._packed: list[tuple[str | bytes, list[str] | None, bytes]] = []
        """Names that cannot come twice as long as they go on ascending: many texts take less memory as one."""

    def knew(self, source: str, name: str, time: int) -> bool:
        """Whether an event of this source and id came before and is not forgotten; from now on it has."""
        if self._packed:
            self._unpack()
        key = (source, name)
        if (len(name), name) > self._last:
            self._last = (len(name), name)
        if self._remember is None:
            known = len(self._young)
            self._young.setdefault(key, time)
            return len(self._young) == known
        latest = self._move_on(time, self._remember)
        when = self._young.get(key, self._old.get(key))
        if when is not None and latest - when <= self._remember:
            return True
        self._young[key] = time
        return False

    @contextmanager
    def together(self) -> Iterator[None]:
        """Meanwhile nothing is forgotten: the order of what arrives together (of several partitions, say) is chance."""
        self._is_held = True
        try:
            yield
        finally:
            self._is_held = False
            if self._coming is not None and self._remember is not None:
                self._move_on(self._coming, self._remember)

    def state(self) -> list[object]:
        """What is remembered, as plain values."""
        self._unpack()
        generations = [[[*key, time] for key, time in names.items()] for names in (self._young, self._old)]
        return [self._latest, self._begun, *generations]

    def restore(self, state: list[Any]) -> None:
        """Goes on from what `state` told."""
        self._packed = []
        self._latest, self._begun, young, old = state
        self._coming = self._latest
        self._last = max(((len(name), name) for _, name, _ in (*young, *old)), default=(0, ""))
        self._young = {(source, name): time for source, name, time in young}
        self._old = {(source, name): time for source, name, time in old}

    # -- many at once ----------------------------------------------------------------------------------------------

    def are_new(self, names: list[str], sources: list[str] | None, times: bytes, texts: Texts | None = None) -> bool:
        """Whether none of these came before and none is twice among them; only then they have come from now on.

        Without `sources` all are of the source "". `times` are 64-bit numbers. `texts` are the names, joined, where
        somebody else keeps them so.
        """
        if not names:
            return True
        if self._remember is None and self._may_ascend(names):
            joined = texts or Texts(names)
            is_ascending = self._ascend(names, joined)
        else:
            is_ascending = False
        if is_ascending:
            if joined.is_separable:
                self._packed.append((joined.joined, sources, times))
            else:
                self._young.update(_keyed(names, sources, times))
            return True
        if self._remember is not None:
            return self._are_new_by_now(_keyed(names, sources, times), len(names), self._remember)
        self._unpack()
        new = _keyed(names, sources, times)
        if len(new) < len(names) or not self._young.keys().isdisjoint(new):
            return False
        self._last = max(self._last, max((len(name), name) for name in names))
        self._young.update(new)
        return True

    def _are_new_by_now(self, new: dict[tuple[str, str], int], count: int, remember: int) -> bool:
        """The same where names are forgotten: whether one came too long ago is asked of each by itself, elsewhere."""
        known = (self._young, self._old)
        if len(new) < count or any(not names.keys().isdisjoint(new) for names in known):
            return False
        self._move_on(max(new.values()), remember)
        self._young.update(new)
        return True

    def are_ascending(self, first: str, last: str, wholes: bytes, sources: list[str] | None, times: bytes) -> bool:
        """As `are_new`, for whole numbers that are known to ascend, 64 bits each."""
        if self._remember is not None or self._last >= (len(first), first):
            return False
        self._last = (len(last), last)
        self._packed.append((wholes, sources, times))
        return True

    def _may_ascend(self, names: list[str]) -> bool:
        return self._last < (len(names[0]), names[0])

    def _ascend(self, names: list[str], texts: Texts) -> bool:
        """Whether the names ascend, shorter ones first, from what came before: as running numbers do, and timestamps.

        What ascends has nothing twice, whatever the sources are.
        """
        if texts.width is not None:
            is_ascending = texts.ascend(names)
        else:
            keys = list(zip(map(len, names), names, strict=True))
            is_ascending = all(map(lt, keys, islice(keys, 1, None)))
        if is_ascending:
            self._last = (len(names[-1]), names[-1])
        return is_ascending

    def _unpack(self) -> None:
        """Takes up one by one what was kept together."""
        for packed, sources, times in self._packed:
            if isinstance(packed, str):
                names = packed.split(SEPARATOR)
            else:
                names = [str(each) for each in memoryview(packed).cast("q")]
            self._young.update(_keyed(names, sources, times))
        self._packed.clear()

    def _move_on(self, end: int, remember: int) -> int:
        """The latest event time so far; turns the generations over where the old one is out of reach."""
        if self._latest is None:
            self._latest = self._begun = self._coming = end
        if self._is_held:
            self._coming = end if self._coming is None else max(self._coming, end)
            return self._latest
        if end > self._latest:
            self._latest = end
            if end - self._begun > remember:
                self._old, self._young, self._begun = self._young, {}, end
        return self._latest


def _keyed(names: list[str], sources: list[str] | None, times: bytes) -> dict[tuple[str, str], int]:
    keys = zip([""] * len(names) if sources is None else sources, names, strict=True)
    return dict(zip(keys, memoryview(times).cast("q"), strict=True))
