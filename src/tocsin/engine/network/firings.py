"""Where searches end: matches are written down, or the oldest is kept."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tocsin.algebra.occurrence import TIMER, Occurrence, chronology
from tocsin.algebra.patterns import Pattern
from tocsin.algebra.rules import Rule
from tocsin.engine.network.allowance import Allowance
from tocsin.engine.network.arena import Arena, Chain
from tocsin.engine.network.assembly import assembled
from tocsin.engine.network.batch import Store
from tocsin.engine.network.search import Best, Owner, Search, Selection
from tocsin.engine.network.steps import Step
from tocsin.engine.network.vectors import FAR, doubled, filled, widened
from tocsin.events import Event
from tocsin.plan.searches import tree_registers
from tocsin.time.periods import Period

HEAD: Final[i64] = 2
"""What stands before the numbers of a match's events: the moment it was found, and its branch and selection."""
MOST_BRANCHES: Final[i64] = 1024


class Firing(Owner):
    """Rules that are searched for as one: equal ones, or a family of which `members` has the rules a constant each.

    Its matches are rows of numbers; a row's selection says which of the members it is for.
    """

    def __init__(
        self, members: list[list[Rule]], is_equal: bool, is_generic: bool, window: Period | None, since: int, now: int
    ) -> None:
        super().__init__()
        self.members, self.is_equal, self.is_generic = members, is_equal, is_generic
        self.selection = Selection()
        self.selection.value = 1
        self.since: i64 = since
        self.enabled_at: i64 = now
        self.window = window
        self.declared: frozenset[str] | None = None
        """What any event stands for; None for every type."""
        self.length: i64 = -1
        if window is not None and not window.years and not window.months:
            self.length = window.microseconds
        self.reach: i64 = 0
        """How much further back than the window what its aggregates count may lie."""
        self.trees: list[Pattern] = []
        self.registers: list[list[int]] = []
        """Those of each tree."""
        self.stride: i64 = HEAD
        self.matches: vec[i64] = filled(1024, 0)
        self.used: i64 = 0
        self.mark: i64 = 0
        self.turn: i64 = -1
        self.is_plain = not is_generic and len(members) == 1
        """Whether a match counts as it is found, whatever else the turn brings; unless it `is_distinct`."""
        self.is_distinct = False
        self.oldest = Best()
        self.is_hopeful = False
        """Whether searches are cut short by what `oldest` tells."""
        self.has_best = False
        self.best: Emit | None = None
        self.best_rows: vec[i64] = filled(16, 0)
        self.best_numbers: vec[i64] = filled(16, 0)
        self.chains: list[Chain] = []
        self.allowance: Allowance | None = None
        self.puts_off = False
        """Whether what arrives is taken later: it is an automaton, and others feed it."""
        self.put_off: list[tuple[int, Step, int]] = []
        """What it has to take: the number of an event, what to do with it, and its row."""
        """Of rules with a budget of their own. They have their own gates too, and share nothing."""
        self.refused = 0
        self.detections: i64 = 0
        self.selected: vec[i64] = filled(len(members) + 1, 0)
        """For a family: how many matches there were for each selection."""
        self.seen_before: dict[str, tuple[int, int]] = {}
        """For each type: how many events, and late ones, had arrived before it was enabled."""
        self.cpu = 0.0
        """Seconds of the turns that were timed: one in SAMPLED."""
        self._reported: set[tuple[object, ...]] = set()
        self._reported_at: i64 = -FAR
        self._low: i64 = -FAR
        self._low_at: i64 = -FAR

    def plant(self, trees: list[Pattern]) -> None:
        """Sets the trees of its branches."""
        self.trees = trees
        self.registers = [tree_registers(tree) for tree in trees]

    def low(self, now: i64) -> i64:
        """The earliest end that the window lets in."""
        if self.length >= 0:
            return now - self.length
        if self.window is None:
            return -FAR
        if now != self._low_at:
            self._low_at = now
            self._low = self.window.scaled(-1).added_to(int(now))
        return self._low

    # -- what one turn found -------------------------------------------------------------------------------------

    def finish(self, s: Search) -> None:
        """Ends a turn: of a generic rule only the oldest occurrence counts, and its events are used up."""
        moments, clock = s.moments, s.clock
        if self.is_generic:
            best = self.best
            assert best is not None
            best.write(self.best_numbers, moments.at(s.turn, s.now, clock))
            self._use_up(best)
            self.has_best = self.oldest.is_known = False
        else:
            if self.is_distinct:
                self._drop_repeated(s)
            moment = moments.at(s.turn, s.now, clock)
            at, matches, stride = self.mark, self.matches, self.stride
            while at < self.used:
                matches[at] = moment
                at += stride
            if len(self.members) > 1:
                self._count_selected()
        self.detections += (self.used - self.mark) // self.stride

    @property
    def rules(self) -> list[Rule]:
        """All of its rules."""
        return [rule for rules in self.members for rule in rules]

    def rules_at(self, at: i64) -> list[Rule]:
        """The rules that the match at a place is for."""
        count = int(self.matches[at + 1] // MOST_BRANCHES)
        if self.is_equal:
            return self.members[count - 1]
        return [rule for rules in self.members[:count] for rule in rules]

    def remove(self, name: str) -> None:
        """Takes a rule out; without any it is dead."""
        self.members = [[rule for rule in rules if rule.name != name] for rules in self.members]
        self.is_alive = any(self.members)

    def _count_selected(self) -> None:
        at = self.mark
        while at < self.used:
            self.selected[self.matches[at + 1] // MOST_BRANCHES] += 1
            at += self.stride

    def found_for(self, name: str) -> int:
        """How many detections a rule of it had."""
        if len(self.members) == 1:
            return int(self.detections)
        for place, rules in enumerate(self.members):
            if any(rule.name == name for rule in rules):
                if self.is_equal:
                    return int(self.selected[place + 1])
                return sum([int(self.selected[count]) for count in range(place + 1, len(self.members) + 1)])
        return 0

    def _use_up(self, best: Emit) -> None:
        for place in range(len(best.arenas)):
            row = self.best_rows[best.registers[place]]
            number = best.arenas[place].numbers[row & best.arenas[place].mask]
            for chain in self.chains:
                found = row if chain.arena is best.arenas[place] else chain.arena.row_of(number)
                if found >= chain.arena.head:
                    chain.unlink(found)

    def _drop_repeated(self, s: Search) -> None:
        """Each occurrence once, and at one instant once: two moments that come together may complete the same."""
        if self._reported_at != s.now:
            self._reported_at = s.now
            self._reported.clear()
        found: list[tuple[tuple[object, ...], int, tuple[object, ...]]] = []
        at = self.mark
        while at < self.used:
            one = self.occurrence(at, s.store)
            found.append((chronology(one), int(at), one.key))
            at += self.stride
        found.sort(key=_first)
        kept: list[int] = []
        for _, place, key in found:
            if key not in self._reported:
                self._reported.add(key)
                kept.append(place)
        self._keep(kept)

    def _keep(self, kept: list[int]) -> None:
        """Leaves only some of the turn's matches."""
        stride = int(self.stride)
        rows = [[int(self.matches[at + place]) for place in range(stride)] for at in kept]
        at = self.mark
        for row in rows:
            for number in row:
                self.matches[at] = number
                at += 1
        self.used = at

    def occurrence(self, at: i64, store: Store) -> Occurrence:
        """The match at a place as an occurrence."""
        branch = self.matches[at + 1] % MOST_BRANCHES
        events: dict[int, Event] = {}
        for register in self.registers[branch]:
            events[register] = store.event(self.matches[at + HEAD + register])
        return assembled(self.trees[branch], events, self.granularity)


def _first(found: tuple[tuple[object, ...], int, tuple[object, ...]]) -> tuple[object, ...]:
    return found[0]


class Emit(Step):
    """A match of one branch: the numbers of its events, in the order in which the branch has its leaves."""

    def __init__(
        self,
        firing: Firing,
        branch: int,
        arenas: list[Arena],
        registers: list[int],
        touched: list[Firing],
    ) -> None:
        super().__init__()
        self.firing, self.arenas, self.touched = firing, arenas, touched
        self.branch: i64 = branch
        self.registers: vec[i64] = filled(len(registers), 0)
        for place, register in enumerate(registers):
            self.registers[place] = register
        self.count: i64 = len(registers)

    def run(self, s: Search) -> None:
        firing = self.firing
        if not firing.is_alive:
            return
        if firing.is_plain and not s.is_stepping:
            if s.moments.turn == s.turn:
                self.write(s.numbers, s.moments.count - 1)
            else:
                self.write(s.numbers, s.moments.at(s.turn, s.now, s.clock))
            firing.detections += 1
            return
        if firing.turn != s.turn:
            firing.turn = s.turn
            firing.mark = firing.used
            self.touched.append(firing)
        if firing.is_generic:
            self._keep_older(s)
        else:
            self.write(s.numbers, 0)

    def write(self, numbers: vec[i64], moment: i64) -> None:
        """Writes a match down."""
        firing, count = self.firing, self.count
        at = firing.used
        following = at + firing.stride
        if following > len(firing.matches):
            firing.matches = doubled(firing.matches)
        firing.used = following
        matches, registers, selected = firing.matches, self.registers, firing.selection.value
        if selected == 0:
            selected = firing.selection.found()
        matches[at] = moment
        matches[at + 1] = self.branch + selected * MOST_BRANCHES
        at += HEAD
        place: i64 = 0
        while place < count:
            matches[at + place] = numbers[registers[place]]
            place += 1

    def _keep_older(self, s: Search) -> None:
        firing = self.firing
        if firing.has_best:
            assert firing.best is not None
            if not self._is_older(s):
                return
        firing.has_best = True
        firing.best = self
        s.has_best = True
        if len(firing.best_rows) < len(s.rows):
            firing.best_rows = widened(firing.best_rows, len(s.rows), 0)
            firing.best_numbers = widened(firing.best_numbers, len(s.rows), 0)
        place: i64 = 0
        while place < self.count:
            register = self.registers[place]
            row = s.rows[register]
            firing.best_rows[register] = row
            firing.best_numbers[register] = s.numbers[register]
            s.ends[register] = self.arenas[place].ends[row & self.arenas[place].mask]
            place += 1
        if firing.is_hopeful:
            firing.oldest.times, firing.oldest.numbers = self.times(s.rows)
            firing.oldest.is_known = True

    def _is_older(self, s: Search) -> bool:
        """Whether what stands is chronologically older than the best so far."""
        best = self.firing.best
        assert best is not None
        mine, other = self.times(s.rows), best.times(self.firing.best_rows)
        if mine != other:
            return mine < other
        return chronology(self.found(s.rows, s.store)) < chronology(best.found(self.firing.best_rows, s.store))

    def times(self, rows: vec[i64]) -> tuple[list[int], list[int]]:
        """The ascending times of the events that are not time events, then their numbers in that order."""
        seen: dict[int, int] = {}
        for place in range(len(self.arenas)):
            arena = self.arenas[place]
            if not arena.name.startswith(TIMER):
                at = rows[self.registers[place]] & arena.mask
                seen[int(arena.numbers[at])] = int(arena.ends[at])
        ordered = sorted([(end, number) for number, end in seen.items()])
        return [end for end, _ in ordered], [number for _, number in ordered]

    def found(self, rows: vec[i64], store: Store) -> Occurrence:
        """What stands in the registers, as an occurrence."""
        events: dict[int, Event] = {}
        for place in range(len(self.arenas)):
            arena = self.arenas[place]
            events[place] = store.event(arena.numbers[rows[self.registers[place]] & arena.mask])
        return assembled(self.firing.trees[self.branch], events, self.firing.granularity)
