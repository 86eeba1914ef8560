"""The process that answers questions about rules and about what is kept: a question a line, its answer a line.

Planning a rule or running it over a history takes its time, and compiled code lets nobody else have a turn. So that
happens here, beside the service, under limits, on a reader's connection to the store.
"""

from __future__ import annotations

import json
import resource
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Any, Final

from tocsin.algebra.links import mentioned
from tocsin.algebra.notes import Notes
from tocsin.algebra.rules import Define, Program
from tocsin.errors import TextError, TocsinError, UsageError
from tocsin.events import Arrival, Detection, Event
from tocsin.explain.views import network_view
from tocsin.formats.blocks import Block
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import detection_line
from tocsin.planner.durations import lasting
from tocsin.reasons import Question, Why, ask
from tocsin.rules.costs import cost_of
from tocsin.rules.options import context_of, instant_of, order_of, window_of
from tocsin.runtime import Options, Runtime
from tocsin.runtime.columnar import batch_of_block
from tocsin.runtime.forecast import MANY, forecast, may_combine
from tocsin.service.admission import Admission, Parcel
from tocsin.service.gem_monitor import GEM
from tocsin.service.notations import notations
from tocsin.service.records import Entry, Kind
from tocsin.service.replays import MOST_STEPS, replayed, uploaded
from tocsin.service.requests import Registry, Request, RequestRefused, enabled_program, fault_of
from tocsin.service.store import Search, Store, open_store
from tocsin.session import Session
from tocsin.time.calendar import render_instant
from tocsin.time.spans import DAY, HOUR

PAGE: Final = 200
MOST_ASKED: Final = 200_000
"""Events that `why` looks at, the latest before the time in question."""
MOST_SAMPLED: Final = 2_000
"""Events by which it is estimated what a rule may find."""
MOST_SHOWN: Final = 20
SOUGHT: Final = ("language", "expression", "condition", "by", "context", "window", "order", "run")
"""What a request looks for: where that changes, it begins anew. The rest is what it says of what it finds."""
_STYLE: Final = TimeStyle(False)


class Kept:
    """The events that a store has between two times, and between two entries of its log."""

    def __init__(
        self,
        store: Store,
        since: int | None = None,
        until: int | None = None,
        after: int = 0,
        last: int | None = None,
    ) -> None:
        self._store, self._since, self._until, self._after, self._last = store, since, until, after, last
        self.events = 0

    def entries(self) -> Iterator[Entry]:
        """The entries with events that may lie there."""
        after = self._after
        while found := self._store.events(Search(after, PAGE, since=self._since, until=self._until)):
            for entry in found:
                if self._last is not None and entry.position > self._last:
                    return
                yield entry
            after = found[-1].position + 1

    def holds(self, time: int) -> bool:
        """Whether a time lies between the two; entries that reach beyond them are read whole."""
        return (self._since is None or time >= self._since) and (self._until is None or time <= self._until)

    def parcels(self) -> Iterator[Parcel]:
        """The events as they were admitted, with the times at which they arrived."""
        admission = Admission(None)
        for entry in self.entries():
            for parcel in admission.again(entry):
                self.events += len(parcel)
                yield parcel

    def arrivals(self, most: int) -> list[Arrival]:
        """The last of them, one by one."""
        found: list[Arrival] = []
        for parcel in self.parcels():
            found += parcel
            if len(found) > most * 2:
                del found[:-most]
        return found[-most:]


def _options(given: Mapping[str, Any]) -> Options:
    window, context = given.get("window"), given.get("context")
    return Options(
        context=None if context is None else context_of(context),
        order=order_of(given.get("order") or "best-effort"),
        window=None if window is None else window_of(window),
    )


def _registry(given: Mapping[str, Any]) -> Registry:
    """The requests that stand, as the service gives them."""
    registry = Registry(_options(given["defaults"]), allows_unbounded=True)
    for id, document in given["requests"].items():
        sought = {key: document[key] for key in document if key != "callback"}
        registry.put(registry.made(id, sought, "", 0, None, is_trusted=True))
    return registry


def _changes(store: Store) -> Iterator[tuple[Entry, dict[str, Any]]]:
    """All changes of requests, in their order."""
    after = 0
    while found := store.entries(after, PAGE, kind=Kind.CHANGE.value):
        for entry in found:
            yield entry, json.loads(entry.body)
        after = found[-1].position


def _then(store: Store, given: Mapping[str, Any], before: int | None, at: int | None) -> Registry:
    """The requests as they stood before an entry of the log, or at a time."""
    standing: dict[str, Mapping[str, Any]] = {}
    for entry, said in _changes(store):
        if (before is not None and entry.position >= before) or (at is not None and entry.arrival > at):
            break
        if said["action"] in ("create", "alter", "enable", "disable"):
            standing[said["id"]] = said["document"]
        elif "id" in said:
            standing.pop(said["id"], None)  # cancelled, or stopped
    enabled = {id: document for id, document in standing.items() if document.get("enabled") is not False}
    return _registry({**given, "requests": enabled})


