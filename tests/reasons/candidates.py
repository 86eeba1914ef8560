"""Every candidate of a rule by brute force, and rules with some of their constraints mended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from tocsin.algebra.ends import NOTHING
from tocsin.algebra.guards import Binary, Guard, conjuncts
from tocsin.algebra.patterns import (
    Absence,
    Between,
    Both,
    Never,
    Pattern,
    Sequence,
    Where,
    Within,
    children,
    rebuild,
)
from tocsin.algebra.rules import Context, Rule
from tocsin.events import Event
from tocsin.reasons.choices import Choice
from tocsin.reasons.constraints import CONDITION
from tocsin.reasons.judgements import RULE, Judge
from tocsin.reasons.records import ABSENCE, CONSUMPTION, GUARD, ORDER, WINDOW, Verdict
from tocsin.time.spans import Period

MOST = 1_500
YEARS = Period.of(microseconds=10**15)


def candidates(judge: Judge, most: int = MOST) -> Iterator[tuple[Choice, tuple[Event | None, ...]]]:
    """Every candidate, with nothing in the places for which there is no event; none at all where there are too many."""
    for choice in judge.choices:
        options = [[entry.event for entry in some] or [None] for some in judge.options(choice)]
        count = 1
        for some in options:
            count *= len(some)
        if count > most:
            continue
        for events in product(*options):
            if _are_apart(choice, events):
                yield choice, events


def _are_apart(choice: Choice, events: tuple[Event | None, ...]) -> bool:
    """A counted repetition takes different events; their order says nothing, so one is enough."""
    groups: dict[int, list[int]] = {}
    for place, event in zip(choice.places, events, strict=True):
        if place.group >= 0 and event is not None:
            groups.setdefault(place.group, []).append(event.number)
    return all(numbers == sorted(set(numbers)) for numbers in groups.values()) and _are_in_turn(choice, events)


def _are_in_turn(choice: Choice, events: tuple[Event | None, ...]) -> bool:
    """The rounds of a run take different events, one after the other."""
    for place, event in enumerate(events):
        for other, is_earlier in choice.rivals(place):
            there = events[other]
            if event is not None and there is not None and is_earlier and there.place >= event.place:
                return False
    return True


# -- mending -----------------------------------------------------------------------------------------------------------


def mended(rule: Rule, failed: list[Verdict]) -> Rule | None:
    """The rule without the constraints that failed; None where that cannot be written as a rule."""
    for verdict in failed:
        if verdict.kind == CONSUMPTION:
            rule = replace(rule, context=Context.UNRESTRICTED)
        elif verdict.path == RULE and verdict.kind == WINDOW:
            rule = replace(rule, window=None)
        elif verdict.path == CONDITION:
            rule = replace(rule, condition=_without(rule.condition, [verdict.part]))
    inside = [verdict for verdict in failed if verdict.path not in (RULE, CONDITION)]
    # From the inside out, and all that is written at one place at once: the ways to the others stay as they are.
    for path in sorted({verdict.path for verdict in inside}, key=len, reverse=True):
        here = [verdict for verdict in inside if verdict.path == path]
        changed = _changed(rule.pattern, path, here)
        if changed is None:
            return None
        rule = replace(rule, pattern=changed)
    return rule


def _changed(pattern: Pattern, path: tuple[int, ...], failed: list[Verdict]) -> Pattern | None:
    if not path:
        return _mended(pattern, failed)
    wanted, found = children(pattern)[path[0]], _changed(children(pattern)[path[0]], path[1:], failed)
    place = [path[0]]

    def change(part: Pattern) -> Pattern:
        place[0] -= 1
        return found if place[0] == -1 and part is wanted and found is not None else part

    return None if found is None else rebuild(pattern, change)


def _mended(pattern: Pattern, failed: list[Verdict]) -> Pattern | None:
    kinds = {verdict.kind for verdict in failed}
    match pattern:
        case Where(guard=guard) if kinds == {GUARD}:
            left = _without(guard, [verdict.part for verdict in failed])
            return pattern.pattern if left is None else replace(pattern, guard=left)
        case Sequence(parts=parts) if kinds == {ORDER}:
            groups: list[list[Pattern]] = [[parts[0]]]
            for number, part in enumerate(parts[1:]):
                if any(verdict.part == number for verdict in failed):
                    groups.append([])
                groups[-1].append(part)
            each = [group[0] if len(group) == 1 else replace(pattern, parts=tuple(group)) for group in groups]
            return Both(tuple(each))
        case Within() if kinds == {WINDOW}:
            return replace(pattern, period=YEARS)
        case Between() if kinds == {WINDOW}:
            return replace(pattern, start=-(10**17), stop=10**17)
        case Never() if kinds == {ABSENCE}:
            return Never(NOTHING)
        case Absence(guard=None) if kinds == {ABSENCE}:
            return Sequence((pattern.first, pattern.last), pattern.order)
        case Absence(guard=None) if kinds == {ABSENCE, ORDER}:
            return Both((pattern.first, pattern.last))
    return None


def _without(guard: Guard | None, numbers: list[int]) -> Guard | None:
    assert guard is not None
    left = [part for number, part in enumerate(conjuncts(guard)) if number not in numbers]
    whole: Guard | None = None
    for part in left:
        whole = part if whole is None else Binary("&&", whole, part)
    return whole
