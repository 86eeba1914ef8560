"""Chains of the core language: atoms one after the other. What an atom looks at and does not take ends the chain."""

from __future__ import annotations

from dataclasses import replace

from tocsin.algebra.guards import variables_of
from tocsin.algebra.patterns import (
    THIS,
    Alternation,
    Atom,
    Automaton,
    Concatenation,
    Described,
    EventSet,
    Everything,
    Iteration,
    Parallel,
    Pattern,
    Run,
    Timing,
    Union,
    Widened,
)
from tocsin.algebra.rules import Rule
from tocsin.foreign.chains import Chain, Kind, Limit, Silence, Step, milliseconds, refusal
from tocsin.time.periods import Period

Around = tuple[EventSet, ...]

_WHAT = {
    Alternation: ("'|' inside a core expression", "write a rule for each side"),
    Iteration: ("'*' and other numbers of times", "write out how often: '[A];[A];[A]'"),
    Parallel: ("'||' of the core language", "write a rule for each order"),
}


def chains(rule: Rule) -> tuple[Chain, ...]:
    """The one chain of a core expression."""
    detector = rule.pattern
    assert isinstance(detector, Automaton)
    if detector.run is Run.ONCE:
        raise refusal("the run 'once'", detector, "use the run 'every' and take the first row")
    if detector.run.skips:
        raise refusal(f"the run '{detector.run}'", detector, "use the run 'every'")
    chain = _chain(detector.pattern)
    if rule.condition is not None:
        last = chain.steps[-1]
        if chain.silence is not None:
            raise refusal("a condition on a chain that ends with time passing", rule.condition, "put it into a filter")
        takes = tuple(replace(kind, tests=(*kind.tests, rule.condition)) for kind in last.takes)
        steps = (*chain.steps[:-1], replace(last, takes=takes, stops=(*last.stops, *last.takes)))
        chain = replace(chain, steps=steps)
    if detector.run is Run.AGAIN:
        chain = replace(chain, again=True)
        _refuse_again(chain, detector)
    return (chain,)


def _refuse_again(chain: Chain, detector: Automaton) -> None:
    """Under `again` only what cannot fail: elsewhere, what began meanwhile goes on where our run begins anew."""
    ends = chain.limits or chain.silence or any(step.stops for step in chain.steps[1:])
    names = {step.variable for step in chain.steps} - {None}
    speaks = any(_names(kind) & names for step in chain.steps[1:] for kind in step.takes)
    if ends or speaks:
        what = "the run 'again' of an expression that can fail or compares its events"
        raise refusal(what, detector, "use the run 'every'")


def _names(kind: Kind) -> set[str]:
    return {name for test in kind.tests for name in variables_of(test)}


def _chain(pattern: Pattern) -> Chain:
    if isinstance(pattern, Timing):
        return _timed(pattern)
    return Chain(tuple(_steps(pattern, strong=True, around=())))


def _steps(pattern: Pattern, *, strong: bool, around: Around) -> list[Step]:
    """The steps of a part; `strong` tells how its first one follows what is before."""
    match pattern:
        case Atom():
            return [_step(pattern, strong, around)]
        case Widened(pattern=inner, domain=domain):
            return _steps(inner, strong=strong, around=(*around, domain))
        case Concatenation(parts=parts, strong=link):
            made = _steps(parts[0], strong=strong, around=around)
            for part in parts[1:]:
                made += _steps(part, strong=link, around=around)
            return made
        case Timing():
            raise refusal("a timing inside an expression", pattern, "put it around the whole expression")
    what, hint = _WHAT.get(type(pattern), (type(pattern).__name__.lower(), ""))
    raise refusal(what, pattern, hint)


def _step(atom: Atom, strong: bool, around: Around) -> Step:
    takes = _kinds(atom.accepts)
    if any(kind.type is None for kind in takes):
        raise refusal("an atom that takes events of any type", atom, "name the types")
    looks = [kind for each in (*((atom.domain,) if atom.domain else ()), *around) for kind in _kinds(each)]
    stops = tuple(kind for kind in dict.fromkeys(looks) if kind not in takes)
    names = {each.name for each in _described(atom.accepts)}
    variable = names.pop() if len(names) == 1 else None
    return Step(takes, stops, variable, first=True, order="later" if strong else "weakly", span=atom.span)


def _kinds(events: EventSet) -> tuple[Kind, ...]:
    if isinstance(events, Everything):
        return (Kind(None, THIS, (), events.span),)
    return tuple(
        Kind(each.type, THIS, () if each.guard is None else (each.guard,), each.span) for each in _described(events)
    )


def _described(events: EventSet) -> list[Described]:
    match events:
        case Described():
            return [events]
        case Union(sets=sets):
            return [found for each in sets for found in _described(each)]
        case Everything():
            return []
    raise refusal("a set with '!' or '&'", events, "list the types it has")


def _timed(timing: Timing) -> Chain:
    """`(C1, C2){T = t}`: C2 before T, or T with nothing else of the atom's domain before it."""
    if not isinstance(timing.when, Period):
        raise refusal("a timing with an absolute time", timing, "give a span: 'T = 5 min'")
    length = milliseconds(timing.when, timing)
    first = _steps(timing.first, strong=True, around=())
    second = timing.second
    if isinstance(second, Atom) and timing.timer in {each.type for each in _described(second.accepts)}:
        if len(_described(second.accepts)) > 1:
            raise refusal(f"'{timing.timer}' or an event, whichever is first", second, "write a rule for each")
        stops = tuple(kind for kind in _kinds(second.domain or second.accepts) if kind.type != timing.timer)
        return Chain(tuple(first), silence=Silence(length, stops, closed=False, order="weakly", span=second.span))
    steps = []
    for step in _steps(second, strong=False, around=()):
        if any(kind.type == timing.timer for kind in step.takes):
            raise refusal(f"'{timing.timer}' before the end of the expression", step.span, "put it last")
        steps.append(replace(step, stops=tuple(kind for kind in step.stops if kind.type != timing.timer)))
    return Chain((*first, *steps), (Limit(len(first) - 1, length, closed=False),))
