"""The other half of the meaning: rules over a log, one arrival at a time. Clock, order, choice, actions.

    replay(program, log) -> detections

It runs the script's statements when the clock starts and those that are typed when they are, gives each rule the
events that arrive while it is enabled, lets time events fall due before the arrival that reaches them, and does what
the fired rules say. Written to be read; whatever is faster must give the same detections.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import count

from tocsin.algebra.detectors import Detector, Due, Setting, detector
from tocsin.algebra.firing import detection_of, evaluated, forwarded, reported, same_firing
from tocsin.algebra.guards import Guard
from tocsin.algebra.names import members
from tocsin.algebra.occurrence import Occurrence
from tocsin.algebra.order import Refused, Release, interleaved
from tocsin.algebra.patterns import Atom, Primitive, Widened, walk
from tocsin.algebra.rules import (
    ALL_RULES,
    BEST_EFFORT,
    Command,
    Declaration,
    Define,
    Disable,
    Enable,
    Forward,
    Load,
    Notify,
    Order,
    Program,
    Raise,
    Remove,
    Rule,
    Statement,
    Stop,
    Trigger,
    Typed,
)
from tocsin.algebra.witness import Witness
from tocsin.events import SELF, Arrival, Detection, Event

MOST_TRIGGERS = 10_000
"""Events that rules may trigger on one arrival, and timers that may follow the last, before the chain is cut."""


@dataclass
class Notes:
    """What a run has to say besides its detections: counts and warnings, for standard error."""

    warnings: list[str] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    ignored: Counter[str] = field(default_factory=Counter)
    incomparable: Counter[str] = field(default_factory=Counter)
    arrivals: int = 0


def replay(
    program: Program,
    log: Iterable[Arrival | Typed],
    *,
    order: Order = BEST_EFFORT,
    granularity: int | None = None,
    until: int | None = None,
    ignore_late: bool = False,
    notes: Notes | None = None,
) -> Iterator[Detection]:
    """Every detection of the program's rules on the log, in order of detection."""
    monitor = Monitor(program, granularity, notes if notes is not None else Notes())
    yield from released_to(monitor, log, order, ignore_late)
    monitor.finish(until)
    yield from monitor.drain()
    monitor.count_incomparable()


def released_to(
    monitor: Monitor, log: Iterable[Arrival | Typed], order: Order, ignore_late: bool
) -> Iterator[Detection]:
    """Gives a monitor the log as the policy evaluates it, one release at a time, and passes on what it detects."""
    for release in interleaved(log, order):
        if isinstance(release, Typed):
            monitor.command(release.statements, release.arrival if order == BEST_EFFORT else None)
            yield from monitor.drain()
            continue
        for one in accepted((release,), monitor.notes, ignore_late):
            monitor.step(one)
            yield from monitor.drain()


def accepted(releases: Iterable[Release | Refused], notes: Notes, ignore_late: bool) -> Iterator[Release]:
    """What is left to evaluate when the notes have been told what was refused; of an event ignored, its time."""
    for release in releases:
        if isinstance(release, Refused):
            notes.refused[release.reason] += 1
        elif release.is_late and ignore_late:
            notes.refused["late, and --late ignore was asked for"] += 1
            yield Release(release.now, None, release.lag, release.clock)
        else:
            yield release


