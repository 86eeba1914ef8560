"""Documents of requests: what is wrong with them comes back as data, all at once."""

from collections.abc import Mapping
from typing import Any

import pytest

from tocsin.languages import languages
from tocsin.service.requests import Registry, RequestFault, RequestRefused

GOOD = {
    "gem": "a ; b", "sel": "a -> b", "eps": "a ; b", "core": "[a] ; [b]", "global": "a ; b", "pretty": "a then b",
    "python": "tc.event('a').then(tc.event('b'))",
}  # fmt: skip


def document(**keys: Any) -> dict[str, Any]:
    return {"name": "pair", "language": "gem", "expression": "x:a ; y:b", "window": "1 min"} | keys


def faults(said: Mapping[str, Any], registry: Registry | None = None) -> list[RequestFault]:
    with pytest.raises(RequestRefused) as refused:
        (registry or Registry()).made("r1", said, "ann", 0)
    assert refused.value.status == 422
    return list(refused.value.faults)


def codes(said: Mapping[str, Any], registry: Registry | None = None) -> set[tuple[str, str]]:
    return {(fault.code, fault.key) for fault in faults(said, registry)}


def registry_of(*documents: dict[str, Any]) -> Registry:
    registry = Registry()
    for number, each in enumerate(documents):
        registry.put(registry.made(f"old{number}", each, "ann", 0))
    return registry


@pytest.mark.parametrize("language", sorted(languages()))
def test_every_language(language: str) -> None:
    made = Registry().made("r1", document(language=language, expression=GOOD[language]), "ann", 5)
    assert made.rules == ("pair",)
    assert (made.version, made.created, made.is_enabled) == (1, 5, True)


@pytest.mark.parametrize("language", sorted(languages()))
def test_a_wrong_expression_hides_no_other_fault(language: str) -> None:
    said = document(language=language, expression="((( ]", window="soon", severity="quite", context="odd", order="last")
    assert codes(said) == {
        ("expression-invalid", "expression"),
        ("window-invalid", "window"),
        ("severity-invalid", "severity"),
        ("context-invalid", "context"),
        ("order-invalid", "order"),
    }


def test_a_fault_has_its_place() -> None:
    (fault,) = faults(document(expression="x:a ;\n ; y:b"))
    assert (fault.line, fault.column, fault.end) == (2, 2, 3)
    assert fault.record()["expected"]


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("condition", "x.k ==", "condition-invalid"),
        ("condition", ["x.k"], "condition-invalid"),
        ("by", {"k": 1}, "by-invalid"),
        ("context", "sometimes", "context-invalid"),
        ("window", "soon", "window-invalid"),
        ("order", "backwards", "order-invalid"),
        ("run", "every", "run-invalid"),
        ("notify", "{x.k came", "notify-invalid"),
        ("select", {"k": "x.k +"}, "select-invalid"),
        ("select", "x.k", "select-invalid"),
        ("suppress", {"by": "x.k"}, "suppress-invalid"),
        ("suppress", {"by": "x.k ==", "for": "1 min"}, "suppress-invalid"),
        ("severity", "quite", "severity-invalid"),
        ("tags", [{}], "tags-invalid"),
        ("references", {"a": 1}, "references-invalid"),
        ("description", ["a"], "description-invalid"),
        ("reported", "perhaps", "reported-invalid"),
        ("enabled", "perhaps", "document-invalid"),
        ("allow_unbounded", 1, "document-invalid"),
        ("budget", "much", "budget-invalid"),
        ("budget", 5, "document-invalid"),
        ("shadow", 5, "document-invalid"),
        ("owner", [], "document-invalid"),
        ("partition", {}, "partition-invalid"),
        ("name", 5, "document-invalid"),
        ("name", "*", "name-invalid"),
        ("language", "klingon", "language-invalid"),
        ("expression", None, "document-invalid"),
        ("colour", "red", "key-unknown"),
    ],
)
def test_every_key(key: str, value: object, code: str) -> None:
    found = codes(document(**{key: value}))
    assert (code, key) in found
    assert len(found) == 1, found


def test_all_at_once() -> None:
    said = {"language": "gem", "condition": "x.k ==", "window": "soon", "budget": "much", "colour": "red"}
    assert codes(said) == {
        ("document-invalid", "name"),
        ("document-invalid", "expression"),
        ("condition-invalid", "condition"),
        ("window-invalid", "window"),
        ("budget-invalid", "budget"),
        ("key-unknown", "colour"),
    }


def test_nothing_is_guessed_where_the_language_is_not_known() -> None:
    said = document(language="klingon", condition="x.k ==", window="soon")
    assert codes(said) == {("language-invalid", "language"), ("window-invalid", "window")}


@pytest.mark.parametrize("text", ["é\u2028\u2029\x85 \U0001f514", "! & : # [ {", "'\"\\", "5", "true", "null", "~"])
def test_texts_are_kept_as_they_are(text: str) -> None:
    made = Registry().made("r1", document(name=text, description=text, tags=[text]), "ann", 0)
    assert made.rules == (text,)
    assert made.definitions[0].description == text
    assert made.definitions[0].tags == (text,)


def test_half_a_character() -> None:
    assert codes(document(description="\ud83d")) == {("description-invalid", "description")}


# -- among others ------------------------------------------------------------------------------------------------------


def test_a_name_is_taken_once() -> None:
    registry = registry_of(document())
    assert codes(document(), registry) == {("name-taken", "name")}
    assert ("name-taken", "name") in codes(document(expression=";"), registry)
    before = registry.requests["old0"]
    assert registry.made("old0", document(window="2 min"), "ann", 7, before).version == 2
    registry.remove("old0")
    assert registry.made("r2", document(), "ann", 0).version == 1


def test_an_unbounded_rule_has_to_be_allowed() -> None:
    said = document(window=None)
    assert codes(said) == {("rule-unbounded", "window")}
    assert Registry().made("r1", said | {"allow_unbounded": True}, "ann", 0)
    assert Registry(allows_unbounded=True).made("r1", said, "ann", 0)


def test_what_is_wrong_with_the_rule_as_a_whole() -> None:
    (fault,) = faults(document(condition="z.k == 1"))
    assert (fault.code, fault.key, fault.line, fault.column) == ("condition-invalid", "condition", 1, 1)


def test_the_same_definition_in_two_requests_is_one_rule() -> None:
    said = {"language": "core", "expression": "A = [a] ; [b]\n[A] ; [c]", "window": "1 min"}
    registry = registry_of({"name": "one", **said}, {"name": "two", **said})
    assert len([rule for rule in registry.program().rules if rule.hidden]) == 1
    registry.remove("old0")
    assert [rule.name for rule in registry.program().rules if not rule.hidden] == ["two"]
    assert len(registry.program().rules) == 2


def test_what_is_asked_costs_the_same_however_many_there_are() -> None:
    registry = registry_of(*(document(name=f"n{number}", expression=f"a{number} ; b") for number in range(50)))
    few = registry.beside(registry.made("r", document(name="x", expression="a7 ; a8"), "ann", 0).definitions)
    assert [rule.name for rule in few] == ["x"]
    near = registry.beside(registry.made("r", document(name="x", expression="n7 ; a8"), "ann", 0).definitions)
    assert {rule.name for rule in near} == {"x", "n7"}
