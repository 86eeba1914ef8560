"""Pipelines of Sigma: fields under their names in our events, placeholders with values, and what cannot be said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.test_sigma import FAILED, found, happened
from tocsin.errors import RuleError
from tocsin.rules.loader import load_file, load_files
from tocsin.rules.sigma_pipelines import Pipeline, looks_like_pipeline, read_pipeline, together

NAMES = """\
name: our events
priority: 10
vars: {admins: [root, adm*], host: srv1}
transformations:
- id: fields
  type: field_name_mapping
  mapping: {EventID: event_id, User: [user, account]}
  rule_conditions: [{type: logsource, product: windows}]
- type: value_placeholders
"""
RULE = """\
title: t
logsource: {product: windows, service: security}
detection:
    s: {SEARCH}
    condition: s
"""


def pipeline(text: str) -> Pipeline:
    return read_pipeline(text, "p.yml")


def takes(search: str, data: dict[str, object], text: str = NAMES, kind: str = "windows_security") -> bool:
    return bool(found(RULE.replace("SEARCH", search), happened((1, data), kind=kind), pipeline(text)))


def test_fields_are_called_as_they_are_in_our_events() -> None:
    assert takes("EventID: 4625", {"event_id": 4625})
    assert not takes("EventID: 4625", {"EventID": 4625})
    assert takes("Other: 4625", {"Other": 4625})


@pytest.mark.parametrize("name", ["user", "account"])
def test_a_field_that_stands_for_several_is_any_of_them(name: str) -> None:
    assert takes("User|startswith: ro", {name: "root"})
    assert not takes("User|startswith: ro", {name: "bob"})
    assert not takes("User|neq: root", {name: "root", "user": "root"})
    assert takes("User|fieldref: Owner", {name: "a", "Owner": "a"})


@pytest.mark.parametrize(
    ("search", "data", "is_taken"),
    [
        ("User|expand: '%admins%'", {"user": "ROOT"}, True),
        ("User|expand: '%admins%'", {"user": "administrator"}, True),  # wildcards of a value count
        ("User|expand: '%admins%'", {"user": "bob"}, False),
        ("p|contains|expand: '/%host%/%admins%'", {"p": "/a/srv1/root"}, True),
        ("p|contains|expand: '/%host%/%admins%'", {"p": "/a/srv2/root"}, False),
        ("p|contains|all|expand: ['%admins%', '%host%']", {"p": "srv1 root"}, True),
        ("p|contains|all|expand: ['%admins%', '%host%']", {"p": "root"}, False),
    ],
)
def test_placeholders_are_any_of_their_values(search: str, data: dict[str, object], is_taken: bool) -> None:
    assert takes(search, data) is is_taken


def test_a_placeholder_may_stand_for_anything() -> None:
    text = "transformations:\n- {type: wildcard_placeholders, include: [x]}\n"
    assert takes("p|expand: 'a%x%c'", {"p": "abbc"}, text)
    with pytest.raises(RuleError, match="nothing says what %y% stands for"):
        takes("p|expand: '%y%'", {}, text)


@pytest.mark.parametrize(
    ("step", "data"),
    [
        ("{type: field_name_prefix, prefix: win.}", {"win.F": 1}),
        ("{type: field_name_suffix, suffix: .keyword}", {"F.keyword": 1}),
        ("{type: field_name_prefix_mapping, mapping: {F: [e, g]}}", {"g": 1}),
        (
            "{type: field_name_prefix, prefix: a, field_name_conditions: [{type: include_fields, fields: [G]}]}",
            {"F": 1},
        ),
        (
            "{type: field_name_prefix, prefix: a, field_name_conditions: [{type: exclude_fields, fields: [G]}]}",
            {"aF": 1},
        ),
        ("{type: field_name_prefix, prefix: a, rule_conditions: [{type: logsource, product: linux}]}", {"F": 1}),
    ],
)
def test_other_transformations_of_names(step: str, data: dict[str, object]) -> None:
    assert takes("F: 1", data, f"transformations:\n- {step}\n")


def test_another_log_source_is_another_type_and_what_comes_later_goes_by_it() -> None:
    text = """\
