"""What a service would answer the page, of rules and events in memory: nothing leaves the kernel."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from tocsin.algebra.notes import Notes
from tocsin.algebra.rules import Program
from tocsin.errors import TocsinError
from tocsin.events import Arrival, Detection, Event
from tocsin.explain.views import network_view
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import detection_line, event_line
from tocsin.proposals import Examples, propose
from tocsin.reasons import Question, Why, ask
from tocsin.rules.options import instant_of
from tocsin.rules.programs import rules_program
from tocsin.runtime import Runtime
from tocsin.runtime.options import Options
from tocsin.service.backtests import Trial
from tocsin.service.notations import notations
from tocsin.service.request_documents import faults_of
from tocsin.service.requests import Registry, enabled_program
from tocsin.service.standing import program_of
from tocsin.session import Session
from tocsin.time.calendar import render_instant

MOST_LOOKED: Final = 200_000
_FIGURES: Final = ("seen", "held", "bytes", "late", "refused", "detections")
_STYLE: Final = TimeStyle(False)

Given = Mapping[str, Any]


class Answers:
    """Rules and events, asked about as a service is."""

    def __init__(self, program: Program, options: Options, arrivals: Sequence[Arrival]) -> None:
        self.program, self.options, self.arrivals = program, options, arrivals
        self.saved: dict[str, Any] | None = None
        """The document that was saved last."""
        self._found: list[Detection] | None = None
        self._paths: dict[tuple[str, str], Callable[[Given], dict[str, Any]]] = {
            ("GET", "/v1/events"): self._events,
            ("GET", "/v1/detections"): self._detections,
            ("GET", "/v1/types"): lambda _: {"types": []},
            ("GET", "/v1/why"): self._why,
            ("GET", "/v1/graph"): self._graph,
            ("POST", "/v1/notations"): self._notations,
            ("POST", "/v1/backtest"): self._backtest,
            ("POST", "/v1/misses"): self._misses,
            ("POST", "/v1/proposals"): self._proposals,
            ("POST", "/v1/requests"): self._save,
        }

    def answer(self, method: str, path: str, given: Given) -> dict[str, Any]:
        """`{"answer": ...}`, or `{"faults": [...]}` as a service would give them."""
        asked = self._paths.get((method, path))
        if asked is None:
            message = f"{method} {path}: only a service can answer that"
            return {"faults": [{"code": "not-found", "message": message}]}
        try:
            return {"answer": asked(given)}
        except TocsinError as error:
            return {"faults": faults_of(error)}

    # -- what happened -----------------------------------------------------------------------------------------------

    def _events(self, given: Given) -> dict[str, Any]:
        since = given.get("from")
        edge = None if since is None else instant_of(str(since))
        some = [each for each in self.arrivals if isinstance(each, Event) and (edge is None or each.end >= edge)]
        return {"items": [_event(each) for each in reversed(some)]}

    def _detections(self, given: Given) -> dict[str, Any]:
        if self._found is None:
            self._found = list(Session(self.program, self.options).detections(self.arrivals))
        told = [json.loads(detection_line(one, _STYLE)) for one in self._found]
        return {"items": [{"number": place, "request": "", **each} for place, each in enumerate(told, 1)][::-1]}

    def _why(self, given: Given) -> dict[str, Any]:
        question = Question(given.get("rule"), given.get("detection"))
        return self._told(self.program, self.arrivals, question)

    def _told(self, program: Program, arrivals: Sequence[Arrival], question: Question) -> dict[str, Any]:
        told = ask(Session(program, self.options), arrivals, question)
        answer: dict[str, Any] = json.loads(Why(told, _STYLE).to_json())
        return answer

    def _graph(self, given: Given) -> dict[str, Any]:
        view = network_view(self.program, self.options.order, None)
        runtime = Runtime(self.program, self.options, notes=Notes())
        runtime.process(list(self.arrivals))
        stats = runtime.stats()
        rules: Any = stats["rules"]
        figures = {name: {key: each.get(key, 0) for key in _FIGURES} for name, each in rules.items()}
        held = {"held": stats.get("held", 0), "bytes": stats.get("bytes", 0), "rules": figures}
        graphs = [asdict(each) for each in view.graphs]
        return {"title": view.title, "said": view.said, **view.record, "graphs": graphs, "held": held}

    # -- what could be -----------------------------------------------------------------------------------------------

    def _registry(self) -> Registry:
        return Registry(self.options, allows_unbounded=True)

    def _notations(self, given: Given) -> dict[str, Any]:
        return notations(self._registry(), given["request"], given.get("drawing"))

    def _backtest(self, given: Given) -> dict[str, Any]:
        registry = self._registry()
        trial = Trial(registry, registry.made("candidate", given["request"], "", 0, None), lambda _: True)
        trial.take(list(self.arrivals))
        trial.finish()
        return {"events": len(self.arrivals), **trial.summary()}

    def _misses(self, given: Given) -> dict[str, Any]:
        registry = self._registry()
        candidate = registry.made("candidate", given["request"], "", 0, None)
        last = list(self.arrivals)[-min(int(given.get("events") or MOST_LOOKED), MOST_LOOKED) :]
        program = program_of(registry, candidate)
        rules = [each for name in candidate.rules for each in self._told(program, last, Question(name))["rules"]]
        looked: dict[str, Any] = {"events": len(last), "is_all": len(last) == len(self.arrivals)}
        if last:
            looked["from"] = render_instant(last[0].arrival)
        return {"rules": rules, "looked": looked}

    def _proposals(self, given: Given) -> dict[str, Any]:
        history = [each for each in self.arrivals if isinstance(each, Event)]
        named = {(each.type, each.source, each.end): each for each in history}

        def events(groups: Sequence[Sequence[Given]]) -> list[list[Event]]:
            return [
                [named[mark["type"], mark.get("source") or "", instant_of(str(mark["time"]))] for mark in group]
                for group in groups
            ]

        return propose(history, Examples(events(given["together"]), events(given.get("apart", ())))).record()

    def _save(self, given: Given) -> dict[str, Any]:
        document = {key: value for key, value in given.items() if value not in (None, "")}
        made = self._registry().made("r1", document, "", 0, None)
        self.saved = document
        return {"id": made.id, "version": 1, "name": made.name, "owner": "", "enabled": True, "document": document}


def enabled(program: Program) -> Program:
    """A program with all of its rules at work."""
    return enabled_program(program) if program.rules else rules_program([])


def _event(event: Event) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(event_line(event, _STYLE))
    data = told.pop("data", {})
    return {"arrival": render_instant(event.arrival), **data, **told}
