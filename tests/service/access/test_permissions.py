"""Roles and scopes: who may do what, and that a pattern never means more than it says."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tocsin.errors import UsageError
from tocsin.service.access.permissions import PERMISSIONS, TABLE, Action, Principal, Role, Scope, allows
from tocsin.service.access.refusals import STATUS, Refusal
from tocsin.service.access.scopes import EVERYTHING, Scopes, check_pattern, matches

FEW = "ab*"
"""Few characters, so that names and patterns often meet."""

ALLOWED = {
    Role.SENSOR: {Action.SEND_EVENTS, Action.READ_TIME, Action.READ_SELF, Action.READ_TYPES},
    Role.SUBSCRIBER: {
        Action.READ_TIME, Action.READ_SELF, Action.READ_TYPES, Action.READ_EVENTS, Action.CREATE_REQUEST, Action.READ_REQUEST, Action.CHANGE_REQUEST,
        Action.READ_DETECTIONS, Action.STREAM, Action.EXPLAIN, Action.BACKTEST, Action.READ_DELIVERIES, Action.REDRIVE, Action.READ_CHANGES,
    },
    Role.OPERATOR: set(Action),
}  # fmt: skip


def principal(role: Role, types: tuple[str, ...] = ("*",), owners: tuple[str, ...] = ()) -> Principal:
    return Principal("p", "bob", role, Scopes(types, owners), owner="bob")


def code(refusal: Refusal | None) -> str | None:
    return None if refusal is None else refusal.code


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("action", list(Action))
def test_each_role_may_do_what_is_written_here_and_nothing_else(role: Role, action: Action) -> None:
    expected = None if action in ALLOWED[role] else "role-not-permitted"
    assert code(allows(principal(role), action)) == expected


def test_every_action_stands_in_the_table_once() -> None:
    assert [each.action for each in TABLE] == list(PERMISSIONS)
    assert set(PERMISSIONS) == set(Action)


@pytest.mark.parametrize("permission", TABLE, ids=lambda each: each.action.value)
def test_scopes_confine_everybody_but_operators(permission: object) -> None:
    found = PERMISSIONS[permission.action]  # type: ignore[attr-defined]
    for role in found.roles - {Role.OPERATOR}:
        confined = principal(role, types=("plant.*",), owners=("team-*",))
        by_type = code(allows(confined, found.action, types=["plant.1", "office"], owner="bob"))
        by_owner = code(allows(confined, found.action, types=["plant.1"], owner="eve"))
        assert by_type == ("type-out-of-scope" if found.scope in (Scope.TYPES, Scope.BOTH) else None)
        assert by_owner == ("owner-out-of-scope" if found.scope in (Scope.OWNER, Scope.BOTH) else None)
        assert allows(confined, found.action, types=["plant.1"], owner="team-7") is None
    assert allows(principal(Role.OPERATOR, ()), found.action, types=["office"], owner="eve") is None


def test_ones_own_is_always_in_scope() -> None:
    assert allows(principal(Role.SUBSCRIBER), Action.CHANGE_REQUEST, owner="bob") is None
    assert code(allows(principal(Role.SUBSCRIBER), Action.CHANGE_REQUEST, owner="bobby")) == "owner-out-of-scope"


def test_no_patterns_mean_no_types() -> None:
    assert code(allows(principal(Role.SENSOR, ()), Action.SEND_EVENTS, types=["a"])) == "type-out-of-scope"


def test_a_refusal_teaches() -> None:
    refusal = allows(principal(Role.SENSOR, ("plant.*", "hall")), Action.SEND_EVENTS, types=["office"])
    assert refusal is not None
    assert refusal.to_json() == {
        "code": "type-out-of-scope",
        "message": "the event type 'office' is not in the scope of 'bob': plant.* or hall",
    }
    assert refusal.status == 403
    refusal = allows(principal(Role.SENSOR), Action.CREATE_REQUEST)
    assert refusal is not None
    assert refusal.message.endswith("that takes the role subscriber or operator")


@example("a*a", "a")
@example("*b*b", "ab")
@example("a*b*b*c", "abc")
@given(st.text(FEW, min_size=1, max_size=8), st.text(FEW, max_size=8))
def test_a_pattern_means_what_it_says_and_no_more(pattern: str, name: str) -> None:
    meaning = re.compile(".*".join(re.escape(piece) for piece in pattern.split("*")), re.DOTALL)
    assert matches(pattern, name) == (meaning.fullmatch(name) is not None)


@given(st.text(min_size=1), st.text())
def test_a_pattern_without_a_star_means_one_name(pattern: str, name: str) -> None:
    plain = pattern.replace("*", "x")
    assert matches(plain, plain)
    assert matches(plain, name) == (plain == name)


def test_many_stars_take_no_time() -> None:
    assert not matches("*a" * 100 + "b", "a" * 100_000)


@pytest.mark.parametrize("pattern", ["", "x" * 201, "a\nb", "\x00"])
def test_what_is_no_pattern_is_an_error(pattern: str) -> None:
    with pytest.raises(UsageError, match="1 to 200 printable characters"):
        check_pattern(pattern)
    with pytest.raises(UsageError):
        Scopes((pattern,))


def test_everything_covers_everything() -> None:
    assert EVERYTHING.covers_type("any\nthing")
    assert EVERYTHING.covers_owner("")


@pytest.mark.parametrize("code", list(STATUS))
def test_codes_are_in_kebab_case(code: str) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", code)


def test_retry_after_is_rounded_up() -> None:
    assert Refusal("too-many-requests", "", wait=1).retry_after == 1
    assert Refusal("too-many-requests", "", wait=1_000_001).retry_after == 2
    assert Refusal("unknown-key", "").retry_after is None
