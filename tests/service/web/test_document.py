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
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
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
    case.call_and_validate(base_url=shared_service.url, headers=known, checks=CHECKS)
