"""Why a rule fired, and what came nearest where it did not, in the events that a store keeps.

A detection is first sought in the time that it took itself, then further and further back: what lets it be made again
explains it, however little that is. Only where what came before has used events up does it matter how far one looks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tocsin.algebra.rules import Program
from tocsin.errors import UsageError
from tocsin.events import Arrival, Event
from tocsin.formats.instants import TimeStyle
from tocsin.planner.durations import lasting
from tocsin.reasons import Question, Why, ask
from tocsin.rules.options import instant_of
from tocsin.rules.programs import only_rules
from tocsin.service.gem_monitor import GEM
from tocsin.service.kept import FIRST_LOOK, MOST_ASKED, Kept, types_taken
from tocsin.service.records import StoredDetection
from tocsin.service.requests import Registry, enabled_program
from tocsin.service.standing import begun, program_of, registry_of, stood
from tocsin.service.store import Store
from tocsin.session import Session
from tocsin.time.calendar import render_instant
from tocsin.time.spans import DAY, HOUR

WINDOWS: Final = 10
"""How many windows events may matter for a rule: what came before may have used some up."""
_STYLE: Final = TimeStyle(False)


def why(store: Store, given: Mapping[str, Any]) -> dict[str, Any]:
    """Why a rule fired, or what came nearest: as `tocsin why --json`. The rules are those that stood then."""
    if given.get("detection") is not None:
        return _why_made(store, given)
    at, rule = None if given.get("at") is None else instant_of(str(given["at"])), given.get("rule")
    registry = registry_of(given) if at is None else registry_of(stood(store, given, None, at))
    if rule not in registry.owners:  # it was made since, or is none
        registry = registry_of(given)
    program = _program(registry, rule)
    since = None if at is None else at - _look_back(program, rule)
    types = types_taken(program, registry.options.order)
    kept = Kept(store, since, at, begun(store, registry, rule, at, None), types=types)
    question = Question(rule, None, tuple(given.get("events", ())), at, given.get("limit"))
    return _answered(registry, program, kept.arrivals(MOST_ASKED), question)


def _why_made(store: Store, given: Mapping[str, Any]) -> dict[str, Any]:
    id = given["detection"]
    found = store.detection(id)
    if found is None:
        raise UsageError(f"there is no detection '{id}' among those that are kept")
    if found.request == GEM:
        raise UsageError(f"rule '{found.rule}' is one of the GEM monitor: only those of requests are explained")
    registry = registry_of(stood(store, given, found.position, None), found.request)
    program = _program(registry, found.rule)
    question = Question(found.rule, id, limit=given.get("limit"))
    reason = ""
    for arrivals in _looks(store, registry, program, found):
        try:
            return _answered(registry, program, arrivals, question)
        except UsageError as error:
            reason = str(error)
    raise UsageError(f"this detection cannot be made again of the events that are still kept ({reason})")


def _looks(store: Store, registry: Registry, program: Program, found: StoredDetection) -> Iterator[list[Arrival]]:
    """The events of which a detection may be made again: ever more of them."""
    last = found.position  # what came later had no part in it, whatever times it has
    begin = min(instant_of(json.loads(found.body)["start"]), found.time)
    after, back = begun(store, registry, found.rule, None, last), _look_back(program, found.rule)
    types = types_taken(program, registry.options.order)
    if types is not None:
        yield Kept(store, begin, None, after, last, types).arrivals(MOST_ASKED, is_exact=True)
        yield Kept(store, min(begin, found.time - back // WINDOWS), None, after, last, types).arrivals(MOST_ASKED)
    yield Kept(store, found.time - back, None, after, last).arrivals(MOST_ASKED)


def _program(registry: Registry, rule: str | None) -> Program:
    """What a rule depends on; all rules, where none is named."""
    whole = enabled_program(registry.program())
    return whole if rule is None else only_rules(whole, {rule}) if rule in registry.owners else whole


def _answered(registry: Registry, program: Program, arrivals: list[Arrival], question: Question) -> dict[str, Any]:
    told = ask(Session(program, registry.options), arrivals, question)
    answer: dict[str, Any] = json.loads(Why(told, _STYLE).to_json())
    return answer


def _look_back(program: Program, rule: str | None) -> int:
    """How far back events matter for a rule: well beyond its window, since what came before may have used some up."""
    spans = [
        span.length()
        for each in program.rules
        if rule in (None, each.name) and (span := each.window or lasting(each)) is not None
    ]
    return WINDOWS * max(spans, default=DAY) + HOUR


def misses(store: Store, given: Mapping[str, Any]) -> dict[str, Any]:
    """What came nearest to a request under construction in the last events that are kept, and what it failed at."""
    since, until = (None if given.get(key) is None else instant_of(str(given[key])) for key in ("from", "to"))
    registry = registry_of(given)
    before = registry.requests.get(given.get("against", ""))
    candidate = registry.made("candidate", given["document"], "", 0, before)
    program = program_of(registry, candidate)
    kept = Kept(store, since, until, types=types_taken(program, registry.options.order))
    most = min(given.get("events") or FIRST_LOOK, MOST_ASKED)
    arrivals = kept.arrivals(most, is_exact=True)
    answers = [
        rule
        for name in candidate.rules
        for rule in _answered(registry, program, arrivals, Question(name, limit=given.get("limit")))["rules"]
    ]
    first = None if not arrivals else render_instant(arrivals[0].arrival)
    looked = {"events": sum(isinstance(each, Event) for each in arrivals), "from": first, "is_all": kept.is_all}
    return {"rules": answers, "looked": {key: value for key, value in looked.items() if value is not None}}