def why(store: Store, given: Mapping[str, Any]) -> dict[str, Any]:
    """Why a rule fired, or what came nearest: as `tocsin why --json`. The rules are those that stood then."""
    at = None if given.get("at") is None else instant_of(str(given["at"]))
    detection, rule, about, last = given.get("detection"), given.get("rule"), at, None
    if detection is not None:
        found = store.detection(detection)
        if found is None:
            raise UsageError(f"there is no detection '{detection}' among those that are kept")
        if found.request == GEM:
            raise UsageError(f"rule '{found.rule}' is one of the GEM monitor: only those of requests are explained")
        rule, about = found.rule, found.time
        last = found.position  # what came later had no part in it, whatever times it has
        registry = _then(store, given, last, None)
    else:
        registry = _registry(given) if at is None else _then(store, given, None, at)
        if rule not in registry.owners:  # it was made since, or is none
            registry = _registry(given)
    session = Session(enabled_program(registry.program()), registry.options)
    since = None if about is None else about - _look_back(session.program, rule)
    kept = Kept(store, since, at, _begun(store, registry, rule, at, last), last)
    question = Question(rule, detection, tuple(given.get("events", ())), at, given.get("limit"))
    try:
        told = ask(session, kept.arrivals(MOST_ASKED), question)
    except UsageError as error:
        if detection is None:
            raise
        raise UsageError(f"this detection cannot be made again of the events that are still kept ({error})") from None
    answer: dict[str, Any] = json.loads(Why(told, _STYLE).to_json())
    return answer


def _begun(store: Store, registry: Registry, rule: str | None, until: int | None, last: int | None) -> int:
    """Behind which entry a rule has begun to see events; 0, all of them, where it goes by rules of other requests."""
    owners = registry.owners
    request = registry.requests.get(owners.get(rule or "", ""))
    if request is None or any(owners.get(name, request.id) != request.id for name in _mentioned(request)):
        return 0
    begun, before = 0, dict[str, Any]()
    for entry, said in _changes(store):
        if last is not None and entry.position > last:
            break
        if said.get("id") != request.id or (until is not None and entry.arrival > until):
            continue
        sought = {key: said.get("document", {}).get(key) for key in SOUGHT}
        if said["action"] in ("create", "enable") or (said["action"] == "alter" and sought != before):
            begun = entry.position
        before = sought
    return begun


def _mentioned(request: Request) -> set[str]:
    return {name for rule in request.definitions for name in mentioned(rule)}


def _look_back(program: Program, rule: str | None) -> int:
    """How far back events matter for a rule: well beyond its window, since what came before may have used some up."""
    spans = [
        span.length()
        for each in program.rules
        if rule in (None, each.name) and (span := each.window or lasting(each)) is not None
    ]
    return 10 * max(spans, default=DAY) + HOUR


def dry_run(store: Store, given: Mapping[str, Any]) -> dict[str, Any]:
    """What a request would cost, what it shares with others, and how much it may find."""
    registry = _registry(given)
    request = registry.made("new", given["document"], "", 0, None)
    alone = network_view(enabled_program(Program(request.statements)), registry.options.order, None)
    before = network_view(enabled_program(registry.program()), registry.options.order, None)
    registry.put(request)
    after = network_view(enabled_program(registry.program()), registry.options.order, None)
    rules = Program(request.statements).rules
    own, more = _nodes(alone), _nodes(after) - _nodes(before)
    sample = [each for each in Kept(store).arrivals(MOST_SAMPLED) if isinstance(each, Event)]
    expected = []
    for rule in rules:
        if may_combine(rule) and not rule.hidden and sample:
            told = forecast(rule.name, enabled_program(Program(tuple(Define(each) for each in rules))), sample, None)
            if told.combinations >= MANY:
                expected.append({"rule": rule.name, "combinations": told.combinations, "events": len(sample)})
    mine = [each for each in after.record["rules"] if each["rule"] in request.rules]  # type: ignore[attr-defined]
    return {
        "rules": mine or [cost_of(rule) for rule in rules],
        "nodes": own,
        "new_nodes": max(0, more),
        "shared_nodes": max(0, own - more),
        "forecasts": expected,
        "warnings": [each.record() for each in registry.doubts(request)],
    }


def _nodes(view: Any) -> int:
    return sum(len(graph.nodes) for graph in view.graphs)


def tried(store: Store, given: Mapping[str, Any]) -> dict[str, Any]:
    """A request by itself, checked and planned: nothing is said of it, but that it can be done under the limits."""
    registry = Registry(_options(given["defaults"]), allows_unbounded=True)
    with suppress(RequestRefused):  # what is wrong with it is said where it is known among the others
        registry.made("new", given["document"], "", 0, None)
    return {}


