"""The nearest form where no law holds: a pattern that the target can write, and in what it differs.

Each is one function like a law, with the difference in words. They are used to show what could be written instead, and
under `--nearest` to write it; never in a translation that claims to be exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple

from tocsin.algebra.guards import Attribute, Binary, Guard, Reference, joined
from tocsin.algebra.names import bound
from tocsin.algebra.patterns import (
    Absence,
    Accumulate,
    After,
    Alternation,
    Atom,
    Automaton,
    Both,
    Concatenation,
    Described,
    Either,
    EventSet,
    Instant,
    Iteration,
    Named,
    Never,
    Parallel,
    Pattern,
    Precedence,
    Primitive,
    Repeat,
    Sequence,
    Streak,
    Times,
    Union,
    Where,
    Within,
    rebuild,
    walk,
)
from tocsin.languages.sel_times import render_span
from tocsin.translation.automata import as_detector
from tocsin.translation.facts import Facts
from tocsin.translation.laws import ORDERS


class Near(NamedTuple):
    """A pattern that is not quite the same, and in what it differs."""

    pattern: Pattern
    difference: str


Loss = Callable[[Pattern, str, Facts], Near | None]


def other_order(pattern: Pattern, target: str, facts: Facts) -> Near | None:
    """A sequence, or an absence, in the only order that the target has."""
    wanted = ORDERS.get(target)
    if not isinstance(pattern, Sequence | Absence) or wanted in (None, pattern.order):
        return None
    if pattern.order is Precedence.WEAK and isinstance(pattern, Sequence):
        return None  # every language has it
    assert wanted is not None
    if isinstance(pattern, Sequence) and any(isinstance(part, Never) for part in pattern.parts):
        return None
    words = {
        Precedence.GAP: "each part begins only after the one before has ended",
        Precedence.ENDS: "the parts may overlap: only their ends are compared",
        Precedence.GLOBAL: "its parts are compared by 2g-precedence, or by their ends",
    }
    return Near(replace(pattern, order=wanted), words[wanted])


def other_start(pattern: Pattern, target: str, facts: Facts) -> Near | None:
    """A timer that begins elsewhere."""
    match pattern:
        case After(instant=True) if target in ("gem", "eps", "global"):
            return Near(replace(pattern, instant=False), "it begins with what it waits for, not where it ends")
        case After(instant=False) if target in ("sel", "pretty"):
            return Near(replace(pattern, instant=True), "it begins where it ends, not with what it waits for")
        case Instant(pattern=inner):
            return Near(inner, "it begins where its first event does, not where it ends")
    return None


def one_after_the_other(pattern: Pattern, target: str, facts: Facts) -> Near | None:
    """So many of something as a sequence of so many."""
    match pattern:
        case Times(count=count, pattern=inner, attribute=attribute, same=same) if count <= _MOST_STEPS:
            compared = () if attribute is None else (attribute,)
            whole = _alike(inner, count, target, compared if same else (), () if same else compared)
            return Near(whole, "events at one instant are not counted together, and each has a variable of its own")
        case Streak(count=count, pattern=inner, same=(attribute,), different=None) if target == "eps":
            told = ", not once a burst" if pattern.once else ""
            any_of = _inside(Times(count, inner, attribute, True), pattern)
            return Near(any_of, f"any {count} are told of, not only those in a row{told}")
        case Streak(count=count, pattern=inner, same=groups, different=other) if count <= _MOST_STEPS:
            told = ", all are told of, not once a burst" if pattern.once else ""
            whole = _alike(inner, count, target, groups, () if other is None else (other,))
            return Near(
                _inside(whole, pattern),
                f"others of them may lie between, none are at one instant, each has a variable of its own{told}",
            )
        case Repeat(pattern=inner, least=least, most=most, same=groups) if least <= _MOST_STEPS:
            more = "" if least == most else f", runs are of {least} alone"
            return Near(
                _alike(inner, least, target, groups, ()),
                f"others of them may lie between, each has a variable of its own{more}, and not all begin anew",
            )
        case Accumulate(each=each, last=last):
            order = ORDERS.get(target, Precedence.GAP)
            return Near(
                Sequence((each, last), order), "each is combined by itself, not all at once, and one must occur"
            )
    return None


_MOST_STEPS: Final = 6


def _alike(inner: Pattern, count: int, target: str, same: tuple[str, ...], different: tuple[str, ...]) -> Pattern:
    """A pattern so many times over, with one value of some attributes and others of others."""
    names, steps = _steps(inner, count, target)
    tests: list[Guard] = [
        Binary("==", Attribute(names[0], each), Attribute(name, each)) for name in names[1:] for each in same
    ]
    tests += [Binary("!=", Attribute(a, each), Attribute(b, each)) for a, b in _pairs(names) for each in different]
    return Where(steps, joined("&&", tests)) if tests else steps


def _inside(pattern: Pattern, run: Streak) -> Pattern:
    return pattern if run.period is None else Within(pattern, run.period)


def _pairs(names: list[str]) -> list[tuple[str, str]]:
    return [(one, other) for place, one in enumerate(names) for other in names[place + 1 :]]


def _steps(inner: Pattern, count: int, target: str) -> tuple[list[str], Pattern]:
    """A pattern so many times over, each under a name of its own."""
    name = inner.name if isinstance(inner, Named) else "x"
    what = inner.pattern if isinstance(inner, Named) else inner
    if bound(what):
        what = _without_names(what)
    names = [f"{name}{number}" for number in range(1, count + 1)]
    steps: list[Pattern] = [Named(each, what) for each in names]
    return names, steps[0] if count == 1 else Sequence(tuple(steps), ORDERS.get(target, Precedence.GAP))


def _without_names(pattern: Pattern) -> Pattern:
    if isinstance(pattern, Named):
        return _without_names(pattern.pattern)
    return rebuild(pattern, _without_names)


def waiting_absence(pattern: Pattern, target: str, facts: Facts) -> Near | None:
    """`a -> !b in w` in GEM: none between a and the moment w after that a."""
    match pattern:
        case Within(pattern=Sequence(parts=(Named(name=name, pattern=Primitive() as event), Never(pattern=absent)))):
            if target != "gem":
                return None
            again = Named(f"{name}2", event)
            same = Binary("==", Reference(name), Reference(again.name))
            words = "what must be absent may fall on the very end, and the data have the event twice"
            return Near(Absence(Named(name, event), After(again, pattern.period), absent, same), words)
    return None


def no_window(pattern: Pattern, target: str, facts: Facts) -> Near | None:
    """Without the window, which the rule's own comes near."""
    match pattern:
        case Within(pattern=inner, period=period):
            instead = f"'window: {render_span(period)}' of the rule"
            return Near(inner, f"the window is left out: {instead} comes near it, but counts back from the clock")
    return None


