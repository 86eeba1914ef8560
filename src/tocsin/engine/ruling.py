"""The rules of a program at work: where each runs, what it shares with others, and how that changes.

Rules whose pattern can be searched for leaf by leaf run in the network, all together. The others (cumulative contexts,
automata that branch or wait, 2g stamps) have memories of their own, one for all that look for the same
(`remembering.py`); what cannot be searched for leaf by leaf is left to the plain meaning.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

from tocsin.algebra.detectors import Detector, Due, Setting, detector, time_leaves
from tocsin.algebra.occurrence import Occurrence
from tocsin.algebra.patterns import Pattern
from tocsin.algebra.replay import Monitor, Notes, declared_by, enabled_by
from tocsin.algebra.rules import Define, Program, Remove, Rule, Statement, Stop, shown_name
from tocsin.engine.allowance import Allowance
from tocsin.engine.build import Builder, remembers, why_apart
from tocsin.engine.firing import Firing
from tocsin.engine.gates import Bell
from tocsin.engine.network import Network
from tocsin.engine.numbering import SPREAD
from tocsin.engine.relations import interplays, makes_what_it_sees, removes_late, searched_as_one, takes_any, waits
from tocsin.engine.remembering import has_own_memory, remembering
from tocsin.engine.sharing import Shared, Sharing, part_ways
from tocsin.engine.stamped import is_by_exact_times
from tocsin.events import Event
from tocsin.planner.families import Family, families
from tocsin.rules.budgets import UNLIMITED, Budgets

MOST_DEAD = 8
"""Rules that were disabled and are still looked at, before the searches are built anew without them."""


class Native(Detector):
    """A rule that runs in the network: what is left to say of it alone."""

    def __init__(self, rule: Rule, setting: Setting, since: int) -> None:
        super().__init__(rule, setting, since)
        self.firing: Firing | None = None
        self.silent: frozenset[Pattern] = frozenset()
        """Time points that have occurred before."""

    def silence(self, points: Container[Pattern]) -> None:
        super().silence(points)
        self.silent = frozenset([alarm.pattern for alarm in self.alarms if alarm.pattern in points])

    def arrive(self, arrival: Event) -> list[Occurrence]:
        raise AssertionError("the network takes the events of its rules")

    def forget(self, now: int) -> None:
        """The network forgets for all its rules."""

    def remembered(self) -> object:
        raise AssertionError("the network remembers for its rules")

    def remember(self, memory: object) -> None:
        raise AssertionError("the network remembers for its rules")

    def next_due(self, *, with_periodic: bool = True) -> Due | None:
        """The network waits for all its rules."""
        return None


class Ruling(Monitor):
    """The rules of a program, built into a network or kept by their detectors."""

    def __init__(
        self,
        program: Program,
        granularity: int | None,
        notes: Notes,
        budgets: Budgets = UNLIMITED,
        is_live: bool = False,
        plain: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(program, granularity, notes)
        self.budgets = budgets
        self.plain = plain
        """The rules that keep the detectors of the plain meaning though they need not: to be watched, or because they
        go on with what such a detector remembered."""
        self.is_live = is_live
        """Whether commands come while it runs. What they may change is then built into no search."""
        self.network = Network()
        if budgets.total is not None:
            self.network.total = Allowance(budgets.total)
        self.builder = Builder(self.network, granularity)
        self.unbuilt: list[Native] = []
        self._has_dead = False
        self._places: dict[str, int] = {}
        """Where each rule stands among all: of what is found together, that of the first comes first."""
        self._number = 0
        self._sharing = Sharing()
        self._found: dict[str, list[Occurrence]] = {}
        """By rule: what the network has found for it that it has not fired for yet."""
        self._look_at(program)

    def _look_at(self, program: Program) -> None:
        """Finds out how the rules of a program can be run."""
        self._removes_late = removes_late(program)
        self._has_links = interplays(program)
        is_stamped = self._setting.granularity is not None  # what stamps are is told event by event
        self.has_interplay = self._has_links or is_stamped or not all(map(self._is_native, program.rules))
        self._only_reports = not any(rule.actions or rule.strict or rule.suppress for rule in program.rules)
        self.has_timers = self.has_interplay or any(map(waits, program.rules))
        self.network.search.is_stepping = self.has_interplay

    def keep_plain(self, names: set[str]) -> None:
        """Lets rules that go on with what a detector of the plain meaning remembered keep such a detector."""
        moved = {rule.name for rule in self.program.rules if rule.name in names and self._is_native(rule)}
        if moved:
            self.plain |= moved
            self._look_at(self.program)

    def _is_native(self, rule: Rule) -> bool:
        return not self.why_apart(rule)

    def why_apart(self, rule: Rule) -> str:
        """Why a rule does not run in the network; nothing if it runs there."""
        if self._setting.granularity is not None:
            if has_own_memory(rule):
                return "nodes of the network that remember have no 2g stamps"
            if self._has_links or not is_by_exact_times(rule.pattern):
                return "the network searches by exact times, and here joined 2g stamps are compared"
        if rule.name in self.plain:
            return "it is watched"
        if (self.is_live or self._removes_late) and rule.strict and takes_any(rule):
            return "'*' stands for what is declared, which commands change"
        has_budget = self.budgets.of(rule.name) is not None or self.budgets.total is not None
        if has_budget and remembers(rule):
            return "what it remembers keeps to no budget"
        return why_apart(rule)

    def why_plain(self, rule: Rule) -> str:
        """Why a rule runs on the plain meaning; nothing if it does not."""
        is_plain = self.witness is not None or rule.name in self.plain or not has_own_memory(rule)
        return self.why_apart(rule) if is_plain else ""

    # -- rules -------------------------------------------------------------------------------------------------

    def _detector(self, rule: Rule) -> Detector:
        assert self.now is not None
        if not self._is_native(rule):
            if self.budgets.of(rule.name) is not None or self.budgets.total is not None:
                self._warn(f"rule '{shown_name(rule.name)}' remembers more than events, and that keeps to no budget")
            if self.witness is not None or rule.name in self.plain:
                return detector(rule, self._setting, self.now)
            if self._has_links or self.is_live:
                return remembering(rule, self._setting, self.now)
            return self._sharing.joined(rule, self._setting, self.now)
        made = Native(rule, self._setting, self.now)
        self.unbuilt.append(made)
        return made

    def _disable(self, name: str) -> None:
        one = self._enabled.get(name)
        super()._disable(name)
        if isinstance(one, Shared):
            one.leave()
        if isinstance(one, Native):
            self.unbuilt = [each for each in self.unbuilt if each is not one]
            if one.firing is not None:
                self._count_refused(one.firing, name)
                one.firing.remove(name)
                self._has_dead = True

    def change(self, program: Program) -> None:
        self._has_links = interplays(program)
        if self._has_links:
            self._part_ways()
        super().change(program)
        self._look_at(program)
        self.build()
        self._put_in_order()

    def _part_ways(self) -> None:
        """What one rule does may concern others now: each remembers for itself."""
        part_ways([one for one in self._enabled.values() if isinstance(one, Shared)])

    def _declare(self) -> None:
        """Rules that go on and take events of any declared class have to know which those are now."""
        super()._declare()
        declared = frozenset(self._classes)
        for firing, test in self.builder.any_declared:
            if firing.declared is not None and firing.declared != declared:
                test.allow(list(declared))
        for firing in self.network.firings:
            firing.declared = None if firing.declared is None else declared

    def command(self, statements: tuple[Statement, ...], clock: int | None = None) -> None:
        super().command(statements, clock)
        if any(isinstance(statement, Define | Remove | Stop) for statement in statements):
            self._look_at(self.program)
        if self._has_links:
            self._part_ways()
        if self.now is not None:
            self.build()
            self._put_in_order()

    @property
    def last_number(self) -> int:
        """The number of the event that came last, however it came."""
        return max(self._number, int(self.network.store.next - 1) * int(SPREAD))

    @property
    def rung(self) -> dict[str, list[str]]:
        """By rule, as texts: the exact time points that have occurred, but for those of enabled rules."""
        return {name: [repr(point) for point in points] for name, points in self._rung.items()}

    @property
    def running(self) -> Mapping[str, Detector]:
        """The enabled rules."""
        return self._enabled

    def resume(self, now: int, enabled: set[str], known: set[str], rung: Mapping[str, Container[str]]) -> None:
        """Starts the clock in the middle: without the statements, with the rules that are `enabled`.

        Those that are not among the `known` are new: they run if the program enables them. `rung`: the time points
        that have occurred before they were enabled, as texts.
        """
        self.now = now
        self._rules = {rule.name: rule for rule in self.program.rules}
        self._classes = declared_by(self.program)
        self._declare()
        self._rung = {
            name: {leaf for leaf in time_leaves(self._rules[name].pattern) if repr(leaf) in rung[name]}
            for name in rung
            if name in known
        }
        started = enabled_by(self.program)
        for name in self._rules:
            if name in enabled or (name not in known and name in started):
                self._enablings = 0
                self._enable(name)

    def build(self) -> None:
        """Builds the rules that were enabled since the last call; when many are gone, what they left is cleaned up."""
        if self._has_dead and self.network.moments.count == 0:
            self._has_dead = False
            dead = sum([not firing.is_alive for firing in self.network.firings])
            if dead > MOST_DEAD and dead * 2 > len(self.network.firings):
                self.builder.clean_up()
        if self.unbuilt:
            assert self.now is not None
            self.build_since(self.unbuilt, self.last_number + 1, self.now)

    def build_since(self, natives: list[Native], since: int, now: int) -> None:
        """Builds rules that see events from a number on: those that can be searched for as one together."""
        alone = [native for native in natives if self._is_alone(native.rule)]
        others = {native.rule.name: native for native in natives if native not in alone}
        self.unbuilt = [native for native in self.unbuilt if native not in natives]
        for native in alone:
            family = Family(native.rule, ((None, (native.rule,)),))
            is_blind = makes_what_it_sees(native.rule)
            self._build(family, {native.rule.name: native}, since, now, blind=is_blind)
        for alike in searched_as_one([native.rule for native in others.values()], self._is_apart()):
            for family in families(alike):
                self._build(family, others, since, now, blind=False)
        self._put_in_order()

    def _put_in_order(self) -> None:
        """Of moments that come together those of the rule that is defined first come first.

        A rule's own clocks ring as they are written.
        """
        places = self._places = {name: place for place, name in enumerate(self._rules)}
        agenda = self.network.agenda
        agenda.set(sorted(agenda.waitings, key=lambda each: place_of(each.firing, places)))
        self.network.bells.sort(key=lambda each: (place_of(each.firing, places), _leaf_place(each)))
        self.network.note_next()

    def _build(self, family: Family, natives: dict[str, Native], since: int, now: int, *, blind: bool) -> None:
        self.builder.declared = natives[family.rule.name].declared
        firing = self.builder.add(family, since, now, blind=blind, budget=self.budgets.of(family.rule.name))
        for rule in firing.rules:
            natives[rule.name].firing = firing
        silent = natives[family.rule.name].silent
        for bell in self.network.bells if silent else ():
            if bell.firing is firing and bell.alarm.pattern in silent:
                bell.alarm.next = None

    def _rung_by(self, one: Detector) -> list[Pattern]:
        if not isinstance(one, Native):
            return super()._rung_by(one)
        bells = [bell for bell in self.network.bells if bell.firing is one.firing]
        return [*one.silent, *[bell.alarm.pattern for bell in bells if bell.alarm.has_rung]]

    def _is_alone(self, rule: Rule) -> bool:
        """Whether a rule shares its search with no other: its budget and what it makes itself are its own."""
        return self.budgets.of(rule.name) is not None or makes_what_it_sees(rule)

    def _is_apart(self) -> bool:
        """Whether what one rule does may concern the next."""
        return self.is_live or self.has_interplay or self.network.search.is_stepping

    def _count_refused(self, firing: Firing, name: str) -> None:
        if firing.refused:
            self.notes.refused[f"older than the detection window of rule {shown_name(name)}"] += firing.refused


def place_of(firing: Firing, places: Mapping[str, int]) -> int:
    """Where the first of its rules stands."""
    return min((places[rule.name] for rule in firing.rules if rule.name in places), default=len(places))


def _leaf_place(bell: Bell) -> int:
    """Where a rule's clock stands among those of its pattern; anywhere, if the rule is gone."""
    rules = bell.firing.rules
    return time_leaves(rules[0].pattern).index(bell.alarm.pattern) if rules else 0
