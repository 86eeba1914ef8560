"""The chains that steps of searches walk: which one it is in the engine, and what people call it."""

from __future__ import annotations

from tocsin.engine.build.family_chains import LASTING, chain_name
from tocsin.engine.build.searches import Builder
from tocsin.engine.network.arena import Chain
from tocsin.engine.network.firings import Firing
from tocsin.engine.network.slots import Slots
from tocsin.explain.words import leaf_type
from tocsin.plan.searches import RunLeaf, Step
from tocsin.planner.equalities import shown


def chain_of(step: Step, firing: Firing, builder: Builder, *, is_absent: bool = False) -> Chain:
    """The chain of the engine that a step of some rules walks: their own, or one that others may walk too.

    What must be absent may be looked for in another than what is there to be combined: what is used up stays in it.
    """
    leaf, arena = step.leaf.chained, builder.gate(step.leaf, firing).arena
    key, tables = _key(step), _tables(step, builder)
    owners: list[object] = [(firing, LASTING), firing, None] if is_absent else [firing, None]
    names = [chain_name(leaf, arena, key, tables, owner) for owner in owners]
    return next(builder.chains[name] for name in names if name in builder.chains)


def chain_title(step: Step) -> str:
    """The events of a chain, and what they are looked up by."""
    key = _key(step)
    return leaf_type(step.leaf) + (f" by {', '.join(map(shown, key))}" if key else "")


def _key(step: Step) -> tuple[str, ...]:
    if step.leaf.row is not None:
        return step.leaf.row.same
    if step.leaf.attribute is not None:
        return (step.leaf.attribute,) if step.leaf.same else ()
    if isinstance(step.leaf, RunLeaf):
        return step.leaf.group
    return tuple(own for own, _ in step.key)


def _tables(step: Step, builder: Builder) -> tuple[Slots, ...]:
    """The tables of values by which the engine keys a chain."""
    if step.leaf.row is not None:
        return builder.group_tables(step.leaf.row.same)
    if step.leaf.attribute is not None:
        return (builder.table([step.leaf.attribute], for_guards=False),) if step.leaf.same else ()
    if isinstance(step.leaf, RunLeaf):
        return builder.group_tables(step.leaf.group)
    tables = [builder.table([own, name]) for own, (_, name) in step.key]
    if len(tables) == 2:
        tables.append(builder.pair_table(tables[0], tables[1]))
    return tuple(tables)
