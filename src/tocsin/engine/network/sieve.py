"""Many searches of one gate that begin with a text: an arrival starts those alone of which the texts are in it.

What a search needs are clauses, of each of which one fact must hold (`text_guards.py`). A clause is a bit, and the
clauses that a value of an attribute meets are a number, kept with what is known of the value: so an arrival costs a
few operations on long numbers, however many searches there are.
"""

from __future__ import annotations

from typing import Final

from tocsin.engine.network.gates import Gate, Root
from tocsin.engine.network.search import Search
from tocsin.engine.network.texts import Known, Texts

CLAUSES: Final = 4
"""Bits of a search: so many clauses are looked at, and those that it does not have are always met."""
ALL_MET: Final = (1 << CLAUSES) - 1
FEW: Final = 15
"""Searches whose bits are one small number: of so few it is asked after each attribute whether any is left."""

Clauses = list[list[tuple[Texts, int]]]
"""Of each of them one fact must hold."""


class Sieve(Root):
    """Searches in the order in which they are to run, each with what must hold for it."""

    def __init__(self, first: Root) -> None:
        super().__init__(first.firing, [])
        self.roots: list[Root] = []
        self.texts: list[Texts] = []
        self._by_fact: list[dict[int, int]] = []
        """By place in `texts` and by fact: the clauses that it meets."""
        self._always = 0
        """The clauses that are always met."""
        self._lowest = 0
        """The first bit of each search."""
        self._later: list[int] = []
        """By place in `texts`: the clauses that are met always, or perhaps by the attributes after it."""

    def let(self, root: Root, clauses: Clauses) -> None:
        """One more search."""
        first = len(self.roots) * CLAUSES
        self.roots.append(root)
        self._later = []
        self._lowest |= 1 << first
        self._always |= ALL_MET << first
        for place, clause in enumerate(clauses[:CLAUSES]):
            bit = 1 << (first + place)
            self._always ^= bit
            for texts, fact in clause:
                if texts not in self.texts:
                    self.texts.append(texts)
                    self._by_fact.append({})
                by_fact = self._by_fact[self.texts.index(texts)]
                by_fact[fact] = by_fact.get(fact, 0) | bit

    def run(self, s: Search) -> None:
        for root in self.sifted(s):
            root.run(s)

    def run_timed(self, s: Search) -> None:
        for root in self.sifted(s):
            root.run_timed(s)

    def searches(self) -> int:
        return len(self.roots)

    def sifted(self, s: Search) -> list[Root]:
        """The searches that the arrival may complete."""
        met, are_few = self._always, len(self.roots) <= FEW
        if are_few and len(self._later) < len(self.texts):
            self._note_later()
        for at in range(len(self.texts)):
            texts = self.texts[at]
            texts.look(s)
            if texts.is_odd:
                return self.roots
            known = texts.known
            if known.facts:
                if known.sieve is not self or known.searches != len(self.roots):
                    self._note(known, self._by_fact[at])
                met |= known.mask
            if are_few and not self._complete(met | self._later[at]):
                return []
        met = self._complete(met)
        found: list[Root] = []
        while met:
            lowest = met & -met
            found.append(self.roots[(lowest.bit_length() - 1) // CLAUSES])
            met ^= lowest
        return found

    def _complete(self, met: int) -> int:
        """The first bits of the searches all of whose clauses are met."""
        met &= met >> 1
        met &= met >> 2
        return met & self._lowest

    def _note_later(self) -> None:
        """Notes what the attributes after each may still meet."""
        later, found = self._always, list[int]()
        for by_fact in reversed(self._by_fact):
            found.append(later)
            for met in by_fact.values():
                later |= met
        self._later = found[::-1]

    def _note(self, known: Known, by_fact: dict[int, int]) -> None:
        """Notes which clauses the facts about a value meet."""
        mask = 0
        for fact in known.facts:
            met = by_fact.get(fact)
            if met is not None:
                mask |= met
        known.sieve, known.searches, known.mask = self, len(self.roots), mask


def sift(gate: Gate, root: Root, clauses: Clauses, in_order: bool) -> None:
    """Adds a search to a gate, in a sieve with those before it that have clauses, too: none runs out of its turn.

    One without clauses joins a sieve that stands before it: otherwise those after it would need another one.
    """
    last = gate.last_late()
    if isinstance(last, Sieve):
        last.let(root, clauses)
    else:
        gate.add_late(_begun(root, clauses))
    if not in_order:
        gate.asks_for_rest = True
        return
    last = gate.last_in_order()
    if isinstance(last, Sieve):
        last.let(root, clauses)
    else:
        gate.add_in_order(_begun(root, clauses))


def _begun(root: Root, clauses: Clauses) -> Root:
    if not clauses:
        return root
    sieve = Sieve(root)
    sieve.let(root, clauses)
    return sieve
