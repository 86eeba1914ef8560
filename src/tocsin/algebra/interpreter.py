"""A script at work: what is declared, defined and enabled, and what statements and fired rules do to that.

It is 003's monitor without its eyes. Which rules fire is found by a `Finder`, and `Evaluation` says when each of them
takes what comes; here are the statements (declare, define, enable, disable, raise, remove, stop), the actions (notify,
forward, trigger, enable, disable), the queue of what was triggered, and the clock they go by.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from itertools import count

from tocsin.algebra.detectors import Detector, Setting
from tocsin.algebra.finder import Finder, Fired
from tocsin.algebra.firings import composite_of, declared_data, detection_of, forwarded, reported, triggered_by
from tocsin.algebra.guards import Guard
from tocsin.algebra.links import Links, mentions
from tocsin.algebra.notes import Notes
from tocsin.algebra.occurrence import Occurrence
from tocsin.algebra.patterns import Pattern
from tocsin.algebra.rules import (
    ALL_RULES,
    Command,
    Declaration,
    Define,
    Disable,
    Enable,
    Forward,
    Load,
    Notify,
    Program,
    Raise,
    Remove,
    Rule,
    Statement,
    Stop,
    Trigger,
    shown_name,
)
from tocsin.algebra.scripts import enabled_by
from tocsin.algebra.suppression import Suppression
from tocsin.algebra.witness import Witness
from tocsin.events import SELF, Detection, Event

MOST_TRIGGERS = 10_000
"""Events that rules may trigger on one arrival, and timers that may follow the last, before the chain is cut."""


class Interpreter:
    """The statements of a program at work, and the actions of its rules."""

    def __init__(self, program: Program, granularity: int | None, notes: Notes, finder: Finder) -> None:
        self.program, self.notes, self.finder = program, notes, finder
        self.has_begun = False
        self.time = 0
        """The rules' clock, once it has begun."""
        self.lag, self.clock = 0, 0
        """How far the arrival clock is ahead of it, and where it stands."""
        self.classes: dict[str, Declaration] = {}
        self.rules: dict[str, Rule] = {}
        self.running: dict[str, Detector] = {}
        """The enabled rules, in order of definition."""
        self.setting = Setting(granularity, frozenset())
        self.rung: dict[str, set[Pattern]] = {}
        """By rule: the exact time points that have occurred while it was enabled before."""
        self.queue: deque[Event] = deque()
        """What was triggered, and no rule has seen yet."""
        self.made: list[Detection] = []
        self.suppression = Suppression()
        self.has_stopped = False
        self.raised = self.enablings = 0
        self.numbers = count(1)
        self.is_strict = any(rule.strict for rule in program.rules)
        self.witness: Witness | None = None
        self._placed: dict[str, Rule] = {}
        self._places_known: dict[str, int] = {}
        self._known_links: Links | None = None

    @property
    def now(self) -> int | None:
        """The rules' clock; there is none before the first event."""
        return self.time if self.has_begun else None

    @now.setter
    def now(self, time: int | None) -> None:  # of the same type as what is got: compiled, another would be misread
        assert time is not None
        self.time, self.has_begun = time, True

    @property
    def most_triggers(self) -> int:
        """Where a chain of rules that trigger each other is cut."""
        return MOST_TRIGGERS

    @property
    def links(self) -> Links:
        """Who feeds whom among the rules just now."""
        if self._known_links is None:
            self._known_links = Links(self.rules, self.classes)
        return self._known_links

    @property
    def enabled(self) -> list[str]:
        """The rules that see events; before the clock starts, those that will."""
        return list(self.running) if self.has_begun else enabled_by(self.program)

    def standing(self) -> Program:
        """What is declared, defined and enabled just now, as a script that brings a new monitor there."""
        if not self.has_begun:
            return self.program
        defined = (Define(rule, span=rule.span) for rule in self.rules.values())
        enabled = (Command(Enable(name)) for name in self.running)
        return Program((*self.classes.values(), *defined, *enabled))

    def drain(self) -> list[Detection]:
        """What was detected since the last call."""
        made, self.made = self.made, []
        return made

    def count_incomparable(self) -> None:
        """Adds what the rules could not compare to the notes."""
        for one in self.running.values():
            self.notes.incomparable.update(one.around.incomparable)
            one.around.incomparable.clear()

    # -- statements ----------------------------------------------------------------------------------------------

    def start(self, now: int, process: Callable[[Event], None]) -> None:
        """The clock starts: the script runs, statement by statement (003 section 3.3)."""
        self.now = now
        self.run(self.program.statements, process)

    def command(self, statements: tuple[Statement, ...], clock: int | None, process: Callable[[Event], None]) -> None:
        """Runs what is typed between two arrivals; rules that it does not concern keep what they remember.

        Before the clock has started it joins the script; `stop` then discards that. `clock` starts the clock, as an
        arrival at that time would; where it runs, it is known already how late it is. `process` takes what is raised.
        """
        if not self.has_begun:
            self.program += Program(statements)
            if any(isinstance(statement, Stop) for statement in statements):
                self.program, self.has_stopped = Program(), True
            self.is_strict = any(rule.strict for rule in self.program.rules)
            if clock is not None:
                self.clock = clock
                self.start(clock, process)
            return
        self.run(statements, process)
        if any(isinstance(statement, Declaration | Define | Remove) for statement in statements):
            self.program = self.standing()
            self.is_strict = any(rule.strict for rule in self.program.rules)

    def run(self, statements: tuple[Statement, ...], process: Callable[[Event], None]) -> None:
        """Statements one after the other, at the time that the rules' clock shows."""
        for statement in statements:
            if self.has_stopped:
                return
            match statement:
                case Declaration(name=name):
                    self.classes[name] = statement
                    self.redeclare()
                case Define(rule=rule):
                    self.rules[rule.name] = rule
                    self._places_known, self._known_links = {}, None
                    self.is_strict = self.is_strict or rule.strict
                case Command(action=Enable(rule=name)):
                    for each in self._named(name):
                        self.enablings = 0  # statements come to an end by themselves, however many there are
                        self.enable(each)
                case Command(action=Disable(rule=name)):
                    for each in self._named(name):
                        self.disable(each)
                case Raise():
                    process(self._raised_by(statement))
                case Remove():
                    self._remove(statement)
                case Stop():
                    for each in list(self.running):
                        self.disable(each)
                    self.has_stopped = True
                case Load():
                    raise AssertionError("load is resolved before a program runs")

    def change(self, program: Program) -> None:
        """Goes on with another program: rules that are equal keep what they remember, new ones see what comes now.

        A rule that is new or different runs if the program enables it; one that is equal runs if it did.
        """
        self.program = program
        self.is_strict = any(rule.strict for rule in program.rules)
        if not self.has_begun:
            return
        rules = {rule.name: rule for rule in program.rules}
        kept = {name for name, rule in rules.items() if self.rules.get(name) == rule}
        for name in list(self.rules):
            if name not in kept:
                self.disable(name)
                self.rung.pop(name, None)
        self.rules = rules
        self.classes = dict(program.declarations)
        self.redeclare()
        for name in enabled_by(program):
            if name not in kept:
                self.enablings = 0
                self.enable(name)
        self._sort_running({rule: place for place, rule in enumerate(rules)})

    def _named(self, name: str | None) -> list[str]:
        return list(self.rules) if name == ALL_RULES else [name] if name in self.rules else []

    def _raised_by(self, statement: Raise) -> Event:
        self.raised += 1
        time = statement.time.instant() if statement.time is not None else self.time
        data = self._data(statement.type, statement.arguments, Occurrence(time, time))
        identity = f"{statement.type}#{self.raised}"
        return Event(statement.type, time, time, identity, statement.source or SELF, data, self.time)

    def _remove(self, statement: Remove) -> None:
        if statement.rule:
            self.disable(statement.name)
            self.rules.pop(statement.name, None)
            self.rung.pop(statement.name, None)
            self._places_known, self._known_links = {}, None
            return
        users = [name for name, rule in self.rules.items() if mentions(rule, statement.name)]
        if users:
            self.notes.warn(f"event '{statement.name}' is not removed: rule {', '.join(users)} refers to it")
        elif self.classes.pop(statement.name, None) is not None:
            self.redeclare()

    def redeclare(self) -> None:
        """The declared classes are others now."""
        self._known_links = None
        self.setting.declared = frozenset(self.classes)
        self.finder.declared(self.setting.declared)

    # -- rules ---------------------------------------------------------------------------------------------------

    def enable(self, name: str) -> None:
        """Lets a rule see events. Enabling what is enabled changes nothing. Rules run in order of definition."""
        if name not in self.rules or name in self.running:
            return
        self.enablings += 1
        if self.enablings > self.most_triggers:
            self.notes.warn(f"rules that enable each other at one time were cut, at '{name}'")
            return
        places = self._places_of_rules()
        is_last = not self.running or places[next(reversed(self.running))] < places[name]
        one = self.running[name] = self.finder.begun(self.rules[name])
        if not is_last:
            self._sort_running(places)
        if self.witness is not None:
            self.witness.enabled(one, self.time)
        if any(alarm.next is None for alarm in one.alarms):
            self.notes.warn(f"rule '{name}' waits for a time that is past: it never comes")
        if name in self.rung:
            one.silence(self.rung[name])

    def disable(self, name: str) -> None:
        """Stops a rule and discards what it remembers; what it could not compare stays counted."""
        one = self.running.pop(name, None)
        if one is None:
            return
        if rung := self.finder.rung_by(one):
            self.rung.setdefault(name, set()).update(rung)
        self.notes.incomparable.update(one.around.incomparable)
        if self.witness is not None:
            self.witness.disabled(name, self.time)
        self.finder.ended(name, one)

    def take(self, one: Detector, event: Event) -> list[Occurrence]:
        """What a detector of the plain meaning fires for when it sees an event; what it refuses is counted."""
        refused = one.refused
        found = one.take(event, self.time)
        if one.refused > refused:
            self.notes.refused[f"older than the detection window of rule {shown_name(one.rule.name)}"] += 1
        return found

    def _places_of_rules(self) -> dict[str, int]:
        """Where each rule stands among the definitions: worked out anew only when there are others."""
        if self._placed is not self.rules or len(self._placed) != len(self._places_known):
            self._placed = self.rules
            self._places_known = {rule: place for place, rule in enumerate(self.rules)}
        return self._places_known

    def _sort_running(self, places: dict[str, int]) -> None:
        self.running = dict(sorted(self.running.items(), key=lambda item: places[item[0]]))

    # -- firing --------------------------------------------------------------------------------------------------

    def act(self, fired: Fired) -> None:
        """Does what each fired rule says, to the end, in order."""
        for rule, one in fired:
            before = len(self.made)
            if rule.name in self.links.used:
                self.queue.append(composite_of(rule, one, self.time, self.clock))
            if not rule.actions and not rule.strict and not rule.hidden:
                self._tell(rule, one, detection_of(rule, one, self.time, self.clock))
            for place, action in enumerate(rule.actions):
                match action:
                    case Notify(type=name, arguments=arguments):
                        data = self._data(name, arguments, one)
                        self.made.append(reported(rule, one, place, name, data, self.time, self.clock))
                    case Forward(variable=name):
                        self.made.extend(forwarded(rule, one, place, name, self.clock))
                    case Trigger(type=name, arguments=arguments):
                        data = self._data(name, arguments, one)
                        self.queue.append(triggered_by(rule, one, place, name, data, self.time))
                    case Enable(rule=name):
                        self.enable(name or rule.name)
                    case Disable(rule=name):
                        self.disable(name or rule.name)
            if self.witness is not None:
                self.witness.fired(rule, one, self.time, self.clock, self.made[before:])

    def _tell(self, rule: Rule, one: Occurrence, found: Detection) -> None:
        """A detection, unless it is one that its rule does not want to be told of again."""
        told = self.suppression.passed(rule, one, found, self.time)
        if told is None:
            self.notes.suppressed[rule.name] += 1
        else:
            self.made.append(told)

    def _data(self, name: str, arguments: tuple[Guard, ...], one: Occurrence) -> dict[str, object]:
        return declared_data(self.classes.get(name), arguments, one, self.time)