def no_site(pattern: Pattern, target: str, facts: Facts) -> Near | None:
    """An event of a type from anywhere."""
    match pattern:
        case Primitive(site=str(site)):
            return Near(replace(pattern, site=None), f"it may come from any source, not '{site}' alone")
    return None


def no_choice(pattern: Pattern, target: str, facts: Facts) -> Near | None:
    """Absence in which everything of its kind counts."""
    match pattern:
        case Absence(guard=guard) if guard is not None:
            return Near(replace(pattern, guard=None), "everything of what must be absent counts, and there is no guard")
    return None


def bare_negation(pattern: Pattern, target: str, facts: Facts) -> Near | None:
    """`a -> !(b if g) -> c` without what its guard says of its neighbours."""
    match pattern:
        case Sequence(parts=parts) if any(isinstance(p, Never) and isinstance(p.pattern, Where) for p in parts):
            made = tuple(
                replace(part, pattern=part.pattern.pattern)
                if isinstance(part, Never) and isinstance(part.pattern, Where)
                else part
                for part in parts
            )
            return Near(
                replace(pattern, parts=made), "everything of what must be absent counts, whatever its guard says"
            )
    return None


def first_only(pattern: Pattern, target: str, facts: Facts) -> Near | None:
    """A pattern of the other languages as an automaton."""
    if target != "core" or isinstance(pattern, Automaton):
        return None
    made = _automaton(pattern, facts)
    if made is None:
        return None
    words = "an automaton takes the first event that fits, not every one"
    around = [part for part in walk(pattern) if isinstance(part, Where | Within | Instant | Named)]
    if any(as_detector(part, facts) is None for part in around):
        words += "; windows, and guards and names of more than one event, are left out"
    return Near(Automaton(made), words)