class Monitor:
    """The rules of a program at work. 003's monitor, and 000's event processing service: they differ in notation."""

    def __init__(self, program: Program, granularity: int | None, notes: Notes) -> None:
        self.program, self.notes = program, notes
        self.has_begun = False
        self._now = 0
        self._lag, self._clock = 0, 0
        self._classes: dict[str, Declaration] = {}
        self._rules: dict[str, Rule] = {}
        self._enabled: dict[str, Detector] = {}
        """In order of definition."""
        self._placed: dict[str, Rule] = {}
        self._places_known: dict[str, int] = {}
        self._setting = Setting(granularity, frozenset())
        self._queue: deque[Event] = deque()
        self._made: list[Detection] = []
        self._stopped = False
        self._with_periodic = True
        """Whether clocks that ring again and again still do: not after the last event."""
        self._raised = self._followed = self._enablings = 0
        self._numbers = count(1)
        self._is_strict = any(rule.strict for rule in program.rules)
        self.witness: Witness | None = None

    @property
    def now(self) -> int | None:
        """The rules' clock; there is none before the first event."""
        return self._now if self.has_begun else None

    @now.setter
    def now(self, time: int | None) -> None:  # of the same type as what is got: compiled, another would be misread
        assert time is not None
        self._now, self.has_begun = time, True

    def count_incomparable(self) -> None:
        """Adds what the rules could not compare to the notes."""
        for one in self._enabled.values():
            self.notes.incomparable.update(one.around.incomparable)
            one.around.incomparable.clear()

    def _warn(self, text: str) -> None:
        """A warning, told once."""
        if text not in self.notes.warnings:
            self.notes.warnings.append(text)

    def drain(self) -> list[Detection]:
        """What was detected since the last call."""
        made, self._made = self._made, []
        return made

    # -- time and arrivals -------------------------------------------------------------------------------------

    def step(self, release: Release) -> None:
        """Runs everything due up to a release's time, then takes its event."""
        self._lag = release.lag
        if self.now is None:
            if release.event is None:
                return
            self._clock = release.now + release.lag if release.clock is None else release.clock
            self._start(release.now)
        self._advance(max(release.now, self.now or release.now), release.clock)
        if release.event is not None:
            self.notes.arrivals += 1
            self._process(release.event)

    def _advance(self, to: int, clock: int | None) -> None:
        """Timers due at or before `to` come first; a window that ends at `to` is not over yet."""
        while (next_one := self._next_due()) is not None and next_one[0] < Due(to, True, ()):
            self._fall_due(*next_one, clock)
        self.now = to
        self._clock = to + self._lag if clock is None else clock

    def _next_due(self, *, with_periodic: bool = True) -> tuple[Due, str] | None:
        waiting = ((d.next_due(with_periodic=with_periodic), name) for name, d in self._enabled.items())
        return min(((due, name) for due, name in waiting if due is not None), key=lambda each: each[0], default=None)

    def _fall_due(self, due: Due, name: str, clock: int | None) -> None:
        self._enablings = 0 if due.time != self.now else self._enablings
        self.now = max(due.time, self.now or due.time)
        self._clock = max(self._clock, due.time + self._lag) if clock is None else clock
        found = self._enabled[name].wake(due, with_periodic=self._with_periodic)
        self._act([(self._enabled[name].rule, one) for one in found])
        self._run_queue()

    def finish(self, until: int | None) -> None:
        """At the end of the input the clock runs on: to `until`, or while a one-shot timer is pending."""
        raised = [s.time.instant() for s in self.program.statements if isinstance(s, Raise) and s.time]
        if self.now is None and raised:
            self._clock = min(raised)
            self._start(self._clock)
        # To a given time any number of timers may fall due. Without one, a chain of them must end by itself: what was
        # waited for when the input ended does, and what rules make of it too, unless they restart each other.
        most = self._followed + MOST_TRIGGERS + self.notes.arrivals * len(self._rules)
        self._with_periodic = until is not None
        while (next_one := self._next_due(with_periodic=self._with_periodic)) is not None:
            if until is not None and next_one[0].time > until:
                return
            if until is None and self._followed > most:
                self._warn("timers that restart each other after the last event were cut")
                return
            self._fall_due(*next_one, None)

    def _process(self, event: Event) -> None:
        """One arrival. The enabled rules are fixed when it starts; what they trigger queues after it."""
        self._enablings = 0
        if (
            self._is_strict
            and event.type not in self._classes
            and not any(d.wants(event) for d in self._enabled.values())
        ):
            self.notes.ignored[event.type] += 1
        self._present(event)
        self._run_queue()

    def _present(self, event: Event) -> None:
        if self.witness is not None:
            self.witness.shown(event, self._now)
        self._show(event)

    def _show(self, event: Event) -> None:
        """Lets every enabled rule see an event, then does what the fired ones say."""
        numbered = replace(event, number=next(self._numbers))
        fired = [(d.rule, one) for d in list(self._enabled.values()) for one in self._take(d, numbered)]
        self._act(fired)

    def _take(self, one: Detector, event: Event) -> list[Occurrence]:
        assert self.now is not None
        refused = one.refused
        found = one.take(event, self.now)
        if one.refused > refused:
            self.notes.refused[f"older than the detection window of rule {one.rule.name}"] += 1
        return found

    def _run_queue(self) -> None:
        for _ in range(MOST_TRIGGERS):
            if not self._queue:
                return
            self._followed += 1
            self._present(self._queue.popleft())
        if self._queue:
            self._warn(
                f"rules that trigger each other were cut after {MOST_TRIGGERS} events, at '{self._queue[0].type}'"
            )
            self._queue.clear()

    # -- statements ----------------------------------------------------------------------------------------------

    def _start(self, now: int) -> None:
        """The clock starts: the script runs, statement by statement (003 section 3.3)."""
        self.now = now
        self._run(self.program.statements)

    def command(self, statements: tuple[Statement, ...], clock: int | None = None) -> None:
        """Runs what is typed between two arrivals; rules that it does not concern keep what they remember.

        Before the clock has started it joins the script; `stop` then discards that. `clock` starts the clock, as an
        arrival at that time would; where it runs, `step` has said already how late it is.
        """
        if self.now is None:
            self.program += Program(statements)
            if any(isinstance(statement, Stop) for statement in statements):
                self.program, self._stopped = Program(), True
            self._is_strict = any(rule.strict for rule in self.program.rules)
            if clock is not None:
                self._clock = clock
                self._start(clock)
            return
        self._run(statements)
        if any(isinstance(statement, Declaration | Define | Remove) for statement in statements):
            self.program = self.standing()
            self._is_strict = any(rule.strict for rule in self.program.rules)

    def standing(self) -> Program:
        """What is declared, defined and enabled just now, as a script that brings a new monitor there."""
        if self.now is None:
            return self.program
        defined = (Define(rule, span=rule.span) for rule in self._rules.values())
        enabled = (Command(Enable(name)) for name in self._enabled)
        return Program((*self._classes.values(), *defined, *enabled))

    @property
    def enabled(self) -> list[str]:
        """The rules that see events; before the clock starts, those that will."""
        return list(self._enabled) if self.has_begun else enabled_by(self.program)

    @property
    def has_stopped(self) -> bool:
        """Whether `stop` was said: nothing is seen any more."""
        return self._stopped

    def _run(self, statements: tuple[Statement, ...]) -> None:
        """Statements one after the other, at the time that the rules' clock shows."""
        assert self.now is not None
        for statement in statements:
            if self._stopped:
                return
            match statement:
                case Declaration(name=name):
                    self._classes[name] = statement
                    self._setting.declared = frozenset(self._classes)
                case Define(rule=rule):
                    self._rules[rule.name] = rule
                    self._places_known = {}
                    self._is_strict = self._is_strict or rule.strict
                case Command(action=Enable(rule=name)):
                    for each in self._named(name):
                        self._enablings = 0  # statements come to an end by themselves, however many there are
                        self._enable(each)
                case Command(action=Disable(rule=name)):
                    for each in self._named(name):
                        self._disable(each)
                case Raise():
                    self._raise(statement, self.now)
                case Remove():
                    self._remove(statement)
                case Stop():
                    for each in list(self._enabled):
                        self._disable(each)
                    self._stopped = True
                case Load():
                    raise AssertionError("load is resolved before a program runs")

    def change(self, program: Program) -> None:
        """Goes on with another program: rules that are equal keep what they remember, new ones see what comes now.

        A rule that is new or different runs if the program enables it; one that is equal runs if it did.
        """
        self.program = program
        self._is_strict = any(rule.strict for rule in program.rules)
        if self.now is None:
            return
        rules = {rule.name: rule for rule in program.rules}
        kept = {name for name, rule in rules.items() if self._rules.get(name) == rule}
        for name in list(self._rules):
            if name not in kept:
                self._disable(name)
        self._rules = rules
        self._classes = dict(program.declarations)
        self._setting.declared = frozenset(self._classes)
        for name in enabled_by(program):
            if name not in kept:
                self._enablings = 0
                self._enable(name)
        places = {rule: place for place, rule in enumerate(rules)}
        self._enabled = dict(sorted(self._enabled.items(), key=lambda item: places[item[0]]))

    def _named(self, name: str | None) -> list[str]:
        return list(self._rules) if name == ALL_RULES else [name] if name in self._rules else []

    def _enable(self, name: str) -> None:
        """Enabling what is enabled changes nothing. Rules run in order of definition."""
        if name in self._rules and name not in self._enabled:
            assert self.now is not None
            self._enablings += 1
            if self._enablings > MOST_TRIGGERS:
                self._warn(f"rules that enable each other at one time were cut, at '{name}'")
                return
            places = self._places_of_rules()
            is_last = not self._enabled or places[next(reversed(self._enabled))] < places[name]
            one = self._enabled[name] = self._detector(self._rules[name])
            if not is_last:
                self._enabled = dict(sorted(self._enabled.items(), key=lambda item: places[item[0]]))
            if self.witness is not None:
                self.witness.enabled(one, self._now)
            if any(alarm.next is None for alarm in one.alarms):
                self._warn(f"rule '{name}' waits for a time that is past: it never comes")

    def _places_of_rules(self) -> dict[str, int]:
        """Where each rule stands among the definitions: worked out anew only when there are others."""
        if self._placed is not self._rules or len(self._placed) != len(self._places_known):
            self._placed = self._rules
            self._places_known = {rule: place for place, rule in enumerate(self._rules)}
        return self._places_known

    def _detector(self, rule: Rule) -> Detector:
        """What runs a rule from now on."""
        assert self.now is not None
        return detector(rule, self._setting, self.now)

    def _disable(self, name: str) -> None:
        """Disabling discards what the rule remembers; what it could not compare stays counted."""
        one = self._enabled.pop(name, None)
        if one is not None:
            self.notes.incomparable.update(one.around.incomparable)
            if self.witness is not None:
                self.witness.disabled(name, self._now)

    def _raise(self, statement: Raise, now: int) -> None:
        self._raised += 1
        time = statement.time.instant() if statement.time is not None else now
        data = self._attributes(statement.type, statement.arguments, Occurrence(time, time))
        identity = f"{statement.type}#{self._raised}"
        self._process(Event(statement.type, time, time, identity, statement.source or SELF, data, now))

    def _remove(self, statement: Remove) -> None:
        if statement.rule:
            self._disable(statement.name)
            self._rules.pop(statement.name, None)
            self._places_known = {}
            return
        users = [name for name, rule in self._rules.items() if mentions(rule, statement.name)]
        if users:
            self._warn(f"event '{statement.name}' is not removed: rule {', '.join(users)} refers to it")
        elif self._classes.pop(statement.name, None) is not None:
            self._setting.declared = frozenset(self._classes)

    # -- firing --------------------------------------------------------------------------------------------------

    def _act(self, fired: list[tuple[Rule, Occurrence]]) -> None:
        """Does what each fired rule says, to the end, in order."""
        assert self.now is not None
        for rule, one in fired:
            before = len(self._made)
            if rule.name not in self._classes and self._is_used_by_name(rule.name):
                self._queue.append(self._composite(rule, one))
            if not rule.actions and not rule.strict and not rule.hidden:
                self._made.append(detection_of(rule, one, self.now, self._clock))
            for place, action in enumerate(rule.actions):
                match action:
                    case Notify(type=name, arguments=arguments):
                        data = self._attributes(name, arguments, one)
                        self._made.append(reported(rule, one, place, name, data, self.now, self._clock))
                    case Forward(variable=name):
                        self._made.extend(forwarded(rule, one, place, name, self._clock))
                    case Trigger(type=name, arguments=arguments):
                        data = self._attributes(name, arguments, one)
                        self._queue.append(self._triggered(rule, one, place, name, data))
                    case Enable(rule=name):
                        self._enable(name or rule.name)
                    case Disable(rule=name):
                        self._disable(name or rule.name)
            if self.witness is not None:
                self.witness.fired(rule, one, self._now, self._clock, self._made[before:])

    def _is_used_by_name(self, name: str) -> bool:
        return any(mentions(rule, name) for rule in self._rules.values() if rule.name != name)

    def _attributes(self, name: str, arguments: tuple[Guard, ...], one: Occurrence) -> dict[str, object]:
        """The attributes of a new event: the values in the order in which its class declares them."""
        declared = self._classes.get(name)
        names = [attribute for attribute, _ in declared.attributes] if declared else []
        names += [str(place + 1) for place in range(len(names), len(arguments))]
        assert self.now is not None
        return {key: evaluated(value, one, self.now) for key, value in zip(names, arguments, strict=False)}

    def _triggered(self, rule: Rule, one: Occurrence, place: int, name: str, data: dict[str, object]) -> Event:
        """A new primitive at the end of what fired; where events are listed it stands for its primitives."""
        assert self.now is not None
        identity = same_firing(rule, one, place, name)
        made = Event(name, one.end, one.end, identity, SELF, data, self.now, _primitives(one), rule.name)
        return replace(made, stamp=one.stamp)

    def _composite(self, rule: Rule, one: Occurrence) -> Event:
        """A rule's firing as an event of the rule's name, for the rules that use it."""
        assert self.now is not None
        found = detection_of(rule, one, self.now, self._clock)
        events = _primitives(one)
        made = Event(rule.name, one.end, one.start, found.id, SELF, found.data, self.now, events, rule.name)
        return replace(made, stamp=one.stamp)


