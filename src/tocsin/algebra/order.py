"""In which order arrivals are evaluated: the detection policy, one module in front of everything (SEMANTICS section 4).

Arrivals, in order of arrival, become `Release`s: advance the clock to `now`, then take the event. Under best-effort
`now` is the arrival clock; under the others it is the time of the event being evaluated, so that results do not
depend on when things happened to arrive. `arrival_queue` makes an order that takes one arrival after the other;
`released` gives it a whole log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from tocsin.algebra.arrival_queue import Delayed, Ordering, OutOfOrder, Release, instants, is_in_place, order_text
from tocsin.algebra.patterns import AnyEvent, Atom, Primitive, walk
from tocsin.algebra.rules import Define, Order, Program, Remove, Rule, Stop, Typed
from tocsin.algebra.stability import Guaranteed, Probabilistic
from tocsin.errors import UsageError
from tocsin.events import Arrival

__all__ = [
    "Ordering",
    "OutOfOrder",
    "Release",
    "heard_sources",
    "instants",
    "interleaved",
    "is_in_place",
    "order_text",
    "ordering",
    "released",
]


def heard_sources(program: Program) -> frozenset[str] | None:
    """The sources that the rules of a program can hear; None where one of them takes events from anywhere.

    Those that the program itself removes hear nothing.
    """
    found: set[str] = set()
    for rule in _left(program):
        for part in walk(rule.pattern):
            if isinstance(part, Primitive) and part.site is not None:
                found.add(part.site)
            elif isinstance(part, Primitive | AnyEvent | Atom):
                return None
    return frozenset(found) if found else None


def _left(program: Program) -> Iterable[Rule]:
    """The rules that are defined when a program's statements have been gone through."""
    rules: dict[str, Rule] = {}
    for statement in program.statements:
        match statement:
            case Define(rule=rule):
                rules[rule.name] = rule
            case Remove(name=name, rule=True):
                rules.pop(name, None)
            case Stop():
                break
    return rules.values()


def ordering(order: Order, sources: Iterable[str] = (), heard: frozenset[str] | None = None) -> Ordering:
    """An order, ready for arrivals. `sources` are those that `guaranteed` waits for before they have reported.

    Of these, and of others once they have reported, it waits for those that are `heard`, if that is known.
    """
    match order.policy:
        case "best-effort":
            return Ordering(order)
        case "delay":
            assert order.delay is not None
            return Delayed(order, order.delay.length())
        case "guaranteed":
            return Guaranteed(order, sources, None if order.idle is None else order.idle.length(), heard)
        case "probabilistic":
            assert order.probability is not None
            return Probabilistic(order, order.probability)
    raise UsageError(f"there is no order '{order.policy}'")


def released(
    log: Iterable[Arrival], order: Order, heard: frozenset[str] | None = None
) -> Iterator[Release | OutOfOrder]:
    """The log as the policy evaluates it. Its sources are known beforehand, and its end makes every event stable."""
    if order.policy == "guaranteed":
        log = list(log)
        return _driven(log, ordering(order, [arrival.source for arrival in log], heard))
    return _driven(log, ordering(order))


def _driven(log: Iterable[Arrival], one: Ordering) -> Iterator[Release | OutOfOrder]:
    for arrival in log:
        yield from one.offer(arrival)
    yield from one.close()


def interleaved(
    log: Iterable[Arrival | Typed], order: Order, heard: Callable[[], frozenset[str] | None]
) -> Iterator[list[Release | OutOfOrder] | Typed]:
    """The same of a log with what was typed between its arrivals, which is not held back.

    What is let go at once comes together. `heard` tells which sources the rules can hear just now: what is typed may
    change the rules, and is carried out when it has been given away.
    """
    if order.policy == "guaranteed":
        log = list(log)
        one = ordering(order, [each.source for each in log if not isinstance(each, Typed)], heard())
    else:
        one = ordering(order)
    for each in log:
        if not isinstance(each, Typed):
            yield one.offer(each)
            continue
        if each.arrival is not None:
            yield one.advance(each.arrival)
        yield each
        one.listen(heard())
    yield one.close()
