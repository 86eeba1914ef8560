"""Tocsin from Python: rules from text or patterns, events from anything, detections as records or columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sized
from dataclasses import replace
from datetime import timedelta
from functools import partial
from os import PathLike, fspath
from typing import NamedTuple

from tocsin import languages, translation
from tocsin.algebra.amendments import WITHIN, applied
from tocsin.algebra.guards import Guard
from tocsin.algebra.notes import Notes
from tocsin.algebra.patterns import Automaton, By, Pattern, around
from tocsin.algebra.rules import BEST_EFFORT, Program, Rule, Suppress
from tocsin.engine.frames.batches import Slice, slices_of
from tocsin.engine.frames.rows import run_slices, takes_slices
from tocsin.errors import EXPRESSION, RuleError, Source, TextError, UsageError
from tocsin.events import Detection, Event
from tocsin.findings import Detections
from tocsin.formats import Arrivals, Fields, InputClock, TimeStyle, events_from, read_events
from tocsin.formats.intake import Intake, Notice, Watch
from tocsin.languages import pretty
from tocsin.languages.fluent import Fluent, event
from tocsin.languages.guards import parse_guard_text
from tocsin.languages.notifications import parse_notification
from tocsin.origins import read
from tocsin.progress import Progress
from tocsin.proposals import Examples, Proposals
from tocsin.proposals import propose as proposed
from tocsin.reasons import Question, Why, ask
from tocsin.rules.budgets import Budgets, budgets_of
from tocsin.rules.declared_events import conformer
from tocsin.rules.loader import load_files
from tocsin.rules.lookout import Lookout
from tocsin.rules.options import context_of, granularity_of, instant_of, order_of, run_of, severity_of, window_of
from tocsin.rules.programs import rules_program
from tocsin.runtime.clocks import by_order
from tocsin.runtime.options import Options
from tocsin.session import Session
from tocsin.time.spans import Period
from tocsin.translation import Asked

__all__ = ["detect", "event", "load", "parse", "propose", "render", "rule", "translate", "why"]

Span = str | int | float | timedelta
"""A length of time: as people write it, in seconds, or as Python has it."""

Rules = Program | Rule | str | PathLike[str] | Iterable[Rule]


def rule(
    name: str,
    pattern: Pattern | Fluent | str,
    *,
    language: str = "eps",
    condition: str | None = None,
    context: str | None = None,
    window: Span | None = None,
    order: str | None = None,
    notify: str | None = None,
    select: Mapping[str, str] | None = None,
    suppress: Mapping[str, object] | None = None,
    severity: str | None = None,
    tags: Iterable[str] = (),
    description: str = "",
    references: Iterable[str] = (),
    by: str | Iterable[str] = (),
    run: str | None = None,
    partition: str | Iterable[str] = (),
) -> Rule:
    """A rule from a pattern built in Python, or from an expression in any of the languages.

    `condition` and the values of `select` are guards over the pattern's variables; `notify` is a text with `{x.attr}`.
    `by`: attributes that are equal in all events of the pattern; `partition`: attributes for each of whose values the
    rule is there once; `run`: how often an automaton (core) runs.

    >>> import tocsin as tc
    >>> tc.rule("hot", "x:temp", condition="x.t > 30", select={"degrees": "x.t"}).name
    'hot'
    >>> a, b = tc.event("a"), tc.event("b")
    >>> tc.rule("pair", a.then(b).within("1 min").where(a.host == b.host)).language
    'python'
    """
    quiet = None if suppress is None else _suppress(suppress, language)
    if isinstance(pattern, str):
        pattern, quiet = _read_rule(pattern, language, quiet)
    else:
        language = "python"
    chosen = {key: _guard(value, language) for key, value in (select or {}).items()}
    if isinstance(pattern, Fluent):
        chosen = {**pattern.selected, **chosen}
        pattern = pattern.pattern
    pattern = _run_and_keyed(pattern, run, (by,) if isinstance(by, str) else tuple(by))
    return Rule(
        name,
        pattern,
        language,
        condition=None if condition is None else _guard(condition, language),
        context=None if context is None else context_of(context),
        window=window_given(window),
        order=None if order is None else order_of(order),
        notify=notify,
        message=() if notify is None else _message(notify, language),
        select=tuple(chosen.items()),
        suppress=quiet,
        severity=None if severity is None else severity_of(severity),
        tags=tuple(tags),
        description=description,
        references=tuple(references),
        partition=(partition,) if isinstance(partition, str) else tuple(partition),
        span=pattern.span,
    )


def _run_and_keyed(pattern: Pattern, run: str | None, by: tuple[str, ...]) -> Pattern:
    """The pattern with what is said about it beside the text, as a rules file does."""
    if run is not None:
        if not isinstance(pattern, Automaton):
            raise UsageError("run= is for automata, which the core language makes")
        pattern = Automaton(pattern.pattern, *run_of(run), span=pattern.span)
    return around(pattern, partial(By, attributes=by, span=pattern.span)) if by else pattern


def _read_rule(text: str, language: str, suppress: Suppress | None) -> tuple[Pattern, Suppress | None]:
    """A pattern, and what the text itself says of suppression: in pretty it may."""
    if language != pretty.NAME:
        return parse(text, language), suppress
    source = Source(text)
    try:
        pattern, own = pretty.parse_rule(source)
    except TextError as error:
        raise error.located(source) from None
    if own is not None and suppress is not None:
        raise UsageError("the expression says already what is told once: leave out suppress=")
    return pattern, own or suppress


def _suppress(given: Mapping[str, object], language: str) -> Suppress:
    """`{"by": "x.ip", "for": "10 minutes"}`; several in a list."""
    length = given.get("for")
    if not isinstance(length, str | int | float | timedelta) or not set(given) <= {"by", "for", "every", "nth"}:
        raise UsageError('suppress says by what and for how long: {"by": "x.ip", "for": "10 minutes"}')
    by = given.get("by", [])
    texts = [by] if isinstance(by, str) else by
    if not isinstance(texts, list | tuple):
        raise UsageError("suppress is by attributes: 'x.ip', or a list of them")
    period = window_given(length)
    assert period is not None
    every, nth = _count(given, "every"), _count(given, "nth")
    if every and nth:
        raise UsageError("suppress tells every so-manieth, or the nth alone")
    return Suppress(tuple(_guard(each, language) for each in texts), period, every, nth)


def _count(given: Mapping[str, object], name: str) -> int:
    """A number of `suppress`; 0 where it is not given."""
    found = given.get(name)
    if found is None:
        return 0
    if not isinstance(found, int) or isinstance(found, bool) or found < 1:
        raise UsageError(f"'{name}' of suppress is a whole number from 1 on, not {found!r}")
    return found


def load(*paths: str | PathLike[str]) -> Program:
    """The program of rules files: `*.gem`, `*.eps`, `*.yaml`.

    >>> import tocsin as tc, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "rules.yaml")
    >>> _ = path.write_text("rules: [{name: pair, language: eps, expression: a ; b}]")
    >>> [rule.name for rule in tc.load(path).rules]
    ['pair']
    """
    return load_files(fspath(path) for path in paths)


def import_rules(text: str, origin: str, *, partly: bool = False) -> Program:
    """The program of a text of another engine: "esper-epl", "flink-sql" or "siddhi".

    What cannot be said here is a RuleError with all such places; `partly`: leave those statements out instead.

    >>> import tocsin as tc
    >>> program = tc.import_rules("select * from pattern [every a=Login -> b=Logout(user = a.user)]", "esper-epl")
    >>> print(tc.render(program.rules[0].pattern, "core"))
    [a:Login] [b:Logout(user == a.user)]
    """
    if not isinstance(text, str):
        raise UsageError(f"import_rules takes the text itself, not {type(text).__name__}: Path(...).read_text()")
    found = read(Source(text), origin)
    if found.refused and not (partly and found.rules):
        raise RuleError(found.refused)
    return found.program


def parse(text: str, language: str = "eps") -> Pattern:
    """An expression in any of the languages as a pattern.

    >>> import tocsin as tc
    >>> tc.parse("a ; b", language="gem") == tc.parse("a ; b", language="eps")
    True
    """
    source = Source(text)
    try:
        return languages.parse(source, language)
    except TextError as error:
        raise error.located(source) from None


def render(pattern: Pattern | Fluent, language: str = "eps") -> str:
    """A pattern as an expression of a language; refused, with the construct named, if the language cannot say it.

    >>> import tocsin as tc
    >>> tc.render(tc.parse("a;b", language="gem"), "eps")
    'a ; b'
    """
    return languages.render(pattern.pattern if isinstance(pattern, Fluent) else pattern, language)


def translate(rules: Rules, to: str, *, time_model: str = "point", nearest: bool = False) -> str:
    """Rules as the text of a rules file in another notation, which gives the same detections; or a RuleError.

    `to`: a language, or "python" for a program that makes the rules. `time_model`: how events will be stamped, for
    some laws hold for points alone. `nearest`: where it cannot be exact, come as near as can be.

    >>> import tocsin as tc
    >>> a, b, c = tc.event("a"), tc.event("b"), tc.event("c")
    >>> print(tc.translate(tc.rule("quiet", a.then(b).without(c)), "sel"), end="")
    rules:
    - name: quiet
      language: sel
      expression: a -> !c -> b
    """
    granularity_of(time_model)
    asked = Asked(program_of(rules), time_model.partition(":")[0], nearest=nearest)
    return translation.translate(asked, to).text


def detect(
    rules: Rules,
    events: object,
    *,
    context: str | None = None,
    order: str = "best-effort",
    window: Span | None = None,
    time_model: str = "point",
    until: str | None = None,
    late: str = "accept",
    amend: bool | Span = False,
    on_error: str = "refuse",
    columns: Mapping[str, str] | None = None,
    time_format: str | None = None,
    zone: str | None = None,
    progress: bool | None = None,
    budget: str | Mapping[str, str] | None = None,
    total_budget: str | None = None,
) -> Detections:
    """Every detection of the rules on the events, in order of detection.

    `rules`: rules, a program from `load`, or the path of a rules file. `events`: an iterable of dicts or events, a
    frame of Arrow, pandas or Polars, a dict of NumPy arrays, or the path of a file of events, in order of arrival. The
    times of a detection are `datetime`s in UTC (`start_us`, `time_us`, `detected_us`: the same in microseconds since
    1970). `amend`: whether late events retract, replace and restore what was detected before them (`Amendment`),
    and how late they may be if not an hour. `columns`: what the fields of
    an event are called in the events, as in `{"time": "@timestamp"}`; `time_format`: how times are written (a format of
    `strptime`, "epoch-s", "epoch-ms", "epoch-us", "epoch-ns"); `zone`: where, if they do not say. `progress`: whether
    to show it on standard error; None is on a terminal, if it takes long. `budget`: what each rule may hold, as in
    "rows=10000,policy=drop-oldest", or a mapping of names to such texts; `total_budget`: what all may hold together.

    >>> import tocsin as tc
    >>> rule = tc.rule("pair", "x:a ; y:b", condition="x.host == y.host")
    >>> events = [
    ...     {"type": "a", "time": 1, "data": {"host": "n1"}},
    ...     {"type": "b", "time": 2, "data": {"host": "n1"}},
    ... ]
    >>> tc.detect(rule, events)[0].data
    {'x.host': 'n1', 'y.host': 'n1'}
    """
    options = options_given(context, order, window, time_model, until, late, amend)
    program = program_of(rules)
    session = Session(program, replace(options, budgets=_budgets(program, budget, total_budget)))
    lookout = Lookout(session.program, is_stamped=session.options.granularity is not None)
    given = Given(on_error, Fields(columns or {}), InputClock(time_format, zone), lookout.note, lookout.note_block)
    with Progress(progress, _length(events)) as shown:
        found = _detected(session, events, given, lookout, shown)
    found.notes.warnings += lookout.remarks()
    return found


def why(
    rules: Rules,
    events: object,
    *,
    rule: str | None = None,
    detection: str | None = None,
    event: str | Iterable[str] = (),
    at: str | float | None = None,
    limit: int | None = None,
    context: str | None = None,
    order: str = "best-effort",
    window: Span | None = None,
    time_model: str = "point",
    until: str | None = None,
    late: str = "accept",
    on_error: str = "refuse",
    columns: Mapping[str, str] | None = None,
    time_format: str | None = None,
    zone: str | None = None,
) -> Why:
    """Why the rules fired on the events, or what came nearest and what it failed at.

    Asked about nothing in particular, it tells of every rule how often it fired and the nearest miss. `rule`, the id of
    a `detection`, the ids of some `event`s or a time `at` narrow that; `limit` is how many firings and misses are told
    of each rule. The other options are those of `detect`.

    >>> import tocsin as tc
    >>> told = tc.why(tc.rule("pair", "a ; b", window="5 s"), [{"type": "a", "time": 1}, {"type": "b", "time": 9}])
    >>> [(each.kind, each.by) for each in told["pair"].misses[0].failed]
    [('window', 3000000)]
    """
    session = Session(program_of(rules), options_given(context, order, window, time_model, until, late))
    style = TimeStyle()
    arrivals = read_arrivals(
        session, events, Given(on_error, Fields(columns or {}), InputClock(time_format, zone)), style
    )
    ids = (event,) if isinstance(event, str) else tuple(event)
    question = Question(rule, detection, ids, None if at is None else instant_of(str(at)), limit)
    return Why(ask(session, arrivals, question), style)


def propose(
    events: object,
    together: Iterable[Iterable[str]],
    apart: Iterable[Iterable[str]] = (),
    *,
    columns: Mapping[str, str] | None = None,
    time_format: str | None = None,
    zone: str | None = None,
) -> Proposals:
    """Rules that find events which belong together, proposed from examples and tried on all events, the best first.

    `together` has the ids of the events of each example, `apart` those of examples that do not belong together. An id
    is as in the events, or the number of the event from 1 on.

    >>> import tocsin as tc
    >>> events = [{"type": kind, "time": time, "ip": ip} for kind, time, ip in
    ...           [("failed", 0, "x"), ("login", 4, "x"), ("failed", 9, "y"), ("login", 11, "z")]]
    >>> print(tc.propose(events, together=[["1", "2"]], apart=[["3", "4"]])[0].expression)
    failed followed by login by ip within 5 seconds
    """
    given = Given("refuse", Fields(columns or {}), InputClock(time_format, zone))
    session = Session(rules_program([]), Options())
    history = [each for each in read_arrivals(session, events, given, TimeStyle()) if isinstance(each, Event)]
    by_id = {event.id: event for event in history}
    good, bad = ([[_named(by_id, id) for id in group] for group in some] for some in (together, apart))
    return proposed(history, Examples(good, bad))


def _named(events: Mapping[str, Event], id: str) -> Event:
    if id not in events:
        raise UsageError(f"no event has the id '{id}'")
    return events[id]


class Given(NamedTuple):
    """How events are given: what is done with bad ones, what their fields are called, how their times are written."""

    on_error: str
    fields: Fields
    clock: InputClock
    watch: Watch | None = None
    notice: Notice | None = None


def read_arrivals(session: Session, events: object, given: Given, style: TimeStyle) -> Arrivals:
    """The events of a file, or of objects of Python."""
    conform = conformer(session.program.declarations)
    if isinstance(events, str | PathLike):
        return read_events(
            events,
            None,
            given.on_error,
            style=style,
            conform=conform,
            fields=given.fields,
            clock=given.clock,
            watch=given.watch,
            notice=given.notice,
        )
    return events_from(
        events,
        given.on_error,
        style=style,
        conform=conform,
        fields=given.fields,
        clock=given.clock,
        watch=given.watch,
        notice=given.notice,
    )


def _detected(session: Session, events: object, given: Given, lookout: Lookout, shown: Progress) -> Detections:
    """A frame goes by slices where the rules can take them; everything else event by event."""
    declared = session.program.declarations
    notes, style = Notes(), TimeStyle()
    reading = (given.fields, given.clock, given.watch)
    intake = Intake("<frame>", given.on_error, None, None, None, style, conformer(declared), *reading)
    slices = None if isinstance(events, str | PathLike) else slices_of(events, intake, declared)
    if slices is None:
        arrivals = read_arrivals(session, events, given, style)
        if session.takes_parcels:
            told = session.detections_of_parcels(shown.parcels(arrivals.parcels()), notes)
        else:
            told = session.detections(shown.events(arrivals), notes)
        return _all_told(session, told, arrivals, notes, style)
    slices = _noted(slices, lookout)
    program = _for_slices(session)
    if program is None:
        each = (arrival for some in slices for arrival in some.arrivals())
        return _all_told(session, session.detections(shown.events(each), notes), intake, notes, style)
    rows = run_slices(program, slices, session.options.until, notes, shown.add, session.options.budgets)
    notes.warnings += intake.remarks
    return Detections(rows, rows.counts, notes, style, intake.skipped, intake.repeated)


def _noted(slices: Iterable[Slice], lookout: Lookout) -> Iterator[Slice]:
    """The slices as they pass; rows have been shown to the lookout when they were admitted."""
    for each in slices:
        if each.columns is not None:
            batch = each.columns
            codes, ends = memoryview(batch.codes).cast("q"), memoryview(batch.ends).cast("q")
            lookout.note_table(batch.kinds, batch.columns, codes, ends, batch.attribute)
        yield each


def _all_told(
    session: Session, told: Iterator[Detection], intake: Intake | Arrivals, notes: Notes, style: TimeStyle
) -> Detections:
    found = list(told)
    notes.warnings += intake.remarks
    counts = dict.fromkeys((rule.name for rule in session.program.rules if not rule.hidden), 0)
    for one in found if session.options.amend is None else applied(found):
        counts[one.rule] = counts.get(one.rule, 0) + 1
    return Detections(found, counts, notes, style, intake.skipped, intake.repeated)


def _for_slices(session: Session) -> Program | None:
    """The program, if it can be given whole slices."""
    options = session.options
    groups = by_order(session.program, options.order)
    if len(groups) > 1 or groups[0].order != BEST_EFFORT or options.ignore_late or options.amend is not None:
        return None
    program = groups[0].program
    return program if takes_slices(program, options.granularity) else None


def _length(events: object) -> int | None:
    """How many events there are, if that can be told without reading them."""
    if isinstance(events, str | Mapping) or not isinstance(events, Sized):
        return None
    return len(events)


def options_given(
    context: str | None,
    order: str,
    window: Span | None,
    time_model: str,
    until: str | None,
    late: str,
    amend: bool | Span = False,
) -> Options:
    """What holds for a run, as `detect` is told it."""
    if late not in ("accept", "ignore"):
        raise UsageError(f"late is {late!r}: accept or ignore")
    return Options(
        context=None if context is None else context_of(context),
        order=order_of(order),
        window=window_given(window),
        granularity=granularity_of(time_model),
        until=None if until is None else instant_of(until),
        ignore_late=late == "ignore",
        amend=_within(amend),
    )


def program_of(rules: Rules) -> Program:
    """Rules, however they are given, as a program."""
    if isinstance(rules, Program):
        return rules
    if isinstance(rules, str | PathLike):
        return load(rules)
    if isinstance(rules, Rule):
        return rules_program([rules])
    if not isinstance(rules, Iterable):
        raise UsageError(f"rules are rules, a program or a path, not a {type(rules).__name__}")
    return rules_program(rules)


def _budgets(program: Program, budget: str | Mapping[str, str] | None, total: str | None) -> Budgets:
    if isinstance(budget, Mapping):
        asked = [f"{name}:{text}" for name, text in budget.items()]
    else:
        asked = [] if budget is None else [budget]
    return budgets_of(asked, total, [rule.name for rule in program.rules])


def _within(amend: bool | Span) -> int | None:
    """How late an event may be and still amend; None if none may."""
    if isinstance(amend, bool):
        return WITHIN if amend else None
    period = window_given(amend)
    assert period is not None
    return period.length()


def window_given(span: Span | None) -> Period | None:
    """A length of time, however it is given."""
    if span is None:
        return None
    if isinstance(span, timedelta):
        return window_of(f"{span / timedelta(seconds=1):.6f} s")
    return window_of(span if isinstance(span, str) else f"{span} s")


def _message(text: str, language: str) -> tuple[str | Guard, ...]:
    source = Source(text, EXPRESSION)
    try:
        return parse_notification(text, language)
    except TextError as error:
        raise error.located(source) from None


def _guard(text: str, language: str) -> Guard:
    if not isinstance(text, str):
        raise UsageError(f"a condition is a text such as 'x.v > 3', not a {type(text).__name__}")
    source = Source(text, EXPRESSION)
    try:
        return parse_guard_text(source, language)
    except TextError as error:
        raise error.located(source) from None
