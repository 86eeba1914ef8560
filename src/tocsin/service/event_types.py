"""Declared event types: what an event of a type must have, as a GEM declaration or a JSON Schema of its attributes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote

from tocsin.algebra.rules import Declaration
from tocsin.errors import MissingDependency, TextError
from tocsin.formats.refused import Refused
from tocsin.rules.declared_events import Conformer
from tocsin.rules.loader import load_text
from tocsin.service.admission import NotDeclared
from tocsin.service.requests import RequestFault, RequestRefused, fault_of, refusal, shortened

try:
    import jsonschema_rs
except ImportError:
    raise MissingDependency("jsonschema-rs", "service") from None

MOST_CHECKED: Final = 10_000
_LINEAR: Final = jsonschema_rs.RegexOptions()
"""Regular expressions that take as long as the text is; nothing looks ahead or back."""


class EventTypes:
    """The types that are declared, and whether others are taken."""

    def __init__(self, *, accepts_undeclared: bool = True) -> None:
        self.accepts_undeclared = accepts_undeclared
        self.documents: dict[str, Mapping[str, Any]] = {}
        """What was declared, by type: `{"gem": text}` or `{"schema": object}`."""
        self._gem: dict[str, Declaration] = {}
        self._schemas: dict[str, Any] = {}
        self._conformer = Conformer(self._gem)

    @property
    def declarations(self) -> Mapping[str, Declaration]:
        """Those that rules can be checked against."""
        return self._gem

    # -- declaring -----------------------------------------------------------------------------------------------------

    def checked(self, name: str, document: Mapping[str, Any]) -> Mapping[str, Any]:
        """What declares a type, if it can; `RequestRefused` with what is wrong."""
        given = [key for key in ("gem", "schema") if key in document]
        unknown = [key for key in document if key not in ("gem", "schema", "name")]
        if len(given) != 1 or unknown:
            raise refusal("type-invalid", "an event type has 'gem', a declaration, or 'schema', a JSON Schema")
        if given == ["gem"]:
            _declaration(name, document["gem"])
        else:
            _validator(document["schema"])
        return {given[0]: document[given[0]]}

    def declare(self, name: str, document: Mapping[str, Any]) -> None:
        """Events of a type have to be like this from now on; `document` was checked."""
        self.remove(name)
        self.documents[name] = document
        if "gem" in document:
            self._gem[name] = _declaration(name, document["gem"])
        else:
            self._schemas[name] = _validator(document["schema"])

    def remove(self, name: str) -> None:
        """Events of a type may be anything again."""
        for each in (self.documents, self._gem, self._schemas):
            each.pop(name, None)

    def change(self, body: bytes) -> None:
        """What an entry of the log says about types, if anything."""
        said = json.loads(body) if body else {}
        if "type" in said and said["action"] == "declare":
            self.declare(said["type"], said["document"])
        elif "type" in said:
            self.remove(said["type"])

    def copy(self) -> EventTypes:
        """The same, which stay as they are when others are declared."""
        made = EventTypes(accepts_undeclared=self.accepts_undeclared)
        made.documents, made._schemas = dict(self.documents), dict(self._schemas)
        made._gem.update(self._gem)
        return made

    # -- events --------------------------------------------------------------------------------------------------------

    @property
    def is_needed(self) -> bool:
        """Whether some event could be refused."""
        return bool(self.documents) or not self.accepts_undeclared

    def __call__(self, name: str, data: Mapping[str, object]) -> Mapping[str, object]:
        """The attributes of an event as they are declared, or why they are not."""
        if name in self._gem:
            try:
                return self._conformer(name, data)
            except Refused as refused:
                raise NotDeclared("event-mismatch", refused.reason, refused.expected) from None
        if name in self._schemas:
            return self._validated(name, data)
        if not self.accepts_undeclared:
            raise NotDeclared("type-undeclared", f"event type '{name}' is not declared")
        return data

    def plain_types(self, name: str) -> list[tuple[str, frozenset[type]]] | None:
        """What can be looked at in columns: see `intake.Foreseeing`."""
        if name in self._gem:
            return self._conformer.plain_types(name)
        return None if name in self._schemas or not self.accepts_undeclared else []

    def _validated(self, name: str, data: Mapping[str, object]) -> Mapping[str, object]:
        for error in self._schemas[name].iter_errors(dict(data)):
            where = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.instance_path)
            reason = f"event '{name}' does not fit its schema: data{where}: {shortened(error.message)}"
            raise NotDeclared("event-mismatch", reason)
        return data


def _declaration(name: str, text: object) -> Declaration:
    if not isinstance(text, str):
        raise refusal("type-invalid", "'gem' is a declaration as a text", "gem", hint="event temp(double t)")
    try:
        statements = load_text(text, "gem").statements
    except TextError as error:
        raise RequestRefused([fault_of(fault) for fault in error.faults]) from None
    if len(statements) != 1 or not isinstance(statements[0], Declaration) or statements[0].name != name:
        raise refusal("type-invalid", f"this is not the declaration of '{name}'", "gem", hint=f"event {name}(double t)")
    return statements[0]


def _validator(schema: object) -> Any:
    if not isinstance(schema, dict | bool):
        raise refusal("type-invalid", "a JSON Schema is an object", "schema")
    if (where := _reference(schema)) is not None:
        raise RequestRefused(
            [RequestFault("type-invalid", f"a schema refers to nothing outside itself: {where}", "schema")]
        )
    if _weight(schema, schema, {}) > MOST_CHECKED:
        raise refusal("type-invalid", f"this schema comes to more than {MOST_CHECKED} checks of one value", "schema")
    try:
        return jsonschema_rs.validator_for(schema, pattern_options=_LINEAR)
    except (ValueError, jsonschema_rs.ValidationError) as error:
        raise refusal("type-invalid", f"this is no JSON Schema: {str(error).splitlines()[0]}", "schema") from None


def _weight(schema: object, root: object, known: dict[int, int]) -> int:
    """How many parts a schema has when each reference is what it refers to; one that refers to itself counts once."""
    if not isinstance(schema, dict | list):
        return 0
    if id(schema) not in known:
        known[id(schema)] = 1
        children = list(schema.values()) if isinstance(schema, dict) else list(schema)
        if isinstance(schema, dict) and isinstance(reference := schema.get("$ref"), str):
            children.append(_pointed(root, reference))
        known[id(schema)] = 1 + sum(_weight(each, root, known) for each in children)
    return known[id(schema)]


def _pointed(root: object, reference: str) -> object:
    """What a reference inside a schema refers to, if it is there."""
    found = root
    for part in reference.removeprefix("#").strip("/").split("/"):
        if part:
            key = unquote(part).replace("~1", "/").replace("~0", "~")
            found = found.get(key) if isinstance(found, dict) else None
    return found


def _reference(schema: object) -> str | None:
    """A reference of a schema to somewhere else, which would have to be fetched."""
    if isinstance(schema, dict):
        reference = schema.get("$ref")
        if isinstance(reference, str) and not reference.startswith("#"):
            return json.dumps(reference)
        return next((found for value in schema.values() if (found := _reference(value)) is not None), None)
    if isinstance(schema, list):
        return next((found for value in schema if (found := _reference(value)) is not None), None)
    return None
