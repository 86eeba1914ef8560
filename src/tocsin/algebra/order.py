"""In which order arrivals are evaluated: the detection policy, one module in front of everything (SEMANTICS section 4).

Arrivals, in order of arrival, become `Release`s: advance the clock to `now`, then take the event. Under best-effort
`now` is the arrival clock; under the others it is the time of the event being evaluated, so that results do not
depend on when things happened to arrive. `ordering` makes an order that takes one arrival after the other;
`released` gives it a whole log.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tocsin.algebra.ordering import Delayed, Ordering, Refused, Release, order_text
from tocsin.algebra.rules import Order, Typed
from tocsin.algebra.stability import Guaranteed, Probabilistic
from tocsin.errors import UsageError
from tocsin.events import Arrival

__all__ = ["Ordering", "Refused", "Release", "interleaved", "order_text", "ordering", "released"]


def ordering(order: Order, sources: Iterable[str] = ()) -> Ordering:
    """An order, ready for arrivals. `sources` are those that `guaranteed` waits for before they have reported."""
    match order.policy:
        case "best-effort":
            return Ordering(order)
        case "delay":
            assert order.delay is not None
            return Delayed(order, order.delay.length())
        case "guaranteed":
            return Guaranteed(order, sources, None if order.idle is None else order.idle.length())
        case "probabilistic":
            assert order.probability is not None
            return Probabilistic(order, order.probability)
    raise UsageError(f"there is no order '{order.policy}'")


def released(log: Iterable[Arrival], order: Order) -> Iterator[Release | Refused]:
    """The log as the policy evaluates it. Its sources are known beforehand, and its end makes every event stable."""
    if order.policy == "guaranteed":
        log = list(log)
        return _driven(log, ordering(order, [arrival.source for arrival in log]))
    return _driven(log, ordering(order))


def _driven(log: Iterable[Arrival], one: Ordering) -> Iterator[Release | Refused]:
    for arrival in log:
        yield from one.offer(arrival)
    yield from one.close()


def interleaved(log: Iterable[Arrival | Typed], order: Order) -> Iterator[Release | Refused | Typed]:
    """The same of a log with what was typed between its arrivals. That is not held back."""
    if order.policy == "guaranteed":
        log = list(log)
        one = ordering(order, [each.source for each in log if not isinstance(each, Typed)])
    else:
        one = ordering(order)
    for each in log:
        if not isinstance(each, Typed):
            yield from one.offer(each)
            continue
        if each.arrival is not None:
            yield from one.advance(each.arrival)
        yield each
    yield from one.close()
