"""What rules cost, as far as they tell by themselves."""

from __future__ import annotations

from tocsin.algebra.patterns import Automaton, children, walk
from tocsin.algebra.rule_warnings import is_bounded
from tocsin.algebra.rules import LANGUAGE_CONTEXTS, Rule
from tocsin.time.spans import human_period


def cost_of(rule: Rule) -> dict[str, object]:
    """What a rule costs: what it looks at, how much it combines, and how long it remembers. An automaton has a run
    where others have a context."""
    automaton = rule.pattern if isinstance(rule.pattern, Automaton) else None
    parts = list(walk(rule.pattern))
    leaves = [part for part in parts if not children(part)]
    window = human_period(rule.window) if rule.window is not None else None
    return {
        "rule": rule.name,
        "language": rule.language,
        "context": None if automaton is not None else str(rule.context or LANGUAGE_CONTEXTS[rule.language]),
        "run": None if automaton is None else automaton.shown_run,
        "events": len(leaves),
        "operators": len(parts) - len(leaves),
        "window": window,
        "bounded": is_bounded(rule),
    }
