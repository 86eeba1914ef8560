"""A rule read as chains: its pattern, whatever its language, and the settings that other engines can keep to."""

from __future__ import annotations

from dataclasses import replace

from tocsin.algebra.patterns import Automaton, Pattern
from tocsin.algebra.rules import LANGUAGE_CONTEXTS, Context, Rule
from tocsin.foreign import atoms, searches
from tocsin.foreign.chains import Chain, Limit, milliseconds, refusal


def chains_of(rule: Rule) -> tuple[Chain, ...]:
    """The chains of a rule; a RuleError names what makes it none."""
    _refuse_options(rule)
    chains = atoms.chains(rule) if isinstance(rule.pattern, Automaton) else searches.chains(rule)
    if rule.window is not None:
        limit = Limit(0, milliseconds(rule.window, rule.pattern))
        for chain in chains:
            if chain.silence is not None:
                raise refusal("a detection window around something that must not happen", rule.pattern, IN_WINDOW)
            if chain.again and len(chain.steps) > 1:
                raise refusal("a detection window with the run 'again'", rule.pattern, "use the run 'every'")
        chains = tuple(replace(chain, limits=(*chain.limits, limit)) for chain in chains)
    return tuple(_plain(chain) for chain in chains)


IN_WINDOW = "say it with a window of its own: 'a -> !b in 5 sec'"


def _refuse_options(rule: Rule) -> None:
    context = rule.context or LANGUAGE_CONTEXTS[rule.language]
    # Of a single event there is nothing to combine: every context gives the same.
    if not (isinstance(rule.pattern, Automaton) or context is Context.UNRESTRICTED or _is_leaf(rule.pattern)):
        hint = "other engines use no events up: the nearest is the context 'unrestricted'"
        raise refusal(f"the context '{context}'", rule.pattern, hint)
    if rule.partition:
        hint = "use 'by', which asks for equal values: the query is then split by them where it can be"
        raise refusal("a partition", rule.pattern, hint)
    if rule.actions:
        raise refusal("an action", rule.actions[0], "give the rule none: its rows are what is told")
    if rule.order is not None and rule.order.policy not in ("best-effort", "guaranteed"):
        raise refusal(
            f"the order '{rule.order.policy}'", rule.pattern, "watermarks of the engine are what orders events"
        )


def _is_leaf(pattern: Pattern) -> bool:
    return searches.leaf_of(pattern) is not None


def _plain(chain: Chain) -> Chain:
    """Without a window on a single event, which every event keeps to."""
    return replace(chain, limits=()) if len(chain.steps) == 1 else chain
