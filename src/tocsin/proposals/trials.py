"""Proposals run over the events, and ranked: those that find all examples and nothing that does not belong together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final

from tocsin.algebra.rules import Rule
from tocsin.errors import Source, UsageError
from tocsin.events import Event
from tocsin.languages import pretty
from tocsin.proposals.shapes import COUNTED, Shape, rounded
from tocsin.proposals.traits import (
    MOST_PLACES,
    Group,
    absences,
    conditions,
    equal_attributes,
    placed,
    skeletons,
    span_of,
    span_said,
)
from tocsin.rules.programs import rules_program
from tocsin.runtime import Options
from tocsin.session import Session
from tocsin.time.calendar import render_instant

MOST_TRIED: Final = 24
MOST_EVENTS: Final = 20_000
"""Events that proposals are run over: the last ones."""
MOST_FOUND: Final = 20_000
"""Detections of one proposal that are counted."""
MOST_SHOWN: Final = 10
LOOKED_AT: Final = (
    "looked at: types, their order, the time they take, equal attributes, values, thresholds, "
    "and what does not come between the last two"
)


@dataclass(frozen=True)
class Examples:
    """Groups of events that belong together, and groups that do not."""

    together: Sequence[Group]
    apart: Sequence[Group] = ()


@dataclass(frozen=True)
class Proposal:
    """A rule that the examples suggest, why, and what it would have fired on."""

    expression: str
    because: tuple[str, ...]
    found: int
    """How many of the groups that belong together it finds ..."""
    wrong: int
    """... and how many of those that do not."""
    detections: int
    is_cut: bool = False
    """Whether it finds more than were counted."""
    times: tuple[str, ...] = ()
    """When it would have fired first."""
    refinements: int = field(default=0, repr=False)
    made_of: frozenset[tuple[str, ...]] = field(default=frozenset(), repr=False, compare=False)

    def record(self) -> dict[str, object]:
        """As plain values."""
        told = {"expression": self.expression, "because": list(self.because), "found": self.found, "wrong": self.wrong}
        return {**told, "detections": self.detections, "is_cut": self.is_cut, "times": list(self.times)}


@dataclass(frozen=True)
class Proposals:
    """Rules that examples suggest, the best first; which others were tried; and what was not looked at."""

    ranked: tuple[Proposal, ...]
    tried: int
    events: int
    together: int
    apart: int
    remarks: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Proposal]:
        return iter(self.ranked)

    def __len__(self) -> int:
        return len(self.ranked)

    def __getitem__(self, place: int) -> Proposal:
        return self.ranked[place]

    def __str__(self) -> str:
        lines = [f"{self.tried} rules tried on {self.events} events"]
        for each in self.ranked:
            wrong = f", {each.wrong} of {self.apart} that do not" if self.apart else ""
            more = "more than " if each.is_cut else ""
            lines.append(f"  {each.expression}")
            lines.append(f"    finds {each.found} of {self.together} that belong together{wrong}")
            lines.append(f"    would have fired {more}{each.detections} times")
            lines += [f"    {why}" for why in each.because]
        return "\n".join([*lines, *self.remarks])

    def record(self) -> dict[str, object]:
        """As plain values."""
        told = {"tried": self.tried, "events": self.events, "together": self.together, "apart": self.apart}
        return {"proposals": [each.record() for each in self.ranked], **told, "remarks": list(self.remarks)}


def propose(history: Sequence[Event], examples: Examples) -> Proposals:
    """Rules that find what belongs together, tried on the history, the best first."""
    _check(examples)
    remarks = [LOOKED_AT]
    events = list(history[-MOST_EVENTS:])
    if len(events) < len(history):
        remarks.append(f"only the last {MOST_EVENTS} of {len(history)} events were looked at")
    shapes = list(dict.fromkeys(_shapes(examples, events)))
    if not shapes:
        remarks.append("the examples have no types in common")
    if len(shapes) > MOST_TRIED:
        remarks.append(f"{len(shapes) - MOST_TRIED} more rules could have been tried")
    found = [_tried(shape, events, examples) for shape in shapes[:MOST_TRIED]]
    found.sort(key=lambda each: (len(examples.together) - each.found + each.wrong, each.refinements, each.detections))
    ranked: list[Proposal] = []
    for each in found:  # of rules that find the same, the simplest is told
        if each.found and not any(each.made_of == other.made_of for other in ranked):
            ranked.append(each)
    if shapes and not ranked:
        remarks.append("none of the rules finds an example")
    tried = min(len(shapes), MOST_TRIED)
    return Proposals(tuple(ranked), tried, len(events), len(examples.together), len(examples.apart), tuple(remarks))


def _check(examples: Examples) -> None:
    if not examples.together:
        raise UsageError("mark some events that belong together first")
    for group in (*examples.together, *examples.apart):
        if not group:
            raise UsageError("an example has no events")
        if len(group) > MOST_PLACES:
            raise UsageError(f"an example has {len(group)} events: {MOST_PLACES} at most")


def _shapes(examples: Examples, history: Sequence[Event]) -> Iterator[Shape]:
    """Rules made of what the examples show, the simplest first."""
    for skeleton, what in skeletons(examples.together):
        mine = [each for group in examples.together if (each := placed(skeleton, group)) is not None]
        wrong = [each for group in examples.apart if (each := placed(skeleton, group)) is not None]
        length = span_of(mine)
        base = Shape(skeleton, rounded(length), because=(what, span_said(length)))
        equal = equal_attributes(mine, history)
        bases = [base]
        if equal:
            said = f"{' and '.join(equal)} {'are' if len(equal) > 1 else 'is'} the same within each of them"
            bases.insert(0, replace(base, equal=equal, because=(*base.because, said)))
            if len(equal) > 1:
                bases += [replace(base, equal=(each,), because=(*base.because, said)) for each in equal]
        yield from bases
        if skeleton.form == COUNTED:
            continue
        for simple in bases[:2]:
            more = [
                *(("conditions", test, why) for test, why in conditions(skeleton, mine, wrong, history)),
                *(("absent", type, why) for type, why in absences(skeleton, mine, wrong, history, simple.equal)),
            ]
            yield from (_refined(simple, [one]) for one in more)
            yield from (_refined(simple, list(two)) for two in combinations(more, 2))


def _refined(shape: Shape, more: Sequence[tuple[str, str, str]]) -> Shape:
    for key, what, why in more:
        before: tuple[str, ...] = getattr(shape, key)
        shape = replace(shape, **{key: (*before, what)}, because=(*shape.because, why))  # type: ignore[arg-type]
    return shape


def _tried(shape: Shape, history: Sequence[Event], examples: Examples) -> Proposal:
    """A rule run over the events: which examples it finds, and what else."""
    rule = _rule(shape.text)
    types = {*shape.skeleton.types, *shape.absent}
    some = [event for event in history if event.type in types]
    detections = Session(rules_program([rule]), Options()).detections(some)
    made: list[tuple[str, ...]] = []
    times: list[str] = []
    is_cut = False
    for one in detections:
        if len(made) == MOST_FOUND:
            is_cut = True
            break
        made.append(one.events)
        if len(times) < MOST_SHOWN:
            times.append(render_instant(one.time_us))
    found = sum(_is_found(group, made) for group in examples.together)
    wrong = sum(_is_found(group, made) for group in examples.apart)
    return Proposal(
        shape.text,
        shape.because,
        found,
        wrong,
        len(made),
        is_cut,
        tuple(times),
        shape.refinements,
        frozenset(made),
    )


def _is_found(group: Group, made: Sequence[tuple[str, ...]]) -> bool:
    """Whether something is made of events of a group alone."""
    ids = {event.id for event in group}
    return any(ids.issuperset(events) for events in made)


def _rule(text: str) -> Rule:
    """The rule that a text is. It says itself how long it looks back: nothing is too old because it came late."""
    pattern, suppress = pretty.parse_rule(Source(text))
    return Rule("proposed", pattern, language="pretty", suppress=suppress)
