"""Repetitions and runs: of single events as leaves that fill several registers, of others as so many copies."""

from __future__ import annotations

from dataclasses import replace

from tocsin.algebra.ends import back_is_fluid, front_is_fluid
from tocsin.algebra.guards import Guard, renamed, variables_of
from tocsin.algebra.names import bound
from tocsin.algebra.patterns import (
    Absence,
    Aggregate,
    Named,
    Pattern,
    Repeat,
    Streak,
    Times,
    Where,
    rebuild,
)
from tocsin.plan.searches import (
    SOLE,
    TYPE,
    Chosen,
    Consecutive,
    Copies,
    Edge,
    InARow,
    Leaf,
    Measured,
    RunLeaf,
    Standing,
)
from tocsin.plan.trees import extreme
from tocsin.planner.alternatives import LEAVES, Unsupported
from tocsin.planner.branch_builder import Building, Extent, Limit, Missing, Scene, Unended, asks_the_clock
from tocsin.planner.stamps import refuse


def times(building: Building, pattern: Times | Streak, scene: Scene) -> Extent:
    """000's TimesEq and TimesDf, and runs in words, whose events stand in order of time."""
    single, names, conditions = _single(building, pattern.pattern, scene)
    if isinstance(pattern, Streak):
        pattern = replace(pattern, same=_with(pattern.same, building.partition))
    leaf = _compared(pattern, Leaf(single, conditions))
    registers = building.registers(leaf, pattern.count)
    tree = _called(building, Chosen(registers, names, pattern))
    start = extreme([Edge(register, True) for register in registers], False)
    is_joined = len(registers) > 1
    if isinstance(pattern, Streak):
        return Extent(tree, start, Edge(registers[-1]), is_joined=is_joined)
    return Extent(tree, start, extreme([Edge(register) for register in registers], True), is_joined=is_joined)


def _with(same: tuple[str, ...], partition: tuple[str, ...]) -> tuple[str, ...]:
    """What makes a group of a run: in a partition that, too."""
    return tuple(dict.fromkeys((*same, *partition)))


def measured(building: Building, pattern: Aggregate, scene: Scene) -> Extent:
    """An aggregate: the event at which it is told stands for it, and the others need no register."""
    single, names, conditions = _single(building, pattern.pattern, scene)
    guard = renamed(pattern.guard, dict.fromkeys(names, SOLE))
    told = Measured(
        conditions,
        guard,
        pattern.period,
        _with(pattern.same, building.partition),
        pattern.aligned,
        pattern.gap,
        pattern.each,
    )
    leaf = Leaf(single, measured=told)
    (register,) = building.registers(leaf, 1)
    tree: Pattern = Standing(register, leaf)
    for name in reversed(names):
        building.call(name, tree)
        tree = Named(name, tree)
    return Extent(tree, Edge(register, True), Edge(register))


def _compared(pattern: Times | Streak, leaf: Leaf) -> Leaf:
    """The leaf of a repetition. Where nothing is compared, what is always the same is: the type."""
    if isinstance(pattern, Times):
        return replace(leaf, attribute=TYPE if pattern.attribute is None else pattern.attribute, same=pattern.same)
    return replace(leaf, row=InARow(pattern.same, pattern.different, pattern.period, pattern.once))


def run(building: Building, pattern: Repeat, scene: Scene) -> Extent:
    """`E*n`. Each event starts after the end of the one before, so that the first and the last are its ends."""
    single, names, conditions = _single(building, pattern.pattern, scene)
    pattern = replace(pattern, same=_with(pattern.same, building.partition))
    leaf = (RunLeaf if pattern.most > 1 else Leaf)(single, conditions, group=pattern.same)
    registers = building.registers(leaf, pattern.most)
    if isinstance(leaf, RunLeaf):
        building.constraints.append(Consecutive(leaf, registers))
    tree = _called(building, Chosen(registers, names, pattern))
    return Extent(tree, Edge(registers[0], True), Edge(registers[-1]), is_joined=len(registers) > 1)


def copies(building: Building, pattern: Copies, scene: Scene) -> Extent:
    """`E*n` of what is more than an event: each starts after the end of the one before, and no other ends sooner.

    The variables of each are its own, and are called by its number until all have been taken in.
    """
    refuse(building)
    if back_is_fluid(pattern.pattern):
        return _fluid_copies(building, pattern, scene)
    extents = _copies(building, pattern, scene)
    return Extent(_gathered(building, pattern, extents), extents[0].start, extents[-1].end)


def _gathered(building: Building, pattern: Copies, extents: list[Extent]) -> Pattern:
    """The tree of all copies. A name stands for what all of them have called so."""
    tree = replace(pattern, parts=tuple(_plain_names(extent.planted()) for extent in extents))
    for name in dict.fromkeys(name for part in pattern.parts for name in bound(part)):
        if any(f"{name}{_OWN}{number}" in building.names for number in range(len(extents))):
            building.call(name, Named(name, tree))
    return tree


