"""Which part of the events of a sequence takes part in an occurrence, step by step: what clusters counts as it does.

Of a sequence x -> y -> z with guards between its events an event of z takes part if, within the window before it, an
event of y stands that it goes together with, and that has an x before it in turn; and so back from the first. With
n steps each is taken to lie within W / ((n-1)!) ** (1 / (n-1)) of the next, so that there are as many occurrences as
there are within W.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import exp, factorial, inf, isinf, prod

from tocsin.algebra.guards import Guard, conjuncts, variables_of
from tocsin.algebra.patterns import Named, Pattern, Primitive, Sequence, Where, Within
from tocsin.algebra.rules import Rule

Selectivity = Callable[[Guard], float]
"""How probable it is that a guard holds."""


@dataclass
class _Chain:
    """A sequence of single events: what they are called, their types, and the guards on them."""

    steps: list[tuple[str, str]] = field(default_factory=list)
    guards: list[Guard] = field(default_factory=list)


def taking_part(rule: Rule, rates: Mapping[str, float], window: float, holds: Selectivity) -> dict[str, float] | None:
    """By type, how many events a second take part; None of what is no sequence of single events."""
    chain = _Chain()
    if not _is_chain(rule.guarded, chain) or len(chain.steps) < 2:
        return None
    coming = [rates.get(kind, 0.0) * _alone(chain, name, holds) for name, kind in chain.steps]
    count = len(coming)
    near = inf if isinf(window) else window / factorial(count - 1) ** (1 / (count - 1))
    before = list(_reached(coming, [_linked(chain, step, range(step), holds) for step in range(count)], near))
    after = [_linked(chain, step, range(step + 1, count), holds) for step in reversed(range(count))]
    behind = list(_reached(coming[::-1], after, near))[::-1]
    found: dict[str, float] = {}
    for (_, kind), rate, one, other in zip(chain.steps, coming, before, behind, strict=True):
        part = rate * one * other
        found[kind] = min(rates.get(kind, 0.0), found.get(kind, 0.0) + part)
    return found


def _reached(coming: list[float], linked: list[float], near: float) -> Iterator[float]:
    """For each step the part of its events that have the steps before them."""
    alive = 0.0
    for step, (rate, link) in enumerate(zip(coming, linked, strict=True)):
        expected = 0.0 if not alive or not link else alive * link * near
        share = 1.0 if step == 0 else 1 - exp(-expected)
        alive = rate * share
        yield share


def _alone(chain: _Chain, name: str, holds: Selectivity) -> float:
    """How probable the guards are that speak of one event only."""
    return prod(holds(guard) for guard in chain.guards if variables_of(guard) == {name})


def _linked(chain: _Chain, step: int, others: range, holds: Selectivity) -> float:
    """How probable the guards are that hold an event together with some others, and with nothing else."""
    name, near = chain.steps[step][0], {chain.steps[other][0] for other in others}
    some = [(guard, set(variables_of(guard))) for guard in chain.guards]
    return prod(holds(guard) for guard, names in some if name in names and names - {name} and names - {name} <= near)


def _is_chain(pattern: Pattern, chain: _Chain) -> bool:
    match pattern:
        case Within(pattern=inner):
            return _is_chain(inner, chain)
        case Where(pattern=inner, guard=guard):
            chain.guards += conjuncts(guard)
            return _is_chain(inner, chain)
        case Sequence(parts=parts):
            return all(_is_step(part, chain) for part in parts)
    return False


def _is_step(pattern: Pattern, chain: _Chain) -> bool:
    name = ""
    while True:
        match pattern:
            case Named(name=called, pattern=inner):
                name, pattern = called, inner
            case Where(pattern=inner, guard=guard):
                chain.guards += conjuncts(guard)
                pattern = inner
            case Primitive(type=kind):
                chain.steps.append((name or f"{kind} {len(chain.steps)}", kind))
                return True
            case _:
                return False
