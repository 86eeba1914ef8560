"""What one event completed: known at once, and made into detections when someone looks.

To make a detection (its id, its attributes) costs many times what it costs to find it, and who pushes events one by
one mostly wants to know first whether there is anything at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias, overload

from tocsin.algebra.firings import detection_of
from tocsin.algebra.occurrence import Occurrence, chronology
from tocsin.algebra.patterns import Pattern
from tocsin.algebra.rules import Rule
from tocsin.engine.network.assembly import assembled
from tocsin.engine.network.batch import Batch
from tocsin.events import Detection, Event

Held: TypeAlias = tuple[int, Batch | None, int, Event | None]
"""A register, and the batch and place of its event; or the event itself, where it was made."""
Match: TypeAlias = tuple[tuple[int, int, int], list[tuple[int, Rule]], Pattern, list[Held]]
"""Number and clocks of the moment it was found at, its rules with their places, its tree with its events."""


class Completed(Sequence[Detection]):
    """Detections in order. It holds on to their events, not to the engine."""

    __slots__ = ("_count", "_made", "_matches")

    def __init__(self, matches: list[Match]) -> None:
        self._matches = matches
        self._count = sum([len(match[1]) for match in matches])
        self._made: list[Detection] | None = None

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Detection: ...

    @overload
    def __getitem__(self, place: slice) -> list[Detection]: ...

    def __getitem__(self, place: int | slice) -> Detection | list[Detection]:
        if self._made is None:
            self._made = self._all()
            self._matches = []
        return self._made[place]

    def __add__(self, other: Iterable[Detection]) -> list[Detection]:
        return [*self, *other]

    def __radd__(self, other: Iterable[Detection]) -> list[Detection]:
        return [*other, *self]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Iterable) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # as for a list

    def __repr__(self) -> str:
        return repr(list(self))

    def _all(self) -> list[Detection]:
        found: list[tuple[int, int, tuple[object, ...], int, int, Rule, Occurrence]] = []
        for (moment, now, clock), rules, tree, held in self._matches:
            one = assembled(tree, {register: _event(batch, place, event) for register, batch, place, event in held})
            found += [(moment, place, chronology(one), now, clock, rule, one) for place, rule in rules]
        found.sort(key=lambda each: each[:3])
        return [detection_of(rule, one, now, clock) for _, _, _, now, clock, rule, one in found]


class Nothing(tuple[Detection, ...]):
    """No detections: what most events complete. A tuple, for whether it is empty is then told without a call."""

    __slots__ = ()

    def __add__(self, other: Iterable[Detection]) -> list[Detection]:  # type: ignore[override]  # as for a list
        return list(other)

    __radd__ = __add__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(other) == 0

    __hash__ = None  # type: ignore[assignment]  # as for a list

    def __repr__(self) -> str:
        return "[]"


def _event(batch: Batch | None, place: int, event: Event | None) -> Event:
    if event is None:
        assert batch is not None
        return batch.event(place)
    return event