def enabled_by(program: Program) -> list[str]:
    """The rules that run when a program's statements have been gone through."""
    defined: list[str] = []
    enabled: dict[str, None] = {}
    for statement in program.statements:
        match statement:
            case Define(rule=rule):
                defined.append(rule.name)
            case Command(action=Enable(rule=name)):
                enabled.update(dict.fromkeys(defined if name == ALL_RULES else [name] if name in defined else []))
            case Command(action=Disable(rule=name)):
                enabled = {} if name == ALL_RULES else {each: None for each in enabled if each != name}
            case Remove(name=name, rule=True):
                enabled.pop(name, None)
            case Stop():
                return []
    return list(enabled)


def _primitives(one: Occurrence) -> tuple[Event, ...]:
    return tuple(primitive for event in one.primitives for primitive in event.primitives)


def mentions(rule: Rule, name: str) -> bool:
    """Whether a rule's pattern or actions refer to an event class (or to a rule as one)."""
    return name in mentioned(rule)


@lru_cache(maxsize=10_000)
def mentioned(rule: Rule) -> frozenset[str]:
    """The event classes (or rules as such) that a rule's pattern and actions refer to."""
    parts = list(walk(rule.pattern))
    sets = [part.accepts for part in parts if isinstance(part, Atom)]
    sets += [part.domain for part in parts if isinstance(part, Atom | Widened) and part.domain is not None]
    found = {part.type for part in parts if isinstance(part, Primitive)}
    found.update(member.type for each in sets for member in members(each))
    found.update(action.type for action in rule.actions if isinstance(action, Notify | Trigger))
    return frozenset(found)
