"""Rules under construction: as drawings, and in every notation."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from tests.algebra.strategies import TIMED
from tests.service.processes import ServiceProcess
from tocsin.algebra.codec import from_record, to_record
from tocsin.algebra.patterns import Both, Either, Pattern, Sequence, rebuild
from tocsin.errors import TocsinError
from tocsin.languages import languages, parse, render
from tocsin.runtime import Options
from tocsin.service.client import Client
from tocsin.service.drawings import drawing_of, pattern_of
from tocsin.service.notations import notations
from tocsin.service.requests import Registry, RequestRefused


@pytest.fixture
def service(shared_service: ServiceProcess) -> ServiceProcess:
    return shared_service


def composed(request: dict[str, Any], drawing: object = None) -> dict[str, Any]:
    return notations(Registry(Options(), allows_unbounded=True), request, drawing)


def said(answer: dict[str, Any], language: str) -> dict[str, Any]:
    return next(each for each in answer["notations"] if each["language"] == language)


def flattened(pattern: Pattern) -> Pattern:
    """`(a & b) & c` as `a & b & c`: how texts are read."""
    inner = rebuild(pattern, flattened)
    if isinstance(inner, Both | Either | Sequence) and type(inner.parts[0]) is type(inner):
        first = inner.parts[0]
        assert isinstance(first, Both | Either | Sequence)
        if getattr(first, "order", None) == getattr(inner, "order", None):
            return replace(inner, parts=(*first.parts, *inner.parts[1:]))
    return inner


@given(TIMED)
def test_a_drawing_loses_nothing(pattern: Pattern) -> None:
    drawing = drawing_of(pattern)
    assert pattern_of(drawing) == pattern
    assert to_record(from_record(to_record(pattern), Pattern)) == to_record(pattern)


@given(TIMED)
def test_a_drawing_becomes_a_text_that_is_drawn_the_same(pattern: Pattern) -> None:
    drawing = drawing_of(pattern)
    try:
        answer = composed({"language": "gem", "expression": "", "name": "r"}, drawing)
    except (RequestRefused, TocsinError):
        return  # no language says it, or no rule may be so
    document = answer["document"]
    assert flattened(parse(document["expression"], document["language"])) == flattened(pattern)


def test_a_text_is_drawn_and_said_in_all_languages_or_refused_with_what_comes_nearest() -> None:
    answer = composed({"language": "sel", "expression": "a -> b if a.ip == b.ip in 10 minutes", "window": "1 hour"})
    assert answer["drawing"]["period"] == {"is": "period", "text": "10*min"}
    assert answer["drawing"]["pattern"]["guard"] == {"is": "guard", "text": "a.ip == b.ip"}
    assert {each["language"] for each in answer["notations"]} == set(languages())
    words = said(answer, "pretty")["document"]
    assert words["expression"] == "a followed by b where a.ip == b.ip within 10 minutes"
    assert words["window"] == "1 hour"
    assert "import tocsin as tc" in answer["program"]
    compile(answer["program"], "rule.py", "exec")
    streak = composed({"language": "pretty", "expression": "a at least 3 times within 10 minutes"})
    (refused,) = said(streak, "sel")["faults"]
    assert refused["message"].startswith("SEL has no way to write so many in a row")
    assert refused["hint"].startswith("nearest in sel: ")


def test_a_drawing_that_its_language_cannot_say_is_said_in_another_and_means_the_same() -> None:
    drawing = composed({"language": "pretty", "expression": "a at least 3 times within 10 minutes"})["drawing"]
    answer = composed({"language": "gem", "expression": ""}, drawing)
    assert answer["document"]["language"] in ("pretty", "python")
    assert answer["document"]["context"] == "generic"  # GEM's: without a word it would be another here
    assert render(pattern_of(drawing), "pretty") == "a at least 3 times within 10 minutes"


@pytest.mark.parametrize(
    ("drawing", "message"),
    [
        ({"is": "Nonsense"}, "'Nonsense' is not a pattern"),
        ({"is": "Primitive"}, "Primitive has no 'type'"),
        ([1], "a shape is expected"),
        (
            {"is": "Within", "pattern": {"is": "Primitive", "type": "a"}, "period": {"is": "period", "text": "soon"}},
            "time 'soon'",
        ),
        (
            {"is": "Where", "pattern": {"is": "Primitive", "type": "a"}, "guard": {"is": "guard", "text": "a.x >"}},
            "guard 'a.x >'",
        ),
        ({"is": "guard", "text": "a.x"}, "is not a pattern"),
    ],
)
def test_what_is_no_drawing_is_refused(drawing: object, message: str) -> None:
    with pytest.raises(RequestRefused) as told:
        composed({"language": "gem", "expression": ""}, drawing)
    (fault,) = told.value.faults
    assert (fault.code, fault.key) == ("drawing-invalid", "drawing")
    assert message in fault.message


def test_over_the_wire(service: ServiceProcess) -> None:
    answer = service.client.call("POST", "/v1/notations", {"request": {"language": "eps", "expression": "a ; b"}})
    assert answer["drawing"]["is"] == "Sequence"
    wrong = {"request": {"language": "sel", "expression": "a -> "}}
    status, told = service.raw("/v1/notations", json.dumps(wrong).encode())
    assert (status, told["faults"][0]["code"]) == (422, "expression-invalid")
    assert (told["faults"][0]["line"], told["faults"][0]["column"]) == (1, 5)
    assert service.client.call("GET", "/v1/requests")["requests"] == []


def test_a_key_reads_what_it_is(service: ServiceProcess) -> None:
    assert service.client.call("GET", "/v1/self")["role"] == "operator"
    made = service.client.call("POST", "/v1/keys", {"name": "guest", "role": "sensor", "types": ["door*"]})
    told = Client(service.url, made["key"]).call("GET", "/v1/self")
    assert (told["name"], told["role"], told["types"]) == ("guest", "sensor", ["door*"])
