"""What is reported of a firing, the detection's fields worked out from the occurrence; and what it makes for others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from tocsin.algebra.attributes import found_in
from tocsin.algebra.guards import Guard, Reference
from tocsin.algebra.occurrence import TIMER, Bound, Occurrence, weak_order
from tocsin.algebra.patterns import Automaton
from tocsin.algebra.rules import Declaration, Rule
from tocsin.algebra.templates import pieces_of
from tocsin.algebra.values import MISSING, Surroundings, evaluate
from tocsin.events import SELF, Detection, Event, Moment, stable_id
from tocsin.time.gregorian import FIRST_INSTANT, LAST_INSTANT
from tocsin.time.instants import render_instant
from tocsin.time.spans import SECOND, Period, human_period
from tocsin.time.stamps import as_record


def detection_of(rule: Rule, one: Occurrence, now: int, clock: int) -> Detection:
    """A firing of a rule without actions: the occurrence itself, with the data that `select` asks for."""
    data = selected(rule, one, now) if rule.select else attributes(one)
    return reported(rule, one, 0, rule.name, data, now, clock)


def reported(
    rule: Rule, one: Occurrence, place: int, name: str, data: Mapping[str, object], now: int, clock: int
) -> Detection:
    """The occurrence under the name of the event that the rule notifies; `place` tells its actions apart."""
    return Detection(
        rule.name,
        name,
        one.start,
        one.end,
        clock,
        event_ids(one, in_weak_order=isinstance(rule.pattern, Automaton)),
        data,
        notification(rule, one, data, now),
        None if one.stamp is None else as_record(one.stamp),
        same_firing(rule, one, place, name),
        SELF if rule.actions else "",
        rule.severity,
        rule.tags,
        made_of=_primitives(one),
    )


def forwarded(rule: Rule, one: Occurrence, place: int, variable: str, clock: int) -> Iterator[Detection]:
    """One line for each primitive of a variable, as it came."""
    value = one.variables().get(variable, ())
    ones = (value,) if isinstance(value, Occurrence) else value
    for event in dict.fromkeys(event for each in ones for event in each.primitives):
        ids = tuple(primitive.id for primitive in event.primitives)
        identity = stable_id(same_firing(rule, one, place, event.type), event.source, event.id)
        source, data = event.source, event.data
        yield Detection(
            rule.name,
            event.type,
            event.start,
            event.end,
            clock,
            ids,
            data,
            id=identity,
            source=source,
            severity=rule.severity,
            tags=rule.tags,
            made_of=(event,),
        )


def event_ids(one: Occurrence, *, in_weak_order: bool = False) -> tuple[str, ...]:
    """The ids of the primitive events by time, then arrival; a made event stands for those it is made of.

    What an automaton found is listed in the total order of 001: by end, start, source, then arrival.
    """
    events = dict.fromkeys(primitive for event in one.primitives for primitive in event.primitives)
    if in_weak_order:
        return tuple(event.id for event in sorted(events, key=weak_order))
    return tuple(event.id for event in sorted(events, key=lambda event: event.place))


def same_firing(rule: Rule, one: Occurrence, place: int, name: str) -> str:
    """The id of a firing: from what was detected alone, so that it is the same in every runtime."""
    events = sorted((event.end, event.source, event.id) for event in one.primitives)
    times = sorted([event.end for event in one.events if event.type == TIMER] + [tick.due for tick in one.ticks])
    return stable_id(rule.name, name, place, one.start, one.end, events, times, _names(one))


def _names(one: Occurrence) -> list[tuple[str, object]]:
    def ids(value: Bound) -> object:
        ones = (value,) if isinstance(value, Occurrence) else value
        return sorted((e.source, e.id) for each in ones for e in each.primitives)

    return [(name, ids(value)) for name, value in one.bindings]


def attributes(one: Occurrence) -> dict[str, object]:
    """Every variable's attributes as `x.attr`; of a repeated variable, the list of its values."""
    data: dict[str, object] = {}
    for name, value in one.bindings:
        if not isinstance(value, Occurrence):
            keys = dict.fromkeys(key for each in value for event in each.primitives for key in event.data)
            for key in keys:
                data[f"{name}.{key}"] = [e.data[key] for each in value for e in each.primitives if key in e.data]
        elif len(value.primitives) == 1 and len(value.events) == 1:
            data.update({f"{name}.{key}": item for key, item in value.primitives[0].data.items()})
    return data


