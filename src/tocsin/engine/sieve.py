"""Many searches of one gate that begin with a text: an arrival starts those alone of which a text is in it."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from tocsin.engine.gates import Gate, Root
from tocsin.engine.search import Search
from tocsin.engine.texts import Texts
from tocsin.engine.vectors import filled, widened


class Sieve(Root):
    """Searches in the order in which they are to run, each with facts of which one must hold."""

    def __init__(self, first: Root) -> None:
        super().__init__(first.firing, [])
        self.roots: list[Root] = []
        self.texts: list[Texts] = []
        self._by_fact: list[dict[int, list[int]]] = []
        """By place in `texts` and by fact: the places of the searches that it lets through."""
        self._marks: vec[i64] = filled(16, 0)
        self._run: i64 = 0

    def let(self, root: Root, clause: list[tuple[Texts, int]]) -> None:
        """One more search."""
        place = len(self.roots)
        self.roots.append(root)
        self._marks = widened(self._marks, len(self.roots), 0)
        for texts, fact in clause:
            if texts not in self.texts:
                self.texts.append(texts)
                self._by_fact.append({})
            self._by_fact[self.texts.index(texts)].setdefault(fact, []).append(place)

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
        self._run += 1
        marks, run = self._marks, self._run
        places: list[int] = []
        for at in range(len(self.texts)):
            texts = self.texts[at]
            texts.look(s)
            if texts.is_odd:
                return self.roots
            if not texts.true:
                continue
            by_fact = self._by_fact[at]
            for fact in texts.true:
                found = by_fact.get(fact)
                if found is not None:
                    for place in found:
                        if marks[place] != run:
                            marks[place] = run
                            places.append(place)
        if not places:
            return []
        places.sort()
        return [self.roots[place] for place in places]


def sift(gate: Gate, root: Root, clause: list[tuple[Texts, int]], in_order: bool) -> None:
    """Adds a search to a gate, in a sieve with those before it that have a clause, too: none runs out of its turn."""
    last = gate.last_late()
    if not isinstance(last, Sieve):
        last = Sieve(root)
        gate.add_late(last)
    last.let(root, clause)
    if not in_order:
        gate.asks_for_rest = True
        return
    last = gate.last_in_order()
    if not isinstance(last, Sieve):
        last = Sieve(root)
        gate.add_in_order(last)
    last.let(root, clause)
