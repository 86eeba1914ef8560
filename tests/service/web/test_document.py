"""The OpenAPI document is true: calls made up after it, right ones and wrong ones, are answered as it says."""

from __future__ import annotations

import json
import os
from typing import Any

import hypothesis
import msgspec
import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ensure_resource_availability,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
    use_after_free,
)

from tests.service.processes import ServiceProcess
from tocsin.service.web.app import ENDPOINTS
from tocsin.service.web.openapi import document

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
    unsupported_method,
]
CALLS = hypothesis.settings(
    max_examples=int(os.environ.get("TOCSIN_CALLS", "12")),
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(hypothesis.HealthCheck),
)

SECONDS = 120
"""For an answer: a dry run may wait for a process to start, on a machine that has much else to do."""


@schemathesis.serializer("application/x-ndjson")
def lines(context: Any, value: Any) -> bytes:
    """What stands for lines is a text."""
    return str(value).encode("utf-8", "surrogatepass")


DOCUMENT = document(ENDPOINTS)
schema = schemathesis.openapi.from_dict(DOCUMENT).exclude(path="/v1/stream")  # it never ends


def test_the_service_shows_the_document(shared_service: ServiceProcess) -> None:
    assert shared_service.client.call("GET", "/openapi.json") == json.loads(msgspec.json.encode(DOCUMENT))


@schema.parametrize()
@CALLS
def test_every_operation_answers_as_the_document_says(case: Any, shared_service: ServiceProcess) -> None:
    known = {"Authorization": f"Bearer {shared_service.key}"}
    case.call_and_validate(base_url=shared_service.url, headers=known, checks=CHECKS, timeout=SECONDS)


def test_what_one_call_has_made_the_next_ones_find_until_it_is_gone(shared_service: ServiceProcess) -> None:
    """Calls that follow each other as the document links them; keys are left out: one of them is our own."""
    made, reached = list[str](), set[str]()
    linked: Any = schema.exclude(path_regex="^/v1/keys").as_state_machine()

    class Lives(linked):
        def before_call(self, case: Any) -> None:
            if case.operation.label in ("POST /v1/requests", "PUT /v1/requests/{id}"):  # no chance makes a right one
                made.append(case.operation.label)
                case.body = {"name": f"linked{len(made)}", "language": "eps", "expression": "a ; b", "window": "1 min"}
                case.query = {}

        def after_call(self, response: Any, case: Any) -> None:
            if made and response.status_code < 300 and "{id}" in case.operation.label:
                reached.add(case.operation.label)

        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            known = {"Authorization": f"Bearer {shared_service.key}"}
            return {"base_url": shared_service.url, "headers": known, "timeout": SECONDS}

        def validate_response(self, response: Any, case: Any, additional_checks: Any = None, **more: Any) -> None:
            case.validate_response(response, checks=[*CHECKS, use_after_free, ensure_resource_availability])

    Lives.run(
        settings=hypothesis.settings(
            max_examples=int(os.environ.get("TOCSIN_CALLS", "12")),
            stateful_step_count=8,
            derandomize=True,
            database=None,
            deadline=None,
            suppress_health_check=list(hypothesis.HealthCheck),
        )
    )
    assert len(reached) > 2
    for each in shared_service.client.call("GET", "/v1/requests")["requests"]:
        if each["name"].startswith("linked"):
            shared_service.client.call("DELETE", f"/v1/requests/{each['id']}")
