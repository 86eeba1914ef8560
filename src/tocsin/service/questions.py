"""The process that answers questions about rules and about what is kept: a question a line, its answer a line.

Planning a rule or running it over a history takes its time, and compiled code lets nobody else have a turn. So that
happens here, beside the service, under limits, on a reader's connection to the store.
"""

from __future__ import annotations

import gc
import json
import resource
import select
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Any, Final

from tocsin.algebra.rules import Define, Program
from tocsin.errors import TocsinError
from tocsin.events import Event
from tocsin.explain.views import network_view
from tocsin.rules.costs import cost_of
from tocsin.rules.options import instant_of
from tocsin.runtime.forecast import MANY, forecast, may_combine
from tocsin.service.backtests import Tell, backtest
from tocsin.service.explanations import misses, why
from tocsin.service.kept import Kept
from tocsin.service.marks import proposed
from tocsin.service.notations import notations
from tocsin.service.past import Past
from tocsin.service.questioner import STOP
from tocsin.service.replays import MOST_STEPS, replayed, uploaded
from tocsin.service.request_documents import faults_of
from tocsin.service.requests import Registry, RequestRefused, enabled_program
from tocsin.service.standing import options_of, registry_of
from tocsin.service.store import Store, open_store

SELDOM: Final = (100_000, 50, 1_000)
"""How seldom garbage is looked for: hardly anything here goes round in circles, and there is much to look through."""
MOST_SAMPLED: Final = 2_000
"""Events by which it is estimated what a rule may find."""


def dry_run(store: Store, given: Mapping[str, Any]) -> dict[str, Any]:
    """What a request would cost, what it shares with others, and how much it may find."""
    registry = registry_of(given)
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
    registry = Registry(options_of(given["defaults"]), allows_unbounded=True)
    with suppress(RequestRefused):  # what is wrong with it is said where it is known among the others
        registry.made("new", given["document"], "", 0, None)
    return {}


def composed(store: Store, given: Mapping[str, Any]) -> dict[str, Any]:
    """A request under construction, as a drawing and in every notation."""
    registry = Registry(options_of(given["defaults"]), allows_unbounded=True)
    return notations(registry, given["document"], given.get("drawing"))


def graph(store: Store, given: Mapping[str, Any]) -> dict[str, Any]:
    """The graph that all requests share."""
    registry = registry_of(given)
    view = network_view(enabled_program(registry.program()), registry.options.order, None)
    return {"title": view.title, "said": view.said, **view.record, "graphs": [asdict(each) for each in view.graphs]}


def replay(store: Store, given: Mapping[str, Any]) -> dict[str, Any]:
    """A request stepped through events: those that are brought along, or the last ones that are kept."""
    since, until = (None if given.get(key) is None else instant_of(str(given[key])) for key in ("from", "to"))
    registry = registry_of(given)
    before = registry.requests.get(given.get("against", ""))
    candidate = registry.made("candidate", given["document"], "", 0, before)
    brought, most = given.get("events"), given.get("limit") or MOST_STEPS
    arrivals = uploaded(brought) if brought is not None else Kept(store, since, until).arrivals(most, is_exact=True)
    return replayed(registry, candidate, arrivals, most)


QUESTIONS: Final[Mapping[str, Callable[[Store, Mapping[str, Any]], dict[str, Any]]]] = {
    "why": why,
    "misses": misses,
    "proposed": proposed,
    "dry_run": dry_run,
    "tried": tried,
    "composed": composed,
    "graph": graph,
    "replay": replay,
}


LONG: Final[Mapping[str, Callable[[Past, Mapping[str, Any], Tell], dict[str, Any]]]] = {"backtest": backtest}
"""What tells how far it has got."""


class Stopped(Exception):
    """Nobody waits for the answer any more."""


def answered(past: Past, asked: Mapping[str, Any], tell: Tell) -> dict[str, Any]:
    """The answer, or what is wrong with the question, as data."""
    question, given = asked["question"], asked["given"]
    try:
        if question in LONG:
            return {"answer": LONG[question](past, given, tell)}
        return {"answer": QUESTIONS[question](past.store, given)}
    except Stopped:
        return {"answer": {}}
    except TocsinError as error:
        return {"faults": faults_of(error)}
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
    past = Past(open_store(where, read_only=True))
    gc.set_threshold(*SELDOM)
    sys.stdout.buffer.write(b"ready\n")
    sys.stdout.buffer.flush()
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        if asked.get("question") != STOP:  # which came when the answer was on its way
            _say(answered(past, asked, _tell))
            gc.freeze()  # what is held of the log is looked through no more


def _say(told: Mapping[str, Any]) -> None:
    sys.stdout.buffer.write(json.dumps(told, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
    sys.stdout.buffer.flush()


def _tell(progress: dict[str, Any]) -> None:
    """Says how far it has got, if anybody still waits: nothing else comes while a question is answered."""
    if select.select([sys.stdin.buffer], [], [], 0)[0]:
        raise Stopped
    _say({"progress": progress})


if __name__ == "__main__":
    main()