def _copies(building: Building, pattern: Copies, scene: Scene) -> list[Extent]:
    extents: list[Extent] = []
    around = scene
    for number, part in enumerate(pattern.parts):
        extent = building.visit(_own_names(part, number), around)
        if extents:
            _next(building, pattern.pattern, extents[-1], extent, around)
            if not front_is_fluid(pattern.pattern):
                building.follow(extents[-1].end, extent.start)
        extents.append(extent)
        around = scene.after(extent.end, ())
    return extents


def _fluid_copies(building: Building, pattern: Copies, scene: Scene) -> Extent:
    """`(E -> !F)*n`: E decides which is the next, and each F is absent up to the next E, the last as far as it goes."""
    closing = scene.closing
    inner = pattern.pattern
    cores: list[Extent] = []
    wholes: list[Extent] = []
    around, mark = scene, building.mark()
    for number, part in enumerate(pattern.parts):
        if number < len(pattern.parts) - 1:
            following = building.mark()
            end = Unended(following, Limit(following, False))
        else:
            following, end = mark, _end_of_last(scene)
        core = building.visit(_own_names(part, number), replace(around, closing=end))
        building.marks[mark.register] = core.start
        if cores:
            _next(building, inner, cores[-1], core, replace(around, closing=Unended()))
            building.follow(cores[-1].end, core.start)
        cores.append(core)
        wholes.append(_whole(core, end))
        around, mark = scene.after(core.end, ()), following
    tree = _gathered(building, pattern, wholes)
    if isinstance(closing, Unended):  # a run in a run: what follows that is the end of this one, too
        closing.is_met |= end.is_met
        building.unsettled.update(bound(tree))
        return Extent(tree, wholes[0].start, cores[-1].end, open=True)
    if not end.is_met:  # of alternatives one that is rigid
        building.hold_end(cores[-1], scene)
    return Extent(tree, wholes[0].start, wholes[-1].end)


def _end_of_last(scene: Scene) -> Unended:
    """Where the last of a run ends: with what the run is in."""
    closing = scene.closing
    if isinstance(closing, Unended):
        return Unended(closing.back, closing.last, closing.closing)
    if scene.back is None:
        raise Unsupported("a negation that nothing bounds")
    return Unended(scene.back, scene.last, closing)


def _whole(core: Extent, end: Unended) -> Extent:
    """A part of a run with what is absent up to the next."""
    if not end.is_met:
        return core
    return end.reached(core)


def _next(building: Building, inner: Pattern, one: Extent, other: Extent, scene: Scene) -> None:
    """Nothing of the kind after `one` has ended before `other`, or with it and started sooner."""
    building.missing.append(Missing(inner, scene, sooner=(other.end, None)))
    building.missing.append(Missing(inner, scene, sooner=(other.end, other.start)))


_OWN = "\0"
"""Between a name and the number of the copy that it is of. No name that a user can write has it."""


def _own_names(pattern: Pattern, number: int) -> Pattern:
    """A pattern with its variables called by a number."""
    names = {name: f"{name}{_OWN}{number}" for name in bound(pattern)}

    def change(part: Pattern) -> Pattern:
        part = rebuild(part, change)
        if isinstance(part, Named):
            return replace(part, name=names[part.name])
        if isinstance(part, Where | Absence) and part.guard is not None:
            return replace(part, guard=renamed(part.guard, names))
        return part

    return change(pattern)


def _plain_names(tree: Pattern) -> Pattern:
    """A tree with its variables called as they were before they got a number."""
    if isinstance(tree, Chosen):
        return replace(tree, names=tuple(map(_unnumbered, tree.names)))
    tree = rebuild(tree, _plain_names)
    return replace(tree, name=_unnumbered(tree.name)) if isinstance(tree, Named) else tree


def _unnumbered(name: str) -> str:
    return name.rpartition(_OWN)[0] or name


def _single(building: Building, inner: Pattern, scene: Scene) -> tuple[Pattern, tuple[str, ...], tuple[Guard, ...]]:
    """What is repeated, if it is a single event: its leaf, its names, and what must hold of it."""
    names, guards = [], []
    while isinstance(inner, Named | Where):
        if isinstance(inner, Named):
            names.append(inner.name)
        else:
            guards.append((inner.guard, len(names)))
        inner = inner.pattern
    if not isinstance(inner, LEAVES):
        raise Unsupported("a repetition of what is not a single event")
    if any(not scene.known.isdisjoint(variables_of(guard)) for guard, _ in guards):
        raise Unsupported("a repetition whose guard speaks of a neighbour")
    # A guard sees the names that stand inside it.
    conditions = [part for guard, outer in guards for part in building.conjuncts(guard, names[outer:])]
    if any(map(asks_the_clock, conditions)):
        raise Unsupported("a repetition of what depends on the clock")  # its events are told apart on arrival
    sole = dict.fromkeys(names, SOLE)
    own = building.in_partition()
    return inner, tuple(names), (*own, *[renamed(part, sole) for part in conditions])


def _called(building: Building, tree: Chosen) -> Chosen:
    """Notes the names inside a repetition, each of which stands for all of its events."""
    for name in tree.names:
        building.call(name, Named(name, tree))
    return tree