def selected(rule: Rule, one: Occurrence, now: int) -> dict[str, object]:
    """The data a rule's `select` asks for."""
    return {name: evaluated(guard, one, now) for name, guard in rule.select}


def evaluated(guard: Guard, one: Occurrence, now: int) -> object:
    """A value as it leaves in `data`: what is missing is null, an event is the ids of its primitives."""
    return _leaving(evaluate(guard, one.variables(), Surroundings(now)))


def _leaving(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_leaving(item) for item in value]
    if isinstance(value, Occurrence):
        return list(event_ids(value))
    return None if value is MISSING else value


def notification(rule: Rule, one: Occurrence, data: Mapping[str, object], now: int) -> str | None:
    """The rule's notification text with its holes filled."""
    if rule.notify is None:
        return None
    return "".join(piece if isinstance(piece, str) else _shown(piece, one, data, now) for piece in pieces_of(rule))


def _shown(guard: Guard, one: Occurrence, data: Mapping[str, object], now: int) -> str:
    if isinstance(guard, Reference) and guard.variable in data:
        return shown_text(data[guard.variable])
    return shown_text(evaluated(guard, one, now))


def shown_text(value: object) -> str:
    """A value as people read it."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case Moment(microseconds=instant) if FIRST_INSTANT <= instant <= LAST_INSTANT:
            return render_instant(instant)
        case Moment(microseconds=instant):
            return f"{instant / SECOND} seconds after 1970"
        case Period():
            return human_period(value)
        case list():
            return ", ".join(shown_text(item) for item in value)
    return str(value)


# -- what a firing makes for other rules -----------------------------------------------------------------------------


def declared_data(
    declared: Declaration | None, arguments: tuple[Guard, ...], one: Occurrence, now: int
) -> dict[str, object]:
    """The attributes of a new event: the values in the order in which its class declares them."""
    names = [attribute for attribute, _ in declared.attributes] if declared else []
    names += [str(place + 1) for place in range(len(names), len(arguments))]
    return {key: evaluated(value, one, now) for key, value in zip(names, arguments, strict=False)}


def triggered_by(rule: Rule, one: Occurrence, place: int, name: str, data: dict[str, object], now: int) -> Event:
    """A new primitive at the end of what fired; where events are listed it stands for its primitives."""
    identity = same_firing(rule, one, place, name)
    made = Event(name, one.end, one.end, identity, SELF, data, now, _primitives(one), rule.name)
    return replace(made, stamp=one.stamp)


def composite_of(rule: Rule, one: Occurrence, now: int, clock: int) -> Event:
    """A rule's firing as an event of the rule's name, for the rules that use it."""
    found = detection_of(rule, one, now, clock)
    data = {**partition_values(rule, one), **found.data} if rule.partition else found.data
    made = Event(rule.name, one.end, one.start, found.id, SELF, data, now, _primitives(one), rule.name)
    return replace(made, stamp=one.stamp, is_composite=True)


def partition_values(rule: Rule, one: Occurrence) -> dict[str, object]:
    """The attributes of the partition in which something was found: what a rule makes is in it, too."""
    first = one.events[0].data if one.events else {}
    return {attribute: found_in(first, attribute) for attribute in rule.partition}


def _primitives(one: Occurrence) -> tuple[Event, ...]:
    return tuple(primitive for event in one.primitives for primitive in event.primitives)
