"""Questions and their answers: about a rule, a detection, events or a time, and what is to be said of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice, product

from tocsin.algebra.links import mentioned
from tocsin.algebra.notes import Notes
from tocsin.algebra.occurrence import TIMER, Occurrence
from tocsin.algebra.partitions import partition_of
from tocsin.algebra.patterns import Automaton, Primitive, walk
from tocsin.algebra.rules import Disable, Enable, Rule
from tocsin.algebra.sizes import places_of
from tocsin.errors import UsageError
from tocsin.errors import nearest as spelt_nearest
from tocsin.events import Arrival, Detection, Event
from tocsin.reasons.choices import Choice
from tocsin.reasons.judgements import Judge, Judged
from tocsin.reasons.memory import Moment
from tocsin.reasons.nearest import Aim, nearest
from tocsin.reasons.records import ABSENCE, Answer, Constituent, Fired, Miss, Verdict
from tocsin.reasons.runs import Runs
from tocsin.reasons.trace import Stay, Trace, TracedFiring, context_of, event_key, occurrence_key, watched
from tocsin.reasons.words import written
from tocsin.rules.programs import only_rules
from tocsin.runtime.clocks import by_order
from tocsin.session import Session

LIMIT = 3
"""Firings and misses that are told of one rule, unless another number is asked for."""

MOST_PLACES = 100
"""Events that a rule may take for its nearest misses to be looked for: with 1,000 that takes a minute."""

MOST_PARTITIONS = 50
"""Values of a partition among whose events misses are looked for."""

MOST_WAYS = 5_000
"""Ways to put the events of a firing into the places of its rule that are tried."""


@dataclass(frozen=True)
class Question:
    """What is asked: about a rule, a detection by its id, events by theirs, a time; nothing is about every rule."""

    rule: str | None = None
    detection: str | None = None
    events: tuple[str, ...] = ()
    at: int | None = None
    limit: int | None = None

    @property
    def is_general(self) -> bool:
        """Whether nothing in particular is asked for."""
        return self.rule is None and self.detection is None and not self.events and self.at is None


@dataclass(frozen=True)
class Told:
    """The answers, with the events they are about, what was detected, and what the run has to say besides."""

    answers: tuple[Answer, ...]
    events: tuple[Event, ...]
    detections: tuple[Detection, ...]
    notes: Notes


def ask(session: Session, log: Iterable[Arrival], question: Question) -> Told:
    """Runs the rules over the log, watched, and answers."""
    rules = [rule for rule in session.program.rules if not rule.hidden]
    _refuse_unknown(question, rules)
    arrivals = list(log)
    answers: list[Answer] = []
    events: dict[object, Event] = {}
    detections: list[Detection] = []
    notes = Notes()
    program = session.program if question.rule is None else only_rules(session.program, {question.rule})
    for group in by_order(program, session.options.order):
        options = session.options
        trace = watched(
            group.program,
            arrivals,
            order=group.order,
            granularity=options.granularity,
            until=options.until,
            ignore_late=options.ignore_late,
            engine=options.engine,
        )
        notes = trace.notes  # several orders have several clocks, and count the same events
        events |= {event_key(entry.event): entry.event for entry in trace.entries}
        detections += [one for one in trace.detections if one.rule in group.heard]
        for rule in rules:
            if rule.name in group.heard and question.rule in (None, rule.name):
                answer = answered(trace, rule, question)
                answers.append(answer)
    if question.detection is not None:
        answers = [answer for answer in answers if answer.fired]
        if not answers:
            raise UsageError(f"no detection has the id '{question.detection}': `tocsin detect` shows the ids")
    places = {rule.name: place for place, rule in enumerate(rules)}
    answers.sort(key=lambda answer: places[answer.rule])
    return Told(tuple(answers), tuple(events.values()), tuple(detections), notes)


def _refuse_unknown(question: Question, rules: list[Rule]) -> None:
    names = [rule.name for rule in rules]
    if question.rule is not None and question.rule not in names:
        hint = spelt_nearest(question.rule, names) or f"the rules are {', '.join(names)}"
        raise UsageError(f"there is no rule '{question.rule}': {hint}")
    if question.detection is not None and (question.events or question.at is not None):
        raise UsageError("a detection says which events and which time: ask for it alone")
    if question.limit is not None and question.limit < 1:
        raise UsageError("the limit is at least 1")


def answered(trace: Trace, rule: Rule, question: Question) -> Answer:
    """What is to be said about one rule of a run."""
    asked = _asked_events(trace, question)
    limit = question.limit or (1 if question.is_general else LIMIT)
    own = trace.rules[rule.name]
    firings = [firing for firing in own.firings if _is_asked(firing, question, asked)]
    wants_fired = not question.is_general
    wants_misses = question.detection is None
    text, context = written(rule.pattern), context_of(rule)
    if isinstance(rule.pattern, Automaton):
        return _of_automaton(trace, rule, firings, asked, question, limit)
    if (places := places_of(rule.pattern)) > MOST_PLACES:
        return _of_many(trace, rule, firings[-limit:] if wants_fired else [], places)
    judges, cut = _judges(trace, rule, firings[-limit:])
    fired = [explained(judges[_partition(rule, each.one.events)], each) for each in firings[-limit:]]
    fired = fired if wants_fired else []
    misses: list[Miss] = []
    tried = 0
    remarks = _remarks(trace, rule)
    if wants_misses:
        for judge in judges.values():
            found = nearest(judge, Aim(limit, tuple(asked), question.at))
            misses += [_miss(rule, judged) for judged in found.misses]
            tried, cut = tried + found.tried, cut or found.cut
        misses = sorted(misses, key=lambda miss: len(miss.failed))[:limit] if len(judges) > 1 else misses
        if asked and not misses and not fired:
            remarks.append(_no_place(rule, list(judges.values()), asked))
    return Answer(rule.name, text, context, len(own.firings), tuple(fired), tuple(misses), tuple(remarks), tried, cut)


def _judges(trace: Trace, rule: Rule, firings: list[TracedFiring]) -> tuple[dict[str | None, Judge], bool]:
    """Who judges: of partitions one for each, those with the latest events first; and whether some are left out."""
    if not rule.partition:
        return {None: Judge(trace, rule)}, False
    latest = dict.fromkeys(partition_of(entry.event, rule.partition) for entry in reversed(trace.seen(rule)))
    values = [value for value in latest if value is not None]
    asked = [_partition(rule, firing.one.events) for firing in firings]
    chosen = dict.fromkeys([*values[:MOST_PARTITIONS], *asked])
    return {value: Judge(trace, rule, value) for value in chosen}, len(values) > MOST_PARTITIONS


def _partition(rule: Rule, events: tuple[Event, ...]) -> str | None:
    """In which partition something was found."""
    return partition_of(events[0], rule.partition) if rule.partition and events else None


def _of_many(trace: Trace, rule: Rule, firings: list[TracedFiring], places: int) -> Answer:
    """What is to be said about a rule that takes too many events for misses to be put together one by one."""
    wanted = {part.type for part in walk(rule.pattern) if isinstance(part, Primitive)}
    came = Counter(entry.event.type for entry in trace.entries if entry.event.type in wanted)
    counts = ", ".join(f"{came[kind]} {kind}" for kind in sorted(wanted))
    remarks = [f"it takes {places} events, and there came {counts}", *_remarks(trace, rule)]
    remarks.insert(1, f"the nearest misses are looked for where a rule takes at most {MOST_PLACES} events")
    fired = [
        Fired(rule.name, next(iter(each.made), None), each.one.start, each.one.end, each.clock, _by_names(each.one), ())
        for each in firings
    ]
    count, context = len(trace.rules[rule.name].firings), context_of(rule)
    return Answer(rule.name, written(rule.pattern), context, count, tuple(fired), (), tuple(remarks), cut=True)


def _of_automaton(
    trace: Trace, rule: Rule, firings: list[TracedFiring], asked: list[Event], question: Question, limit: int
) -> Answer:
    runs = Runs(trace, rule)
    fired = [] if question.is_general else [runs.explained(firing) for firing in firings[-limit:]]
    misses = runs.misses() if question.detection is None else []
    keys = set(map(event_key, asked))
    misses = [miss for miss in misses if keys <= {event_key(c.event) for c in miss.constituents if c.event}]
    if question.at is not None:
        misses = [m for m in misses if all(c.event is None or c.event.arrival <= question.at for c in m.constituents)]
    text, count = written(rule.pattern), len(trace.rules[rule.name].firings)
    run = rule.pattern.shown_run if isinstance(rule.pattern, Automaton) else ""
    remarks = _remarks(trace, rule)
    return Answer(
        rule.name,
        text,
        f"run {run}",
        count,
        tuple(fired),
        tuple(misses[:limit]),
        tuple(remarks),
        len(runs.steps),
        runs.cut,
    )


# -- what is asked for -------------------------------------------------------------------------------------------------


def _asked_events(trace: Trace, question: Question) -> list[Event]:
    """The events that the question names, by id or as SOURCE/ID."""
    found: list[Event] = []
    for name in question.events:
        plain = [entry.event for entry in trace.entries if entry.event.id == name]
        full = [entry.event for entry in trace.entries if f"{entry.event.source}/{entry.event.id}" == name]
        alike = plain or full
        if not alike:
            ids = [entry.event.id for entry in trace.entries[:2000]]
            raise UsageError(f"no event has the id '{name}'; {spelt_nearest(name, ids)}".rstrip("; "))
        if len(alike) > 1:
            sources = ", ".join(f"{event.source}/{event.id}" for event in alike[:5])
            raise UsageError(f"several events have the id '{name}': say which, as in {sources}")
        found += alike
    return found


def _is_asked(firing: TracedFiring, question: Question, asked: list[Event]) -> bool:
    if question.detection is not None:
        return any(made.id == question.detection for made in firing.made)
    if asked:
        events = {event_key(each) for event in firing.one.primitives for each in (event, *event.events)}
        if not {event_key(event) for event in asked} <= events:
            return False
    return question.at is None or question.at in (firing.now, firing.clock, firing.one.end)


def _no_place(rule: Rule, judges: list[Judge], asked: list[Event]) -> str:
    found = {partition_of(event, rule.partition) for event in asked} if rule.partition else set[str | None]()
    if None in found or len(found) > 1:
        names = " and ".join(rule.partition)
        return f"no candidate has all of {', '.join(event.id for event in asked)}: they have not one {names}"
    leaves = [place.leaf for judge in judges for choice in judge.choices for place in choice.places]
    kinds = ", ".join(dict.fromkeys(map(written, leaves)))
    ids = ", ".join(f"{event.id} ({event.type})" for event in asked)
    return f"no candidate has all of {ids}: the rule has places for {kinds}"


# -- firings -----------------------------------------------------------------------------------------------------------


def explained(judge: Judge, firing: TracedFiring) -> Fired:
    """A firing with its constituents and everything that let it through."""
    judged = _as_candidate(judge, firing)
    one = firing.one
    detection = firing.made[0] if firing.made else None
    constituents, met, late = _by_names(one), tuple[Verdict, ...](), tuple[Verdict, ...]()
    if judged is not None:
        constituents = judged.constituents
        met = tuple(each for each in judged.verdicts if each.holds)
        late = _came_later(judge, judged, firing)
        more = {event_key(event) for event in judged.events if event is not None}
        constituents += tuple(each for each in _by_names(one) if each.event and event_key(each.event) not in more)
    return Fired(judge.rule.name, detection, one.start, one.end, firing.clock, constituents, met, late)


def _as_candidate(judge: Judge, firing: TracedFiring) -> Judged | None:
    """The candidate that a firing is: the places in which its events stand."""
    wanted = occurrence_key(firing.one)
    nearly: Judged | None = None
    for choice in judge.choices:
        for events in islice(product(*_standing(judge, choice, firing.one)), MOST_WAYS):
            judged = judge.judge(choice, events)
            if judged.firing is None or judged.failed:
                continue
            if occurrence_key(judged.firing.one) == wanted:
                return judged
            nearly = nearly or judged
    return nearly


def _standing(judge: Judge, choice: Choice, one: Occurrence) -> list[list[Event]]:
    """For each place of a choice the events of an occurrence that can stand there: those of its name, if it has one."""
    keys = set(map(event_key, one.events))
    names = {
        name: {
            event_key(event) for each in ((value,) if isinstance(value, Occurrence) else value) for event in each.events
        }
        for name, value in one.bindings
    }
    found = []
    for place, options in zip(choice.places, judge.options(choice), strict=True):
        among = names.get(place.name, keys)
        found.append([entry.event for entry in options if event_key(entry.event) in among])
    return found


def _by_names(one: Occurrence) -> tuple[Constituent, ...]:
    names: dict[object, str] = {}
    for name, value in one.bindings:
        for each in (value,) if isinstance(value, Occurrence) else value:
            if len(each.events) == 1:
                names[event_key(each.events[0])] = name
    events = [event for event in one.events if event.type != TIMER]
    return tuple(Constituent(names.get(event_key(event), event.type), event.type, event) for event in events)


def _came_later(judge: Judge, judged: Judged, firing: TracedFiring) -> tuple[Verdict, ...]:
    """The absences that events would have broken which arrived when the rule had fired already."""
    if not any(each.kind == ABSENCE for each in judged.verdicts):
        return ()
    end = Moment(max(firing.now, judge.trace.last_arrival), judge.trace.seq, in_hindsight=True)
    again = judge.judge(judged.choice, judged.events, at=end)
    found = []
    for each in again.verdicts:
        later = tuple(event for event in each.events if event.number > firing.seq)
        if each.kind == ABSENCE and not each.holds and later:
            found.append(replace(each, events=later))
    return tuple(found)


def _miss(rule: Rule, judged: Judged) -> Miss:
    met = tuple(each for each in judged.verdicts if each.holds)
    time = None if judged.moment is None else judged.moment.now
    return Miss(rule.name, judged.constituents, judged.failed, met, time)


# -- the rule itself -----------------------------------------------------------------------------------------------


def _remarks(trace: Trace, rule: Rule) -> list[str]:
    """When the rule was not enabled, and by whom; what it could not see."""
    own = trace.rules[rule.name]
    said: list[str] = []
    if not own.stays:
        others = [name for name, each in trace.rules.items() if _acts(each.rule, rule.name, Enable)]
        hint = f"; rule {', '.join(others)} would enable it when it fires" if others else ""
        said.append(f"the rule was never enabled{hint}")
    for stay in own.stays:
        if stay.until is not None:
            who = _by_whom(trace, rule.name, stay)
            said.append(f"the rule was disabled{_when(trace, stay.until)}{who}; what it remembered is discarded")
    if own.stays and own.stays[0].since > 0:
        said.append(f"the rule was first enabled{_when(trace, own.stays[0].since)}; it did not see what came before")
    feeders = [
        name for name, each in trace.rules.items() if name != rule.name and name in mentioned(rule) and not each.firings
    ]
    said += [f"rule '{name}', which it uses, never fired: ask why with --rule {name}" for name in feeders]
    return said


def _when(trace: Trace, seq: int) -> str:
    """When the event of a number came."""
    if seq == 0:
        return " at the beginning"
    event = trace.entries[seq - 1].event
    return f" when {event.type}{f' {event.id}' if not event.events and event.id else ''} came"


def _acts(rule: Rule, name: str, action: type[Enable] | type[Disable]) -> bool:
    return any(isinstance(each, action) and (each.rule or rule.name) == name for each in rule.actions)


def _by_whom(trace: Trace, name: str, stay: Stay) -> str:
    for each in trace.rules.values():
        if _acts(each.rule, name, Disable):
            for firing in each.firings:
                if firing.seq == stay.until:
                    return f", by rule '{each.rule.name}'"
    return ""
