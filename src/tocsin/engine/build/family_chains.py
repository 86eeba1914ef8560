"""The chains of rules that are searched for as one: who has which, what is linked there, and what an event must be."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tocsin.algebra.patterns import AnyEvent, Primitive, walk
from tocsin.engine.build.gauges import gauge
from tocsin.engine.build.guards import Compiler
from tocsin.engine.network.arena import Arena, Chain, Keys, UsedChain
from tocsin.engine.network.firings import Firing
from tocsin.engine.network.gates import Gate, Linker
from tocsin.engine.network.gauges import Gauge, ToldTest
from tocsin.engine.network.runs import RunChain
from tocsin.engine.network.search import MadeElsewhereTest, OneOfTest, PresentTest, Test
from tocsin.engine.network.slots import Slots
from tocsin.plan.programs import Family
from tocsin.plan.searches import SOLE, SOURCE, TYPE, Leaf, Measured, RunLeaf, Slot

if TYPE_CHECKING:
    from tocsin.engine.build.searches import Builder


class FamilyChains:
    """A family's rules with the chains that their searches walk."""

    def __init__(self, builder: Builder, firing: Firing, family: Family, is_private: bool, blind_to: str) -> None:
        self.blind_to = blind_to
        self.constants = tuple(constant for constant, _ in family.members)
        self.builder, self.firing, self.network = builder, firing, builder.network
        self.owner: object = firing if is_private else None
        self.forgets_used = family.rule.forgets_used
        self.named = frozenset(part.type for part in walk(family.rule.pattern) if isinstance(part, Primitive))
        """Types that its rules see, declared or not: if they are later, what came before counts as any event, too."""

    def chain(
        self,
        leaf: Leaf,
        gate: Gate,
        key: tuple[str, ...],
        tables: tuple[Slots, ...] = (),
        *,
        late_only: bool = False,
        is_absent: bool = False,
    ) -> Chain:
        """The chain of a leaf's rows, by its key. `late_only`: it is a late arrival that asks for it.

        `is_absent`: what must be absent is looked for there, and mostly that is so among what is used up, too.
        """
        arena = gate.arena
        is_used_up = self.firing.is_generic and (self.forgets_used or not is_absent)
        mine = self.owner if leaf.measured is None else self.firing
        owner = mine if is_used_up or not self.firing.is_generic else (mine, LASTING)
        name = chain_name(leaf, arena, key, tables, owner)
        found = self.builder.chains.get(name)
        if found is None and name in self.builder._kept:
            found = self.builder.chains[name] = self.builder._kept[name]
            self._link_into(gate, found, leaf)
        if found is None:
            keys = keys_of(arena, key, tables)
            if isinstance(leaf, RunLeaf):
                found = RunChain(arena, keys)
            else:
                found = UsedChain(arena, keys) if is_used_up else Chain(arena, keys)
            arena.is_used_up = arena.is_used_up or is_used_up
            # What is used up is taken out of all chains at once, so that all of them have to be there.
            if late_only and not is_used_up:
                found.wait_for_late()
            self.builder.chains[name] = found
            self._link_into(gate, found, leaf)
            if is_used_up:
                self.firing.chains.append(found)
        if found.is_late_only and not late_only:
            self._link_always(gate, found)
        return found

    def gauge(self, leaf: Leaf, measured: Measured, gate: Gate) -> Gauge:
        """The aggregate that a leaf is told of by: a rule's own, for it counts what comes since the rule began."""
        known, name = self.builder.gauges, (self.firing, gate, measured)
        if name not in known:
            counted = replace(leaf, conditions=measured.conditions, measured=None)
            keys = keys_of(gate.arena, measured.same, self.builder.group_tables(measured.same))
            known[name] = gauge(measured, leaf, gate.arena, keys, self.firing, self.network.store, self.repetition)
            known[name].set_tests(self.own_tests(counted, gate))
        found = known[name]
        if found not in gate.gauges():
            gate.measure(found)
        return found

    def run_chain(self, leaf: RunLeaf, is_absent: bool) -> RunChain:
        """The chain of a run's rows."""
        gate, tables = self.builder.gate(leaf, self.firing), self.builder.group_tables(leaf.group)
        found = self.chain(leaf, gate, leaf.group, tables, is_absent=is_absent)
        assert isinstance(found, RunChain)
        return found

    def _link_into(self, gate: Gate, chain: Chain, leaf: Leaf) -> None:
        linker = self.builder._linkers[chain] = Linker(chain, self.own_tests(leaf, gate, is_link=True))
        if chain.is_late_only and linker.test is None:
            chain.links_itself = True
        elif chain.is_late_only:
            self.network.late_linkers.append(linker)
        else:
            linker.also, gate.linker = gate.linker, linker

    def _link_always(self, gate: Gate, chain: Chain) -> None:
        """Any arrival asks for a chain that only late ones have asked for so far."""
        linker = self.builder._linkers[chain]
        self.network.link_rest(linker)
        if not chain.links_itself:
            self.network.late_linkers.remove(linker)
        chain.wait_no_more()
        linker.also, gate.linker = gate.linker, linker

    def own_tests(self, leaf: Leaf, gate: Gate, *, is_link: bool = False) -> list[Test]:
        """What an event must be to stand for a leaf, as tests of register 0. `is_link`: perhaps later."""
        tests: list[Test] = []
        arena = gate.arena
        if leaf.measured is not None:
            tests.append(ToldTest(self.gauge(leaf, leaf.measured, gate)))
        if isinstance(leaf.pattern, Primitive) and leaf.pattern.site is not None:
            tests.append(OneOfTest(arena, arena.key(SOURCE, self.builder.table([SOURCE])), [leaf.pattern.site]))
        others = self.named if is_link and self.builder.is_commanded else frozenset()
        tests += self.declared_tests(leaf, arena, 0, others)
        compared = leaf.group if leaf.attribute is None else (leaf.attribute,)
        if leaf.row is not None:
            compared = (*leaf.row.same, *(() if leaf.row.different is None else (leaf.row.different,)))
        tests += [PresentTest(arena, arena.key(name, self.repetition(name))) for name in compared]
        if self.blind_to:
            tests.append(MadeElsewhereTest(arena, self.blind_to))
        guards = Compiler(self.builder.table, {0: arena}, self.firing.selection, self.constants, self.firing)
        sole = ((SOLE, Slot(0)),)
        plain, slow = partial(guards.test, variables=sole), partial(guards.slow, variables=sole)
        tests += [gate.texts.test(guard, plain, slow) for guard in leaf.conditions]
        return tests

    def declared_tests(
        self, leaf: Leaf, arena: Arena, register: int, others: frozenset[str] = frozenset()
    ) -> list[Test]:
        """Whether what stands in a register is of a class that is declared just now, or of some `others`."""
        if not isinstance(leaf.pattern, AnyEvent) or self.firing.declared is None:
            return []
        kinds = arena.key(TYPE, self.builder.table([TYPE]))
        test = OneOfTest(arena, kinds, [*self.firing.declared, *others], register)
        self.builder.any_declared.append((self.firing, test, others))
        return [test]

    def repetition(self, attribute: str) -> Slots:
        """The table of the values that a repetition compares."""
        return self.builder.table([attribute], for_guards=False)


def keys_of(arena: Arena, key: tuple[str, ...], tables: tuple[Slots, ...]) -> Keys | None:
    """The column by which an arena's rows are told apart."""
    keys: Keys | None = None
    if key:
        keys = arena.key(key[0], tables[0])
    for place in range(1, len(key)):
        assert keys is not None
        keys = arena.pair(keys, arena.key(key[place], tables[place]), tables[len(key) + place - 1])
    return keys


LASTING = "lasting"
"""With the firing that owns a chain: what it uses up stays there."""


def chain_name(
    leaf: Leaf, arena: Arena, key: tuple[str, ...], tables: tuple[Slots, ...], owner: object
) -> tuple[object, ...]:
    """What a chain is known by; `owner`: the firing whose own it is, perhaps `LASTING`, or None."""
    return ("chain", leaf, arena.name, key, tables, owner)
