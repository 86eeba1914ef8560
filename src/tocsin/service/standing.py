"""The requests as they stand, or stood at a time, for questions about them: the log says who asked for what."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tocsin.algebra.links import mentioned
from tocsin.algebra.rules import Program
from tocsin.rules.options import context_of, order_of, window_of
from tocsin.rules.programs import only_rules
from tocsin.runtime import Options
from tocsin.service.records import Entry, Kind
from tocsin.service.requests import SIGMA, Registry, Request, enabled_program
from tocsin.service.store import Store

PAGE: Final = 200
SOUGHT: Final = ("language", "expression", "condition", "by", "partition", "context", "window", "order", "run")
"""What a request looks for: where that changes, it begins anew. The rest is what it says of what it finds."""

Documents = Mapping[str, Mapping[str, Any]]


def options_of(given: Mapping[str, Any]) -> Options:
    """What holds for requests that do not say otherwise."""
    window, context = given.get("window"), given.get("context")
    return Options(
        context=None if context is None else context_of(context),
        order=order_of(given.get("order") or "best-effort"),
        window=None if window is None else window_of(window),
    )


def registry_of(given: Mapping[str, Any], only: str | None = None) -> Registry:
    """The requests that stand, as the service gives them; `only` one, where it goes by no other's rules."""
    registry = Registry(options_of(given["defaults"]), allows_unbounded=True)
    documents: Documents = given["requests"]
    if only is not None and only in documents and _is_alone(registry, only, documents):
        documents = {only: documents[only]}
    for id, document in documents.items():
        if id not in registry.requests:
            registry.put(_made(registry, id, document))
    return registry


def _made(registry: Registry, id: str, document: Mapping[str, Any]) -> Request:
    sought = {key: document[key] for key in document if key != "callback"}
    return registry.made(id, sought, "", 0, None, is_trusted=True)


def _is_alone(registry: Registry, id: str, documents: Documents) -> bool:
    """Whether a request goes by no rule of the others: to make all of them takes long where there are many."""
    mine = names_spoken_of(_made(registry, id, documents[id]))
    others = [document for other, document in documents.items() if other != id]
    return all(each.get("language") != SIGMA and each.get("name") not in mine for each in others)


def names_spoken_of(request: Request) -> set[str]:
    """The names that a request's rules speak of: of types, or of rules."""
    return {name for rule in request.definitions for name in mentioned(rule)}


def program_of(registry: Registry, request: Request) -> Program:
    """A request's rules, enabled, with those of other requests that feed them, and no others."""
    names = set(request.rules)
    others = [each for one in registry.requests.values() for each in one.statements if not names & set(one.rules)]
    whole = enabled_program(Program((*dict.fromkeys((*others, *request.statements)),)))
    return only_rules(whole, names)


def changes(store: Store) -> Iterator[tuple[Entry, dict[str, Any]]]:
    """All changes of requests, in their order."""
    after = 0
    while found := store.entries(after, PAGE, kind=Kind.CHANGE.value):
        for entry in found:
            yield entry, json.loads(entry.body)
        after = found[-1].position


def stood(store: Store, given: Mapping[str, Any], before: int | None, at: int | None) -> dict[str, Any]:
    """What is `given`, with the requests as they stood before an entry of the log, or at a time."""
    standing: dict[str, Mapping[str, Any]] = {}
    for entry, said in changes(store):
        if (before is not None and entry.position >= before) or (at is not None and entry.arrival > at):
            break
        if said["action"] in ("create", "alter", "enable", "disable"):
            standing[said["id"]] = said["document"]
        elif "id" in said:
            standing.pop(said["id"], None)  # cancelled, or stopped
    enabled = {id: document for id, document in standing.items() if document.get("enabled") is not False}
    return {**given, "requests": enabled}


def begun(store: Store, registry: Registry, rule: str | None, until: int | None, last: int | None) -> int:
    """Behind which entry a rule has begun to see events; 0, all of them, where it goes by rules of other requests."""
    owners = registry.owners
    request = registry.requests.get(owners.get(rule or "", ""))
    if request is None or any(owners.get(name, request.id) != request.id for name in names_spoken_of(request)):
        return 0
    position, before = 0, dict[str, Any]()
    for entry, said in changes(store):
        if last is not None and entry.position > last:
            break
        if said.get("id") != request.id or (until is not None and entry.arrival > until):
            continue
        sought = {key: said.get("document", {}).get(key) for key in SOUGHT}
        if said["action"] in ("create", "enable") or (said["action"] == "alter" and sought != before):
            position = entry.position
        before = sought
    return position