def composed(store: Store, given: Mapping[str, Any]) -> dict[str, Any]:
    """A request under construction, as a drawing and in every notation."""
    registry = Registry(_options(given["defaults"]), allows_unbounded=True)
    return notations(registry, given["document"], given.get("drawing"))


def graph(store: Store, given: Mapping[str, Any]) -> dict[str, Any]:
    """The graph that all requests share."""
    registry = _registry(given)
    view = network_view(enabled_program(registry.program()), registry.options.order, None)
    return {"title": view.title, "said": view.said, **view.record, "graphs": [asdict(each) for each in view.graphs]}


def backtest(store: Store, given: Mapping[str, Any]) -> dict[str, Any]:
    """What a request would have detected in what is kept; beside another one, what only one of the two would."""
    since, until = (None if given.get(key) is None else instant_of(str(given[key])) for key in ("from", "to"))
    registry = _registry(given)
    candidate = registry.made("candidate", given["document"], "", 0, registry.requests.get(given.get("against", "")))
    kept = Kept(store, since, until)
    told = _detected(kept, registry, candidate.statements, set(candidate.rules))
    answer = {"events": kept.events, **_summary(told)}
    against = registry.requests.get(given.get("against", ""))
    if against is not None:
        others = _detected(Kept(store, since, until), registry, against.statements, set(against.rules))
        mine, theirs = Counter(one.events for one in told), Counter(one.events for one in others)
        answer["against"] = {
            "both": (mine & theirs).total(),
            "candidate only": (mine - theirs).total(),
            "live only": (theirs - mine).total(),
        }
    return answer


def replay(store: Store, given: Mapping[str, Any]) -> dict[str, Any]:
    """A request stepped through events: those that are brought along, or the last ones that are kept."""
    since, until = (None if given.get(key) is None else instant_of(str(given[key])) for key in ("from", "to"))
    registry = _registry(given)
    before = registry.requests.get(given.get("against", ""))
    candidate = registry.made("candidate", given["document"], "", 0, before)
    brought, most = given.get("events"), given.get("limit") or MOST_STEPS
    arrivals = uploaded(brought) if brought is not None else Kept(store, since, until).arrivals(most)
    return replayed(registry, candidate, arrivals, most)


def _detected(kept: Kept, registry: Registry, statements: tuple[Any, ...], rules: set[str]) -> list[Detection]:
    others = [
        each for request in registry.requests.values() for each in request.statements if not rules & set(request.rules)
    ]
    program = enabled_program(Program((*dict.fromkeys((*others, *statements)),)))
    runtime = Runtime(program, registry.options, notes=Notes())
    found: list[Detection] = []
    for parcel in kept.parcels():
        arrivals = batch_of_block(parcel) if isinstance(parcel, Block) else parcel
        found += (one for one in runtime.process(arrivals) if one.rule in rules)
    found += (one for one in runtime.finish() if one.rule in rules)
    return [one for one in found if kept.holds(one.time_us)]


def _summary(found: list[Detection]) -> dict[str, Any]:
    days = Counter(render_instant(one.time_us)[:10] for one in found)
    hours = Counter(render_instant(one.time_us)[:13] for one in found)
    return {
        "detections": len(found),
        "by_day": dict(sorted(days.items())),
        "by_hour": dict(sorted(hours.items())) if len(hours) <= 24 * 31 else {},
        "examples": [json.loads(detection_line(one, _STYLE)) for one in found[:MOST_SHOWN]],
    }


QUESTIONS: Final[Mapping[str, Callable[[Store, Mapping[str, Any]], dict[str, Any]]]] = {
    "why": why,
    "dry_run": dry_run,
    "tried": tried,
    "composed": composed,
    "graph": graph,
    "backtest": backtest,
    "replay": replay,
}


def answered(store: Store, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The answer, or what is wrong with the question, as data."""
    try:
        return {"answer": QUESTIONS[asked["question"]](store, asked["given"])}
    except RequestRefused as error:
        return {"faults": [fault.record() for fault in error.faults]}
    except TextError as error:
        return {"faults": [fault_of(fault).record() for fault in error.faults]}
    except TocsinError as error:
        return {"faults": [{"code": "question-invalid", "message": str(error)}]}
    except RecursionError:
        return {"faults": [{"code": "expression-too-deep", "message": "this nests too deeply"}]}
    except MemoryError:
        return {"faults": [{"code": "question-too-large", "message": "this needs more memory than there is for it"}]}
    except Exception as error:  # noqa: BLE001 - the next question has nothing to do with this one
        return {"faults": [{"code": "internal", "message": f"a fault of the service: {type(error).__name__}: {error}"}]}


def main() -> None:
    """Answers until nobody asks any more."""
    where, memory = sys.argv[1], int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    store = open_store(where, read_only=True)
    sys.stdout.buffer.write(b"ready\n")
    sys.stdout.buffer.flush()
    for line in sys.stdin.buffer:
        answer = json.dumps(answered(store, json.loads(line)), ensure_ascii=False)
        sys.stdout.buffer.write(answer.encode("utf-8", "replace") + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