def _automaton(pattern: Pattern, facts: Facts) -> Pattern | None:
    single = as_detector(pattern, facts)
    if single is not None:
        return single.pattern
    match pattern:
        case Sequence(parts=parts):
            made = [_automaton(part, facts) for part in parts]
            whole = tuple(each for each in made if each is not None)
            return Concatenation(whole, strong=True) if len(whole) == len(made) else None
        case Either(parts=parts):
            made = [_automaton(part, facts) for part in parts]
            whole = tuple(each for each in made if each is not None)
            return Alternation(whole) if len(whole) == len(made) else None
        case Both(parts=(left, right)):
            one, other = _automaton(left, facts), _automaton(right, facts)
            return None if one is None or other is None else Parallel(one, other)
        case Absence(first=first, last=last, without=without, guard=None):
            one, other, absent = (_automaton(part, facts) for part in (first, last, without))
            if one is None or not isinstance(other, Atom) or not isinstance(absent, Atom):
                return None
            looks = Union((_nameless(other.accepts), _nameless(absent.accepts)))
            return Concatenation((one, Atom(other.accepts, looks)), strong=True)
        case Where(pattern=inner) | Within(pattern=inner) | Named(pattern=inner) | Instant(pattern=inner):
            return _automaton(inner, facts)
    return None


def _nameless(events: EventSet) -> EventSet:
    """What a state looks at has no names: only what it accepts has."""
    match events:
        case Described():
            return replace(events, name=None)
        case Union(sets=sets):
            return replace(events, sets=tuple(_nameless(each) for each in sets))
    return events


def chain_as_steps(pattern: Pattern, target: str, facts: Facts) -> Near | None:
    """An automaton as a sequence: each state takes the next event, which is "none of its type before it"."""
    if not isinstance(pattern, Automaton) or target == "core":
        return None
    steps = _steps_of(pattern.pattern)
    if steps is None or len(steps) < 2:
        return None
    if target == "eps":
        words = "every later event is taken, not the first alone, and what a state looks at fails nothing"
        return Near(Sequence(tuple(steps), Precedence.ENDS), words)
    parts = steps[:1]
    for step in steps[1:]:
        kind = step.pattern if isinstance(step, Named) else step
        parts += [Never(kind), step]
    words = "of events at one instant all are taken, a filter and what a state looks at fail nothing"
    return Near(Sequence(tuple(parts), Precedence.GAP), words)


def _steps_of(pattern: Pattern) -> list[Pattern] | None:
    match pattern:
        case Atom(accepts=Described(type=kind, name=name)):
            event = Primitive(kind, span=pattern.span)
            return [event if name is None else Named(name, event)]
        case Concatenation(parts=parts):
            found: list[Pattern] = []
            for part in parts:
                steps = _steps_of(part)
                if steps is None:
                    return None
                found += steps
            return found
        case Iteration(least=0):
            return []
    return None


LOSSES: Final[tuple[Loss, ...]] = (
    first_only,
    chain_as_steps,
    waiting_absence,
    other_order,
    other_start,
    one_after_the_other,
    no_choice,
    bare_negation,
    no_window,
    no_site,
)
