"""What was expected against what was detected: which belong together, what is missing, and what differs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tocsin.events import Detection
from tocsin.formats import TimeStyle
from tocsin.formats.writers import timely, to_json
from tocsin.testing.cases import Expected, Wanted

TIMES = ("start", "time", "detected")
NEARLY = 1e-6


@dataclass(frozen=True)
class Different:
    """A detection that is nearly what was expected: the fields in which it is not."""

    wanted: Wanted
    found: Detection
    fields: tuple[str, ...]


@dataclass(frozen=True)
class Miscount:
    """A rule (None: all of them) that fired more or less often than was expected."""

    rule: str | None
    wanted: int
    found: int


@dataclass(frozen=True)
class Comparison:
    """All that is to be said about the detections of a case."""

    as_expected: tuple[Detection, ...] = ()
    different: tuple[Different, ...] = ()
    missing: tuple[Wanted, ...] = ()
    unexpected: tuple[Detection, ...] = ()
    miscounts: tuple[Miscount, ...] = ()

    @property
    def is_good(self) -> bool:
        """Whether everything is as expected."""
        return not (self.different or self.missing or self.unexpected or self.miscounts)


def compared(expected: Expected, found: Sequence[Detection], style: TimeStyle) -> Comparison:
    """The detections of a case against what it expects."""
    counts = Counter(one.rule for one in found)
    if None in expected.counts:
        wanted = expected.counts[None]
        wrong = () if wanted == len(found) else (Miscount(None, wanted, len(found)),)
        return Comparison(tuple(found), miscounts=wrong)
    miscounts = tuple(
        Miscount(rule, number, counts[rule])
        for rule, number in expected.counts.items()
        if rule is not None and counts[rule] != number
    )
    left = [one for one in found if one.rule not in expected.counts]
    pairs = _matched(expected.wanted, left, style)
    missing = [wanted for place, wanted in enumerate(expected.wanted) if place not in pairs]
    unexpected = [one for place, one in enumerate(left) if place not in pairs.values()]
    different = _nearest(missing, unexpected, style)
    good = [one for place, one in enumerate(left) if place in pairs.values()]
    counted = [one for one in found if one.rule in expected.counts]
    return Comparison(tuple(good + counted), tuple(different), tuple(missing), tuple(unexpected), miscounts)


def differing(wanted: Wanted, one: Detection, style: TimeStyle) -> tuple[str, ...]:
    """The fields in which a detection is not what is wanted; of its data, `data.NAME`."""
    found: list[str] = []
    for name, value in wanted.fields.items():
        actual = field_of(one, name, style)
        if name in ("data", "stamp") and isinstance(value, Mapping) and isinstance(actual, Mapping):
            found += [
                f"{name}.{key}" for key, each in value.items() if key not in actual or not _equal(each, actual[key])
            ]
        elif not _equal(value, actual):
            found.append(name)
    return tuple(found)


def field_of(one: Detection, name: str, style: TimeStyle) -> object:
    """A field of a detection as it is compared; `data.NAME` is an attribute."""
    if name == "data":
        return timely(one.data, style)
    head, _, key = name.partition(".")
    if key:
        inside = field_of(one, head, style)
        return inside.get(key) if isinstance(inside, Mapping) else None
    return getattr(one, f"{name}_us" if name in TIMES else name)


def wanted_field(wanted: Wanted, name: str) -> object:
    """The same of what is wanted."""
    head, _, key = name.partition(".")
    value = wanted.fields.get(head)
    return value.get(key) if key and isinstance(value, Mapping) else value


def told(one: Detection, style: TimeStyle) -> str:
    """All of a detection that may not depend on when its events arrived."""
    parts = (one.rule, one.type, one.start_us, one.time_us, one.events, one.notification)
    return json.dumps(parts) + to_json(timely(one.data, style))


def _equal(wanted: object, found: object) -> bool:
    if isinstance(wanted, bool) or isinstance(found, bool):
        return wanted is found
    if isinstance(wanted, int | float) and isinstance(found, int | float):
        if isinstance(wanted, int) and isinstance(found, int):
            return wanted == found
        return abs(wanted - found) <= NEARLY * max(1.0, abs(wanted))
    if isinstance(wanted, list | tuple) and isinstance(found, list | tuple):
        return len(wanted) == len(found) and all(map(_equal, wanted, found))
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        return wanted.keys() == found.keys() and all(_equal(wanted[key], found[key]) for key in wanted)
    return wanted == found


def _matched(wanted: Sequence[Wanted], found: Sequence[Detection], style: TimeStyle) -> dict[int, int]:
    """As many pairs as there can be, by place: what says little must not take what another needs."""
    fits = [[place for place, one in enumerate(found) if not differing(each, one, style)] for each in wanted]
    taken: dict[int, int] = {}

    def find(each: int, tried: set[int]) -> bool:
        for place in fits[each]:
            if place not in tried:
                tried.add(place)
                if place not in taken or find(taken[place], tried):
                    taken[place] = each
                    return True
        return False

    # Those that fit few first, so that most find theirs without asking others to move.
    for each in sorted(range(len(wanted)), key=lambda each: len(fits[each])):
        find(each, set())
    return {each: place for place, each in taken.items()}


def _nearest(missing: list[Wanted], unexpected: list[Detection], style: TimeStyle) -> list[Different]:
    """Pairs that are nearly equal, the nearest first; they are taken out of both lists."""
    scored = []
    for wanted in missing:
        for one in unexpected:
            wrong = differing(wanted, one, style)
            right = sum(
                name not in wrong and not any(each.startswith(f"{name}.") for each in wrong) for name in wanted.fields
            )
            shared = len(set(one.events) & set(wanted.events))
            if (wanted.rule in (None, one.rule)) and (right - (wanted.rule is not None) > 0 or shared):
                scored.append((-right - shared, len(wrong), Different(wanted, one, wrong)))
    made: list[Different] = []
    for _, _, each in sorted(scored, key=lambda score: score[:2]):
        if any(wanted is each.wanted for wanted in missing) and any(one is each.found for one in unexpected):
            made.append(each)
            missing[:] = [wanted for wanted in missing if wanted is not each.wanted]
            unexpected[:] = [one for one in unexpected if one is not each.found]
    return made
