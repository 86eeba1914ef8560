"""The other half of the meaning: rules over a log, one arrival at a time. Clock, order, choice, actions.

    replay(program, log) -> detections

It runs the script's statements when the clock starts and those that are typed when they are, gives each rule the
events that arrive while it is enabled, lets time events fall due before the arrival that reaches them, and does what
the fired rules say. Written to be read; whatever is faster must give the same detections.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count

from tocsin.algebra.detectors import Detector, Due, Running, Setting, detector
from tocsin.algebra.firing import detection_of, evaluated, forwarded, reported, same_firing
from tocsin.algebra.guards import Guard
from tocsin.algebra.links import Links, mentions
from tocsin.algebra.occurrence import Occurrence, weak_order
from tocsin.algebra.order import Refused, Release, heard_sources, instants, interleaved, is_in_place
from tocsin.algebra.patterns import Pattern
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
    shown_name,
)
from tocsin.algebra.suppression import Suppression
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
    suppressed: Counter[str] = field(default_factory=Counter)
    """Detections that were not told, by rule."""
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
    for let_go in interleaved(log, order, lambda: heard_sources(monitor.program)):
        if isinstance(let_go, Typed):
            monitor.command(let_go.statements, let_go.arrival if order == BEST_EFFORT else None)
            yield from monitor.drain()
            continue
        for together in evaluated_together(accepted(let_go, monitor.notes, ignore_late), order):
            monitor.take_together(together)
            yield from monitor.drain()


def evaluated_together(releases: Iterable[Release], order: Order) -> Iterator[list[Release]]:
    """What an order has let go at once, as it is evaluated: under best-effort one by one, else by instants."""
    return ([release] for release in releases) if order.policy == "best-effort" else instants(releases)


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


class Turn:
    """A rule's part in what comes together: how much of it the rule has heard, and how much it may hear."""

    def __init__(self, one: Detector) -> None:
        self.one = one
        self.heard = 0
        self.until: int | None = None
        """Where it was disabled meanwhile: it hears what was there before."""
        self.is_first = True

    def unheard(self, made: list[Event]) -> list[Event]:
        """What it has not heard yet; from now on it has."""
        heard, self.heard = self.heard, len(made)
        return made[heard : self.until]

    def has_unheard(self, made: list[Event]) -> bool:
        """Whether there is something that it wants and has not heard."""
        return any(self.one.wants(event) for event in made[self.heard : self.until])


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
        self._known_links: Links | None = None
        self._setting = Setting(granularity, frozenset())
        self._rung: dict[str, set[Pattern]] = {}
        """By rule: the exact time points that have occurred while it was enabled before."""
        self._queue: deque[Event] = deque()
        self._made: list[Detection] = []
        self.suppression = Suppression()
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
        self._get_to(release)
        if release.event is not None:
            self.notes.arrivals += 1
            self._process(release.event)

    def take_together(self, releases: list[Release]) -> None:
        """Takes what an order has let go to be evaluated together: one release, or the events of one instant.

        Where rules feed others, they go through an instant one after the other, the ends of their windows included.
        """
        if not self.links.cascades or not is_in_place(releases[0]):
            for release in releases:
                self.step(release)
            return
        self._get_to(releases[0])
        events = [release.event for release in releases if release.event is not None]
        self.notes.arrivals += len(events)
        self._enablings = 0
        for event in events:
            self._note_if_ignored(event)
        self._cascade(events, over=self._now)
        self._run_queue()

    def _get_to(self, release: Release) -> None:
        """Time gets to where a release is evaluated; the first that has an event starts the clock."""
        self._lag = release.lag
        if self.now is None:
            if release.event is None:
                return
            self._clock = release.now + release.lag if release.clock is None else release.clock
            self._start(release.now)
        self._advance(max(release.now, self.now or release.now), release.clock)

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
        if self.links.cascades and due.is_window_end:
            self._cascade([], over=due.time)
        else:
            found = self._enabled[name].wake(due, with_periodic=self._with_periodic)
            if self.links.cascades:
                self._cascade([], woken={name: found})
            else:
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
        self._note_if_ignored(event)
        self._present(event)
        self._run_queue()

    def _note_if_ignored(self, event: Event) -> None:
        """In a GEM script, an event of no declared class that nobody wants is counted."""
        is_known = not self._is_strict or event.type in self._classes
        if not is_known and not any(d.wants(event) for d in self._enabled.values()):
            self.notes.ignored[event.type] += 1

    def _present(self, event: Event) -> None:
        if self.links.cascades:
            self._cascade([event])
            return
        if self.witness is not None:
            self.witness.shown(event, self._now)
        self._show(event)

    def _show(self, event: Event) -> None:
        """Lets every enabled rule see an event, then does what the fired ones say."""
        numbered = replace(event, number=next(self._numbers))
        fired = [(d.rule, one) for d in list(self._enabled.values()) for one in self._take(d, numbered)]
        self._act(fired)

    # -- what rules make for others ----------------------------------------------------------------------------------

    @property
    def links(self) -> Links:
        """Who feeds whom among the rules just now."""
        if self._known_links is None:
            self._known_links = Links(self._rules, self._classes)
        return self._known_links

    def _cascade(
        self, arrived: list[Event], over: int | None = None, woken: Mapping[str, list[Occurrence]] | None = None
    ) -> None:
        """Lets rules take what comes together and what others make of it, those that feed others first.

        `arrived` has one arrival, or the events of an instant in order. `over`: the windows that end then do, too.
        `woken`: what rules fire for since a moment has come.
        """
        turns = [Turn(self._enabled[name]) for name in self.links.order if name in self._enabled]
        made = [self._numbered(event) for event in arrived]
        first = len(made)
        while True:
            for turn in turns:
                one, taken = turn.one, turn.unheard(made)
                found = [*woken.get(one.rule.name, ())] if woken and turn.is_first else []
                turn.is_first = False
                found += self._meet(one, taken, over if self._enabled.get(one.rule.name) is one else None)
                if found:
                    fresh = self._composites_of(one.rule, found)
                    for each in turns:  # what is disabled sees nothing that is made from now on
                        if each.until is None and self._enabled.get(each.one.rule.name) is not each.one:
                            each.until = len(made)
                    made += [self._numbered(event) for event in fresh]
            if not any(turn.has_unheard(made) for turn in turns):
                return
            if len(made) - first >= MOST_TRIGGERS:
                self._warn(f"rules that trigger each other were cut after {MOST_TRIGGERS} events, at '{made[-1].type}'")
                return

    def _composites_of(self, rule: Rule, found: list[Occurrence]) -> list[Event]:
        """Does what a rule says that has fired. What it makes for others, in weak order."""
        waiting, self._queue = self._queue, deque()
        self._act([(rule, one) for one in found])
        made = sorted([event for event in self._queue if event.is_composite], key=weak_order)
        self._queue = deque([*waiting, *[event for event in self._queue if not event.is_composite]])
        self._followed += len(made)
        return made

    def _numbered(self, event: Event) -> Event:
        """An event as rules see it: with its place in the order in which events are taken up."""
        if self.witness is not None:
            self.witness.shown(event, self._now)
        return replace(event, number=next(self._numbers))

    def _meet(self, one: Detector, events: list[Event], over: int | None) -> list[Occurrence]:
        """What a rule fires for, of some events that come together, and of windows that are over.

        An automaton takes them in weak order, its own time events in their place, unless others that feed it have
        something due at the same time. Other rules take what arrived, and then what was made of it.
        """
        if isinstance(one, Running):
            events = sorted(events, key=weak_order)
            one.holds_time = over is None and self._has_more_to_come(one)
        found = [each for event in events for each in self._take(one, event)]
        return found if over is None else found + self._ended(one, over)

    def _has_more_to_come(self, one: Detector) -> bool:
        """Whether a time event of an automaton is due, and something that feeds it has something due, too."""
        if not self._is_due(one):
            return False
        feeding = [self._enabled[name] for name in self.links.feeding(one.rule.name) if name in self._enabled]
        return any(map(self._is_due, feeding))

    def _is_due(self, one: Detector) -> bool:
        due = one.next_due()
        return due is not None and due.time <= self._now

    def _ended(self, one: Detector, over: int) -> list[Occurrence]:
        """What a rule fires for since its windows, and the time events of an automaton, are over."""
        found: list[Occurrence] = []
        while (due := one.next_due(with_periodic=self._with_periodic)) is not None and due.time <= over:
            found += one.wake(due, with_periodic=self._with_periodic)
        return found

    def _take(self, one: Detector, event: Event) -> list[Occurrence]:
        assert self.now is not None
        refused = one.refused
        found = one.take(event, self.now)
        if one.refused > refused:
            self.notes.refused[f"older than the detection window of rule {shown_name(one.rule.name)}"] += 1
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
                    self._declare()
                case Define(rule=rule):
                    self._rules[rule.name] = rule
                    self._places_known, self._known_links = {}, None
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
                self._rung.pop(name, None)
        self._rules = rules
        self._classes = dict(program.declarations)
        self._declare()
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
            if name in self._rung:
                one.silence(self._rung[name])

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
            if rung := self._rung_by(one):
                self._rung.setdefault(name, set()).update(rung)
            self.notes.incomparable.update(one.around.incomparable)
            if self.witness is not None:
                self.witness.disabled(name, self._now)

    def _rung_by(self, one: Detector) -> list[Pattern]:
        """The exact time points of a rule that have occurred."""
        return [alarm.pattern for alarm in one.alarms if alarm.has_rung]

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
            self._rung.pop(statement.name, None)
            self._places_known, self._known_links = {}, None
            return
        users = [name for name, rule in self._rules.items() if mentions(rule, statement.name)]
        if users:
            self._warn(f"event '{statement.name}' is not removed: rule {', '.join(users)} refers to it")
        elif self._classes.pop(statement.name, None) is not None:
            self._declare()

    def _declare(self) -> None:
        """The declared classes are others now."""
        self._known_links = None
        self._setting.declared = frozenset(self._classes)

    # -- firing --------------------------------------------------------------------------------------------------

    def _act(self, fired: list[tuple[Rule, Occurrence]]) -> None:
        """Does what each fired rule says, to the end, in order."""
        assert self.now is not None
        for rule, one in fired:
            before = len(self._made)
            if rule.name in self.links.used:
                self._queue.append(self._composite(rule, one))
            if not rule.actions and not rule.strict and not rule.hidden:
                self._tell(rule, one, detection_of(rule, one, self.now, self._clock))
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

    def _tell(self, rule: Rule, one: Occurrence, found: Detection) -> None:
        """A detection, unless it is one that its rule does not want to be told of again."""
        told = self.suppression.passed(rule, one, found, self._now)
        if told is None:
            self.notes.suppressed[rule.name] += 1
        else:
            self._made.append(told)

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
        return replace(made, stamp=one.stamp, is_composite=True)


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


def declared_by(program: Program) -> dict[str, Declaration]:
    """The classes that are declared when a program's statements have been gone through."""
    rules: dict[str, Rule] = {}
    found: dict[str, Declaration] = {}
    for statement in program.statements:
        match statement:
            case Define(rule=rule):
                rules[rule.name] = rule
            case Declaration(name=name):
                found[name] = statement
            case Remove(name=name, rule=True):
                rules.pop(name, None)
            case Remove(name=name) if not any(mentions(rule, name) for rule in rules.values()):
                found.pop(name, None)
    return found


def _primitives(one: Occurrence) -> tuple[Event, ...]:
    return tuple(primitive for event in one.primitives for primitive in event.primitives)
