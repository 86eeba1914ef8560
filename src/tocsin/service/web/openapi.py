"""The OpenAPI document of the service, made of its endpoints and of the types that they decode and encode."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.metadata import version
from typing import Any, Final

import msgspec

from tocsin.service.access.permissions import Action
from tocsin.service.web import intake
from tocsin.service.web.endpoints import Endpoint
from tocsin.service.web.shapes import Accepted, Faults

_PARAMETER: Final = re.compile(r"\{(\w+)\}")
_REFERENCE: Final = "#/components/schemas/{name}"
ANSWERS: Final = {
    400: "The body cannot be read",
    401: "Who asks is not known",
    403: "Who asks may not do that",
    404: "It is not there",
    409: "It is there already",
    412: "It was changed since",
    413: "The body is too large",
    415: "The content type is none that is taken",
    422: "What was asked for is wrong: the faults say where",
    429: "Too much at a time: Retry-After says when to come back",
    503: "Nothing can be stored just now, or the broker of the sites is not there",
}
"""Every status of a refusal; all of them have the same body."""


def document(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    """The document: OpenAPI 3.1."""
    every = [*endpoints, INTAKE]
    shapes = [
        shape
        for each in every
        for shape in (each.answer, each.body, each.query)
        if shape is not None and shape is not EVENT
    ]
    _, components = msgspec.json.schema_components([*shapes, Faults], ref_template=_REFERENCE)
    paths: dict[str, dict[str, Any]] = {}
    for each in every:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each, components)
    queries = {each.query.__name__ for each in every if each.query is not None}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tocsin",
            "version": version("tocsin"),
            "summary": "Events in, composite events out",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": {name: shape for name, shape in components.items() if name not in queries},
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
            "responses": {
                str(status): {"description": meaning, "content": {"application/json": {"schema": _schema(Faults)}}}
                for status, meaning in ANSWERS.items()
            },
        },
    }


def _operation(endpoint: Endpoint, components: dict[str, Any]) -> dict[str, Any]:
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for name in _PARAMETER.findall(endpoint.path)
    ]
    if endpoint.query is not None:
        shape = components[endpoint.query.__name__]
        parameters += [
            {"name": name, "in": "query", "required": name in shape.get("required", ()), "schema": schema}
            for name, schema in shape["properties"].items()
        ]
    name = endpoint.handler.__name__
    kind = endpoint.path.removeprefix("/v1/").split("/")[0]
    made: dict[str, Any] = {"operationId": f"{kind}-{name}".replace("_", "-"), "summary": endpoint.summary}
    if endpoint.handler.__doc__:
        made["description"] = endpoint.handler.__doc__
    if parameters:
        made["parameters"] = parameters
    if endpoint.body is not None:
        made["requestBody"] = {"required": True, "content": _bodies(endpoint)}
    made["responses"] = _responses(endpoint)
    made["security"] = [{"key": []}] if endpoint.action is not None else []
    return made


def _bodies(endpoint: Endpoint) -> dict[str, Any]:
    if endpoint is INTAKE:
        event = {"schema": EVENT}
        return {
            "application/json": {"schema": {"anyOf": [EVENT, {"type": "array", "items": EVENT}]}},
            "application/x-ndjson": {"schema": {"type": "string"}},
            intake.CLOUDEVENT: event,
            intake.CLOUDEVENTS: {"schema": {"type": "array", "items": EVENT}},
            intake.REPORTS: {"schema": {"type": "string"}},
        }
    texts = {kind: {"schema": {"type": "string"}} for kind in endpoint.texts}
    return {"application/json": {"schema": _schema(endpoint.body)}} | texts


def _responses(endpoint: Endpoint) -> dict[str, Any]:
    good: dict[str, Any] = {"description": endpoint.summary}
    if endpoint.answer is not None:
        good["content"] = {endpoint.media: {"schema": _schema(endpoint.answer)}}
    elif endpoint.status != 204:
        good["content"] = {endpoint.media: {"schema": {"type": "string"}}}
    statuses = {401, 403, 429} if endpoint.action is not None else set()
    statuses |= {422} if endpoint.query is not None else set()
    statuses |= {404} if "{" in endpoint.path else set()
    if endpoint.method != "GET":
        statuses |= {400, 413, 422, 503}
    statuses |= set(endpoint.errors)
    bad = {str(status): {"$ref": f"#/components/responses/{status}"} for status in sorted(statuses)}
    return {str(endpoint.status): good} | bad


def _schema(shape: Any) -> dict[str, Any]:
    found, _ = msgspec.json.schema_components([shape], ref_template=_REFERENCE)
    made: dict[str, Any] = found[0]
    return made


EVENT: Final = {
    "type": "object",
    "required": ["type"],
    "properties": {
        "type": {"type": "string", "minLength": 1},
        "id": {"type": "string"},
        "source": {"type": "string"},
        "time": {"description": "RFC 3339, seconds since 1970, or [lo, hi]; without it, when it came"},
        "data": {"type": "object"},
    },
}


async def take(call: Any) -> None:
    """Events, as one JSON object, a list, lines, CloudEvents or GEM reports. The answer comes when they last."""


INTAKE: Final = Endpoint(
    "POST",
    intake.PATH,
    Action.SEND_EVENTS,
    take,
    "Send events",
    Accepted,
    EVENT,
    status=202,
    errors=(415,),
)
