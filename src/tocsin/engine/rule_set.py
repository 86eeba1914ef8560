"""The rules of a program at work: where each runs, what it shares with others, and how that changes.

Rules whose pattern can be searched for leaf by leaf run in the network, all together. The others (cumulative contexts,
automata that branch or wait, 2g stamps) have memories of their own, one for all that look for the same
(`indexed.py`); what cannot be searched for leaf by leaf is left to the plain meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import replace

from tocsin.algebra.detectors import Detector, Due, Setting, time_leaves
from tocsin.algebra.evaluation import Evaluation
from tocsin.algebra.finder import Finder
from tocsin.algebra.interpreter import Interpreter
from tocsin.algebra.links import Links
from tocsin.algebra.notes import Notes
from tocsin.algebra.occurrence import Occurrence
from tocsin.algebra.partitions import partitioned
from tocsin.algebra.patterns import Pattern
from tocsin.algebra.rules import Define, Program, Remove, Rule, Statement, Stop, shown_name
from tocsin.algebra.scripts import declared_by, enabled_by
from tocsin.algebra.suppression import Suppression
from tocsin.algebra.witness import Witness
from tocsin.engine.build.searches import Builder
from tocsin.engine.detectors.indexed import remembering
from tocsin.engine.detectors.shared import Shared, Sharing, part_ways
from tocsin.engine.network.allowance import Allowance
from tocsin.engine.network.firings import Firing
from tocsin.engine.network.gates import Bell
from tocsin.engine.network.network import Network
from tocsin.engine.network.numbers import SPREAD
from tocsin.events import Event
from tocsin.plan.programs import FamilyPlan, Place, Plan, Relations, RulePlan, Settings, settings_of
from tocsin.planner import plan
from tocsin.rules.budgets import UNLIMITED, Budgets

Planner = Callable[[Program, Settings], Plan]
"""Makes plans: all that the engine asks for when rules begin that its plan does not have."""

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


class RuleSet(Finder):
    """The rules of a program, built into a network or kept by their detectors."""

    def __init__(
        self,
        program: Program,
        granularity: int | None,
        notes: Notes,
        budgets: Budgets = UNLIMITED,
        is_live: bool = False,
        plain: frozenset[str] = frozenset(),
        made: Plan | None = None,
        planner: Planner = plan,
    ) -> None:
        self.notes = notes
        self.interpreter = Interpreter(program, granularity, notes, self)
        self.evaluation = Evaluation(self.interpreter, self)
        self.budgets = budgets
        self.settings = settings_of(granularity, is_live=is_live, plain=plain, budgets=budgets)
        self.plan = Plan(program, self.settings)
        """How the rules are run: `made`, if it is given, until the rules change."""
        self._planner = planner
        self._rule_plans: dict[str, RulePlan] = {}
        self.has_interplay = self.has_timers = self._only_reports = False
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
        self._former: set[str] = set()
        """The rules that go on beside the network with what they remembered in an earlier release."""
        self._found: dict[str, list[Occurrence]] = {}
        """By rule: what the network has found for it that it has not fired for yet."""
        self._follow(made if made is not None else planner(program, self.settings))

    @property
    def program(self) -> Program:
        """What it runs."""
        return self.interpreter.program

    @property
    def now(self) -> int | None:
        """The rules' clock; there is none before the first event."""
        return self.interpreter.now

    @now.setter
    def now(self, time: int | None) -> None:  # of the same type as what is got: compiled, another would be misread
        self.interpreter.now = time

    @property
    def has_begun(self) -> bool:
        """Whether the rules' clock runs."""
        return self.interpreter.has_begun

    @property
    def links(self) -> Links:
        """Who feeds whom among the rules just now."""
        return self.interpreter.links

    @property
    def suppression(self) -> Suppression:
        """What was told lately of rules that do not tell everything."""
        return self.interpreter.suppression

    @property
    def enabled(self) -> list[str]:
        """The rules that see events; before the clock starts, those that will."""
        return self.interpreter.enabled

    @property
    def has_stopped(self) -> bool:
        """Whether `stop` was said: nothing is seen any more."""
        return self.interpreter.has_stopped

    @property
    def witness(self) -> Witness | None:
        """Who watches the run."""
        return self.interpreter.witness

    @witness.setter
    def witness(self, witness: Witness | None) -> None:
        self.interpreter.witness = witness

    def standing(self) -> Program:
        """What is declared, defined and enabled just now, as a script that brings a new engine there."""
        return self.interpreter.standing()

    # -- the plan ----------------------------------------------------------------------------------------------

    def _follow(self, made: Plan) -> None:
        """Runs rules as a plan says from now on."""
        self.plan = made
        self._rule_plans = {each.rule.name: each for each in made.rules}
        self.has_interplay, self.has_timers, self._only_reports = made.has_interplay, made.has_timers, made.only_reports
        self.network.search.is_stepping = self.has_interplay

    def _plan_again(self, program: Program) -> None:
        """The rules are others now. Of those that run, none begins."""
        starting = () if self.interpreter.has_begun else None
        self._follow(self._planner(program, replace(self.settings, starting=starting)))

    def keep_plain(self, names: set[str]) -> None:
        """Lets rules that go on with what was remembered beside the network, in an earlier release, stay there."""
        moved = {rule.name for rule in self.program.rules if rule.name in names and self._is_native(rule)}
        if moved:
            self._former |= moved
            self.settings = replace(self.settings, plain=tuple(sorted({*self.settings.plain, *moved})))
            self._plan_again(self.program)

    def rule_plan(self, rule: Rule) -> RulePlan:
        """Where a rule runs. One that is not in the plan yet is planned beside the others."""
        known = self._rule_plans.get(rule.name)
        if known is None or known.rule != rule:
            settings = replace(self.settings, starting=(), around=self.plan.relations)
            (known,) = self._planner(Program((Define(rule),)), settings).rules
        return known

    def _is_native(self, rule: Rule) -> bool:
        return not self.rule_plan(rule).is_apart

    def why_apart(self, rule: Rule) -> str:
        """Why a rule does not run in the network; nothing if it runs there."""
        return self.rule_plan(rule).reason

    def why_plain(self, rule: Rule) -> str:
        """Why a rule runs on the plain meaning; nothing if it does not."""
        planned = self.rule_plan(rule)
        return planned.reason if self.witness is not None or planned.place is Place.PLAIN else ""

    def _planned_together(self, rules: list[Rule]) -> tuple[FamilyPlan, ...]:
        """The searches of rules that begin now, together: they are in the plan, or they are planned by themselves."""
        are_apart = self.settings.is_live or self.has_interplay or self.network.search.is_stepping
        if self.plan.relations.are_apart == are_apart and self.plan.starts(rules):
            return self.plan.families
        # They run in the network: what has been decided is not asked again, whatever else runs by now.
        starting = tuple([rule.name for rule in rules])
        around = Relations(are_apart=are_apart)
        ticks, budgeted = self.settings.granularity, self.settings.budgeted
        settings = Settings(ticks, budgeted=budgeted, starting=starting, around=around)
        return self._planner(Program(tuple([Define(rule) for rule in rules])), settings).families

    # -- rules -------------------------------------------------------------------------------------------------

    def begun(self, rule: Rule) -> Detector:
        setting, now = self.interpreter.setting, self.interpreter.time
        if not self._is_native(rule):
            if self.budgets.of(rule.name) is not None or self.budgets.total is not None:
                self.notes.warn(
                    f"rule '{shown_name(rule.name)}' remembers more than events, and that keeps to no budget"
                )
            is_watched = rule.name in self.settings.plain and rule.name not in self._former
            if self.interpreter.witness is not None or is_watched:
                return partitioned(rule, setting, now)
            if self.plan.relations.has_links or self.settings.is_live or rule.name in self._former:
                return remembering(rule, setting, now)
            return self._sharing.joined(rule, setting, now)
        made = Native(rule, setting, now)
        self.unbuilt.append(made)
        return made

    def ended(self, name: str, one: Detector) -> None:
        if isinstance(one, Shared):
            one.leave()
        if isinstance(one, Native):
            self.unbuilt = [each for each in self.unbuilt if each is not one]
            if one.firing is not None:
                self._count_refused(one.firing, name)
                one.firing.remove(name)
                self._has_dead = True
                if not one.firing.is_alive:
                    self.network.drop_waits(list(self.builder.waitings[one.firing].values()))

    def change(self, program: Program) -> None:
        """Goes on with another program: rules that are equal keep what they remember, new ones see what comes now."""
        self._plan_again(program)
        if self.plan.relations.has_links:
            self._part_ways()
        self.interpreter.change(program)
        self.build()
        self._put_in_order()

    def _part_ways(self) -> None:
        """What one rule does may concern others now: each remembers for itself."""
        part_ways([one for one in self.interpreter.running.values() if isinstance(one, Shared)])

    def declared(self, classes: frozenset[str]) -> None:
        """Rules that go on and take events of any declared class have to know which those are now."""
        for firing, test, others in self.builder.any_declared:
            if firing.declared is not None and firing.declared != classes:
                test.allow([*classes, *others])
        for firing in self.network.firings:
            firing.declared = None if firing.declared is None else classes

    def command(self, statements: tuple[Statement, ...], clock: int | None = None) -> None:
        """Runs what is typed between two arrivals; rules that it does not concern keep what they remember."""
        self.evaluation.command(statements, clock)
        if any(isinstance(statement, Define | Remove | Stop) for statement in statements):
            self._plan_again(self.program)
        if self.plan.relations.has_links:
            self._part_ways()
        if self.now is not None:
            self.build()
            self._put_in_order()

    @property
    def last_number(self) -> int:
        """The number of the event that came last, however it came."""
        return max(self._number, int(self.network.store.next - 1) * int(SPREAD))

    @property
    def rung(self) -> Mapping[str, set[Pattern]]:
        """By rule: the exact time points that have occurred, but for those of enabled rules."""
        return self.interpreter.rung

    @property
    def running(self) -> Mapping[str, Detector]:
        """The enabled rules."""
        return self.interpreter.running

    def resume(self, now: int, enabled: set[str], known: set[str], rung: Mapping[str, set[Pattern]]) -> None:
        """Starts the clock in the middle: without the statements, with the rules that are `enabled`.

        Those that are not among the `known` are new: they run if the program enables them. `rung`: the time points
        that have occurred before they were enabled.
        """
        self.now = now
        self.interpreter.rules = {rule.name: rule for rule in self.program.rules}
        self.interpreter.classes = declared_by(self.program)
        self.interpreter.redeclare()
        self.interpreter.rung = dict(rung)
        started = enabled_by(self.program)
        for name in self.interpreter.rules:
            if name in enabled or (name not in known and name in started):
                self.interpreter.enablings = 0
                self.interpreter.enable(name)

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
        named = {native.rule.name: native for native in natives}
        self.unbuilt = [native for native in self.unbuilt if native not in natives]
        for planned in self._planned_together([native.rule for native in natives]) if natives else ():
            self._build(planned, named, since, now)
        self._put_in_order()

    def _put_in_order(self) -> None:
        """Of moments that come together those of the rule that is defined first come first.

        A rule's own clocks ring as they are written.
        """
        places = self._places = {name: place for place, name in enumerate(self.interpreter.rules)}
        agenda = self.network.agenda
        agenda.set(sorted(agenda.waitings, key=lambda each: place_of(each.firing, places)))
        self.network.bells.sort(key=lambda each: (place_of(each.firing, places), _leaf_place(each)))
        self.network.note_next()

    def _build(self, planned: FamilyPlan, natives: dict[str, Native], since: int, now: int) -> None:
        name = planned.family.rule.name
        self.builder.declared = natives[name].declared
        self.builder.is_commanded = self.settings.is_live or self.plan.relations.removes_late
        firing = self.builder.add(planned, since, now, self.budgets.of(name))
        for rule in firing.rules:
            natives[rule.name].firing = firing
        silent = natives[name].silent
        for bell in self.network.bells if silent else ():
            if bell.firing is firing and bell.alarm.pattern in silent:
                bell.alarm.next = None

    def rung_by(self, one: Detector) -> list[Pattern]:
        if not isinstance(one, Native):
            return [alarm.pattern for alarm in one.alarms if alarm.has_rung]
        bells = [bell for bell in self.network.bells if bell.firing is one.firing]
        return [*one.silent, *[bell.alarm.pattern for bell in bells if bell.alarm.has_rung]]

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
