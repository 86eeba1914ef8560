"""What examples have in common, and what tells them from those that do not belong together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from tocsin.events import Event
from tocsin.proposals.shapes import COUNTED, ORDERED, TOGETHER, Skeleton, is_plain, quoted
from tocsin.time.spans import human_period, parse_period

Group = Sequence[Event]
RARE: Final = 0.2
"""A value or a threshold is worth a condition if at most so large a part of the other events of the type meet it."""
MOST_PLACES: Final = 12
"""Events of an example that a rule takes, at most."""


@dataclass(frozen=True)
class Placed:
    """An example with its events in the places of a skeleton."""

    events: tuple[Event, ...]


def skeletons(groups: Sequence[Group]) -> Iterator[tuple[Skeleton, str]]:
    """The skeletons that fit all examples, each with what it says of them; the closest first."""
    types = [[event.type for event in in_order(group)] for group in groups]
    touches = any(left.end >= right.start for group in groups for left, right in _pairs(in_order(group)))
    kinds = {type for some in types for type in some}
    if len(kinds) == 1 and max(map(len, types)) > 1:
        least = min(map(len, types))
        yield Skeleton(COUNTED, (types[0][0],) * least), f"each has {least} or more events of type {types[0][0]}"
        return
    common = types[0]
    for some in types[1:]:
        common = _common(common, some)
    is_whole = all(some == common for some in types)
    if common and (len(common) > 1 or is_whole):
        what = "all have the same types in the same order" if is_whole else "these types come in this order in all"
        yield Skeleton(ORDERED, tuple(common), touches), what
    shared = Counter(types[0])
    for some in types[1:]:
        shared &= Counter(some)
    if not is_whole and len(shared) > 1 and shared.total() > len(common):
        yield Skeleton(TOGETHER, tuple(sorted(shared.elements()))), "all have these types, in different orders"


def placed(skeleton: Skeleton, group: Group) -> Placed | None:
    """The events of a group in the places of a skeleton; None where it does not fit."""
    ahead = in_order(group)
    if skeleton.form == COUNTED:
        mine = tuple(event for event in ahead if event.type == skeleton.types[0])
        return Placed(mine) if len(mine) >= len(skeleton.types) else None
    found: list[Event] = []
    for type in skeleton.types:
        place = next((place for place, event in enumerate(ahead) if event.type == type), None)
        if place is None:
            return None
        found.append(ahead[place])
        ahead = ahead[place + 1 :] if skeleton.form == ORDERED else ahead[:place] + ahead[place + 1 :]
    return Placed(tuple(found))


def equal_attributes(examples: Iterable[Placed], history: Iterable[Event]) -> tuple[str, ...]:
    """The attributes that are equal within each example, and not the same for everybody."""
    common: set[str] | None = None
    for example in examples:
        if len(example.events) < 2:
            return ()
        first = example.events[0].data
        equal = {
            name
            for name, value in first.items()
            if is_plain(name) and all(name in each.data and each.data[name] == value for each in example.events)
        }
        common = equal if common is None else common & equal
    values: dict[str, set[str]] = {name: set() for name in common or ()}
    for event in history:
        for name in values:
            if name in event.data:
                values[name].add(repr(event.data[name]))
    return tuple(sorted(name for name, some in values.items() if len(some) > 1))


def conditions(
    skeleton: Skeleton, examples: Sequence[Placed], wrong: Sequence[Placed], history: Sequence[Event]
) -> Iterator[tuple[str, str]]:
    """Conditions on one event that all examples meet and few others do, each with what it says of them."""
    if skeleton.form == COUNTED:
        return
    mine = {id(event) for example in examples for event in example.events}
    for place, (type, name) in enumerate(zip(skeleton.types, skeleton.names, strict=True)):
        rest = [event for event in history if event.type == type and id(event) not in mine]
        against = [example.events[place] for example in wrong]
        here = [example.events[place] for example in examples]
        for attribute in sorted(here[0].data):
            if not is_plain(attribute) or not all(attribute in event.data for event in here):
                continue
            values = [event.data[attribute] for event in here]
            others = [event.data[attribute] for event in rest if attribute in event.data]
            told = [event.data[attribute] for event in against if attribute in event.data]
            yield from _tests(f"{name}.{attribute}", values, others, told)


def _tests(what: str, values: list[object], others: list[object], wrong: list[object]) -> Iterator[tuple[str, str]]:
    if all(isinstance(each, int | float) and not isinstance(each, bool) for each in values):
        yield from _thresholds(what, values, others, wrong)  # type: ignore[arg-type]
        return
    value = values[0]
    if not isinstance(value, str | bool) or any(each != value for each in values):
        return
    if _tells_apart(lambda each: each == value, others, wrong):
        text = quoted(value) if isinstance(value, str) else str(value).lower()
        yield f"{what} == {text}", f"{what} is {value} in all of them, and rarely otherwise"


def _thresholds(what: str, values: list[float], others: list[object], wrong: list[object]) -> Iterator[tuple[str, str]]:
    low, high = min(values), max(values)
    numbers = [each for each in (*others, *wrong) if isinstance(each, int | float) and not isinstance(each, bool)]
    against = [each for each in wrong if isinstance(each, int | float) and not isinstance(each, bool)]
    seen = f"{what} is from {low} to {high} in them" if low != high else f"{what} is {low} in them"
    if numbers and _tells_apart(lambda each: each >= low, numbers, against):
        yield f"{what} >= {low}", f"{seen}, and rarely as much otherwise"
    if numbers and _tells_apart(lambda each: each <= high, numbers, against):
        yield f"{what} <= {high}", f"{seen}, and rarely as little otherwise"


def _tells_apart(meets, others: Sequence[object], wrong: Sequence[object]) -> bool:  # type: ignore[no-untyped-def]
    """Whether a condition keeps an example out that does not belong together, or most other events."""
    if wrong and not all(map(meets, wrong)):
        return True
    return not wrong and len(others) > 0 and sum(map(meets, others)) <= RARE * len(others)


def absences(
    skeleton: Skeleton, examples: Sequence[Placed], wrong: Sequence[Placed], history: Sequence[Event], by: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Types that come between the last two events of what does not belong together, and never of the examples."""
    if skeleton.form != ORDERED or len(skeleton.types) < 2:
        return
    here = [_between(example, history, by) for example in examples]
    for type in sorted({type for example in wrong for type in _between(example, history, by)}):
        if not any(type in some for some in here) and type not in skeleton.types:
            yield type, f"{type} comes between the last two only where they do not belong together"


