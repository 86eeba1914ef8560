"""Guards that speak of a run in words: what they say of its key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tocsin.algebra.guards import Attribute, Binary, Call, Guard
from tocsin.algebra.patterns import Named, Pattern, Streak
from tocsin.plan.searches import Chosen, Slot


def of_single_events(guard: Guard, trees: Mapping[str, Pattern]) -> tuple[Guard, dict[str, Pattern]]:
    """A guard with `first(x.k) == y.k` as an equality of two single events, where x is a run with the same k.

    So that y finds the runs of its own key, and rules can be told apart by it. With it, what the new names stand for.
    """
    ends: dict[str, Pattern] = {}

    def side(part: Guard) -> Guard:
        match part:
            case Call(function="first" | "last" as which, arguments=(Attribute(variable=name, name=attribute),)):
                tree = trees.get(name)
                while isinstance(tree, Named):
                    tree = tree.pattern
                if isinstance(tree, Chosen) and isinstance(tree.times, Streak) and attribute in tree.times.same:
                    ends[f"{which} {name}"] = Slot(tree.registers[0 if which == "first" else -1])
                    return Attribute(f"{which} {name}", attribute)
        return part

    if isinstance(guard, Binary) and guard.operator == "==":
        return replace(guard, left=side(guard.left), right=side(guard.right)), ends
    return guard, ends
