"""What a pattern means, in words: a phrase for every shape, the same whichever notation it was written in.

>>> from tocsin.languages import parse
>>> meaning(parse("x:down -> !(y:up if y.link == x.link) in 2 minutes", "sel"))
'(down (x), and after it is over no (up (y) where y.link == x.link)), all of it within 2m'
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tocsin.algebra.guards import Guard
from tocsin.algebra.patterns import (
    Absence,
    Accumulate,
    After,
    Aggregate,
    Alternation,
    AnyEvent,
    At,
    AtInstant,
    Atom,
    Automaton,
    Between,
    Both,
    By,
    Complement,
    Concatenation,
    Concurrent,
    Described,
    Either,
    EventSet,
    Every,
    Everything,
    Instant,
    Intersection,
    Iteration,
    Named,
    Never,
    Parallel,
    Partitioned,
    Pattern,
    Precedence,
    Primitive,
    Repeat,
    Run,
    Sequence,
    Streak,
    Times,
    Timing,
    Union,
    Where,
    Widened,
    Within,
)
from tocsin.algebra.rules import shown_name
from tocsin.errors import RuleError
from tocsin.languages.guard_text import render_guard
from tocsin.time.calendar import render_time_point
from tocsin.time.instants import render_instant
from tocsin.time.spans import Period, human_period

FOLLOWED: Final = {
    Precedence.ENDS: "and then, ending later,",
    Precedence.GAP: "and after it is over",
    Precedence.GLOBAL: "and surely after it",
    Precedence.WEAK: "and then, or at the same instant,",
}
"""How each kind of "followed by" is said between two parts."""

RUNS: Final = {
    Run.EVERY: "begins anew with every event",
    Run.AGAIN: "begins anew when it has been detected or has failed",
    Run.ONCE: "runs once, and ends when it has been detected or has failed",
    Run.NEXT: "begins anew with every event, and is told once for each that it begins with",
    Run.PAST: "begins anew with every event, and what is told ends all that began within it",
    Run.FIRST: "begins anew with every event, and what is told ends all that began before the first of a step",
    Run.LAST: "begins anew with every event, and what is told ends all that began before the last of a step",
}

_PLAIN = Primitive | AnyEvent | At | AtInstant | Every | Atom
"""Shapes whose phrase can stand inside another as it is."""


def meaning(pattern: Pattern) -> str:
    """A pattern as a phrase."""
    return _timed(pattern) or _combined(pattern) or _automaton(pattern) or str(pattern)


def _inner(pattern: Pattern) -> str:
    """A pattern inside another: in parentheses where it is more than one event."""
    part = pattern
    while isinstance(part, Named):
        part = part.pattern
    text = meaning(pattern)
    return text if isinstance(part, _PLAIN) else f"({text})"


def _combined(pattern: Pattern) -> str:
    """Events, names and tests, and what combines several."""
    match pattern:
        case Primitive(type=kind, site=site):
            return shown_name(kind) + (f" from {site}" if site is not None else "")
        case AnyEvent():
            return "any event"
        case Named(name=name, pattern=Primitive(type=kind) as inner) if name == kind:
            return meaning(inner)
        case Named(name=name, pattern=inner):
            return f"{_inner(inner)} ({name})"
        case Where(pattern=inner, guard=guard):
            return f"{_inner(inner)} where {guard_words(guard)}"
        case By(pattern=inner, attributes=names):
            return f"{_inner(inner)}, all with the same {_listed(names)}"
        case Partitioned(pattern=inner, attributes=names):
            return f"for each {_listed(names)} by itself: {meaning(inner)}"
        case Both(parts=parts):
            return f"{_listed(map(_inner, parts))}, in any order"
        case Either(parts=parts) | Alternation(parts=parts):
            return _listed(map(_inner, parts), "or")
        case Sequence(parts=parts, order=order):
            return f", {FOLLOWED[order]} ".join(map(_step, parts))
        case Concurrent(left=left, right=right):
            return f"{_inner(left)} and {_inner(right)}, neither before the other"
        case Accumulate(each=each, last=last):
            return f"{_inner(last)}, with every {_inner(each)} before it that is not used up yet"
        case Absence():
            return _absence(pattern)
        case Times() | Repeat() | Streak():
            return _repeated(pattern)
        case Aggregate():
            return _aggregate(pattern)
        case Never(pattern=inner):
            return f"no {_inner(inner)}"
    return ""


def _step(pattern: Pattern) -> str:
    """A step of a sequence; an absence among them reads without parentheses."""
    return meaning(pattern) if isinstance(pattern, Never) else _inner(pattern)


def _absence(pattern: Absence) -> str:
    without, guard = pattern.without, pattern.guard
    said = (
        f"{_inner(pattern.first)}, {FOLLOWED[pattern.order]} {_inner(pattern.last)}, with no {_inner(without)} between"
    )
    return said if guard is None else f"{said}, where {guard_words(guard)}"


def _repeated(pattern: Times | Repeat | Streak) -> str:
    each = _inner(pattern.pattern)
    match pattern:
        case Times(count=count, attribute=None):
            return f"any {count} {each}"
        case Times(count=count, attribute=name, same=same):
            return f"any {count} {each} with {'the same' if same else 'different'} {name}"
        case Repeat(least=least, most=most, same=names):
            many = f"{least}" if least == most else f"{least} to {most}"
            return f"{many} {each} in a row, each after the one before{_of_one(names)}"
        case Streak():
            about = "at least " if pattern.once else ""
            text = f"{about}{pattern.count} {each} in a row{_of_one(pattern.same)}"
            text += f", with different {pattern.different}" if pattern.different is not None else ""
            text += f", within {human_period(pattern.period)}" if pattern.period is not None else ""
            return text + (", told once until there have been fewer" if pattern.once else "")


def _aggregate(pattern: Aggregate) -> str:
    text = f"{_inner(pattern.pattern)}, with which {guard_words(pattern.guard)}{_of_one(pattern.same)}"
    length = human_period(pattern.period)
    text += f" since the last full {length}" if pattern.aligned else f" in the last {length}"
    text += "" if pattern.gap is None else f", since the last gap of more than {human_period(pattern.gap)}"
    return text + (", told each time" if pattern.each else ", told when that begins to hold")


def _of_one(names: tuple[str, ...]) -> str:
    return f", with the same {_listed(names)}" if names else ""


def _timed(pattern: Pattern) -> str:
    """Time events, and what moves or limits a pattern in time."""
    match pattern:
        case At(point=point):
            return f"the time {render_time_point(point)}"
        case AtInstant(instant=instant):
            return f"the moment {render_instant(instant)}"
        case Every(period=period):
            return f"every {human_period(period)}"
        case After(pattern=inner, period=period, instant=True):
            return f"the moment {human_period(period)} after {_inner(inner)}"
        case After(pattern=inner, period=period):
            return f"{human_period(period)} after {_inner(inner)}"
        case Instant(pattern=inner):
            return f"the end of {_inner(inner)}"
        case Within(pattern=inner, period=period):
            return f"{_inner(inner)}, all of it within {human_period(period)}"
        case Between(pattern=inner, start=start, stop=stop):
            return f"{_inner(inner)}, from {render_instant(start)} to {render_instant(stop)}"
    return ""


def _automaton(pattern: Pattern) -> str:
    """Expressions of the core language."""
    match pattern:
        case Automaton(pattern=inner, run=run):
            return f"{meaning(inner)}; it {RUNS[run]}"
        case Atom(accepts=accepts, domain=None):
            return _events(accepts)
        case Atom(accepts=accepts, domain=Everything()):
            return f"{_events(accepts)}, as the very next event"
        case Atom(accepts=accepts, domain=EventSet() as domain):
            return f"{_events(accepts)}, as the next of {_events(domain)}"
        case Widened(pattern=inner, domain=domain):
            return f"{_inner(inner)}, with no other {_events(domain)} meanwhile"
        case Concatenation(parts=parts, strong=strong):
            word = ", and after it is over " if strong else ", and then "
            return word.join(map(_inner, parts))
        case Iteration(pattern=inner):
            return _how_often(pattern, _inner(inner))
        case Timing(first=first, second=second, timer=timer, when=when):
            time = f"{human_period(when)} later" if isinstance(when, Period) else render_instant(when)
            return f"{_inner(first)}, and then {_inner(second)}, where {timer} is the time {time}"
        case Parallel(left=left, right=right):
            return f"{_inner(left)} and {_inner(right)}, side by side in any order"
    return ""


def _how_often(loop: Iteration, what: str) -> str:
    least, most = loop.least, loop.most
    if least == most:
        return f"{what}, {least} times"
    if (least, most) == (0, 1):
        return f"{what}, or none"
    if least == 0:
        return f"any number of {what}, or none" if most is None else f"up to {most} of {what}, or none"
    return f"{least} or more of {what}" if most is None else f"{least} to {most} of {what}"


def _events(events: EventSet) -> str:
    """A set of events."""
    match events:
        case Described(type=kind, guard=guard, name=name):
            text = shown_name(kind) + (f" ({name})" if name is not None else "")
            return text if guard is None else f"{text} where {guard_words(guard)}"
        case Everything():
            return "any event"
        case Union(sets=sets):
            return _listed(map(_events, sets), "or")
        case Intersection(sets=sets):
            return " that is also ".join(map(_events, sets))
        case Complement(set=inner):
            return f"anything but {_events(inner)}"
    return str(events)


def guard_words(guard: Guard) -> str:
    """A guard as it is written in every language."""
    try:
        return render_guard(guard)
    except RuleError:
        return repr(guard)


def _listed(parts: Iterable[str], conjunction: str = "and") -> str:
    found = list(parts)
    return "".join(found) if len(found) < 2 else f"{', '.join(found[:-1])} {conjunction} {found[-1]}"