transformations:
- {type: change_logsource, product: sysmon, category: login}
- {type: field_name_prefix, prefix: p., rule_conditions: [{type: logsource, product: sysmon}]}
"""
    assert takes("F: 1", {"p.F": 1}, text, kind="sysmon_login")


def test_pipelines_go_by_priority() -> None:
    first = pipeline("priority: 1\ntransformations: [{type: field_name_mapping, mapping: {F: G}}]\n")
    second = pipeline("priority: 2\ntransformations: [{type: field_name_mapping, mapping: {G: H}}]\n")
    assert together([second, first]).applied({}).names("F") == ("H",)


@pytest.mark.parametrize(
    ("kind", "condition"),
    [("event_count", "{gte: 2}"), ("value_count", "{field: Target, gte: 2}"), ("temporal", "a and b")],
)
@pytest.mark.parametrize("group", ["[Host]", "[Host, Zone]"])
def test_what_correlations_compare_and_count_has_our_names_too(kind: str, condition: str, group: str) -> None:
    rules = "[failed_login, other]" if kind == "temporal" else "failed_login"
    condition = "failed_login and other" if kind == "temporal" else condition
    text = f"""\
title: c
correlation: {{type: {kind}, rules: {rules}, group-by: {group}, timespan: 1m, condition: {condition}}}
---
{FAILED}---
name: other
logsource: {{product: windows, service: security}}
detection: {{s: {{EventID: 1}}, condition: s}}
"""
    ours = pipeline(
        "transformations: [{type: field_name_mapping, mapping: {EventID: id, Host: h, Target: t, Zone: z}}]\n"
    )
    last = 1 if kind == "temporal" else 4625
    same = [(1, {"id": 4625, "h": "x", "z": 1, "t": "a"}), (2, {"id": last, "h": "x", "z": 1, "t": "b"})]
    assert [ids for _, ids in found(text, happened(*same), ours)] == ["1 2"]
    assert found(text, happened(same[0], (2, {**same[1][1], "h": "y"})), ours) == []


def test_what_is_compared_must_be_one_field() -> None:
    text = f"title: c\ncorrelation: {{type: event_count, rules: failed_login, group-by: [User], timespan: 1m, condition: {{gte: 2}}}}\n---\n{FAILED}"
    with pytest.raises(RuleError, match="'User' must be one field to be compared or counted"):
        found(text, [], pipeline(NAMES))


# -- files ------------------------------------------------------------------------------------------------------------


def test_a_pipeline_beside_the_rules_is_about_all_of_them(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "one.yml").write_text(FAILED)
    plain = load_files([str(tmp_path / "rules")])
    (tmp_path / "rules" / "z_pipeline.yml").write_text(NAMES)
    assert looks_like_pipeline(NAMES)
    assert load_file(tmp_path / "rules" / "z_pipeline.yml").rules == ()
    mapped = load_files([str(tmp_path / "rules")])
    assert len(plain.rules) == len(mapped.rules) == 1
    assert "event_id" in repr(mapped.rules[0].condition)
    assert "event_id" not in repr(plain.rules[0].condition)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("field_name_mapping", "nest", "6:9: the transformation 'nest' cannot be said"),
        ("field_name_mapping", "field_name_maping", "6:9: the transformation 'field_name_maping' cannot be said"),
        ("type: logsource", "type: tag", "8:28: the condition on rules 'tag' cannot be said"),
        ("  mapping:", "  maping:", "7:3: there is no setting 'maping'"),
        ("- id: fields\n  type: field_name_mapping\n", "- id: fields\n", "5:3: this transformation has no 'type'"),
        ("priority: 10", "priority: first", "2:11: 'first' is not possible here"),
    ],
)
def test_what_is_wrong_with_a_pipeline_is_shown_where_it_stands(tmp_path: Path, old: str, new: str, told: str) -> None:
    (tmp_path / "p.yml").write_text(NAMES.replace(old, new, 1))
    with pytest.raises(RuleError) as caught:
        load_files([str(tmp_path)])
    assert f"p.yml:{told}" in str(caught.value)
    assert len(caught.value.faults) == 1