def _between(example: Placed, history: Sequence[Event], by: Sequence[str]) -> set[str]:
    before, last = example.events[-2:]
    return {
        event.type
        for event in history
        if before.end < event.start
        and event.end < last.start
        and all(name not in event.data or event.data[name] == last.data.get(name) for name in by)
    }


def span_of(examples: Iterable[Placed]) -> int:
    """How long the longest example takes."""
    return max(max(event.end for event in each.events) - min(event.start for event in each.events) for each in examples)


def span_said(length: int) -> str:
    """What is said of a length of time."""
    return f"none takes longer than {human_period(parse_period(f'{length / 1e6:.6f} s'))}"


def in_order(group: Iterable[Event]) -> list[Event]:
    """Events in the order in which they happened."""
    return sorted(group, key=lambda event: (event.end, event.start, event.number))


def _pairs(events: Sequence[Event]) -> Iterator[tuple[Event, Event]]:
    return pairwise(events)


def _common(left: list[str], right: list[str]) -> list[str]:
    """The longest row of types that both have in this order, not necessarily one right after the other."""
    best: list[list[list[str]]] = [[[] for _ in range(len(right) + 1)] for _ in range(len(left) + 1)]
    for i, one in enumerate(left):
        for j, other in enumerate(right):
            longer = best[i][j] + [one] if one == other else max(best[i][j + 1], best[i + 1][j], key=len)
            best[i + 1][j + 1] = longer
    return best[-1][-1]
