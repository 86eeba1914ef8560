"""Events against their declarations: declared attributes must be there, and of their type."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocsin.algebra.rules import ATTRIBUTE_TYPES, Declaration
from tocsin.events import Moment
from tocsin.formats.refused import Refused
from tocsin.rules.declared_events import conformer
from tocsin.time.spans import SECOND, Period, parse_period


def conformed(kind: str, value: object) -> object:
    """The value of an attribute that is declared as `kind`."""
    conform = conformer({"e": Declaration("e", (("v", kind),))})
    assert conform is not None
    return conform("e", {"v": value, "other": [1]})["v"]


@pytest.mark.parametrize(
    ("kind", "given_value", "wanted"),
    [
        ("double", 1.5, 1.5), ("double", 2, 2), ("long", 2, 2), ("string", "", ""), ("char", "é", "é"),
        ("time", 1.5, Moment(1_500_000)), ("time", "1970-01-01T00:00:02Z", Moment(2 * SECOND)), ("time", Moment(5), Moment(5)),
        ("itime", 90, parse_period("90 sec")), ("itime", "2 min", parse_period("2 min")), ("itime", -1, Period(microseconds=-SECOND)),
        ("itime", Period(months=1), Period(months=1)),
    ],
)  # fmt: skip
def test_values_of_every_type(kind: str, given_value: object, wanted: object) -> None:
    found = conformed(kind, given_value)
    assert found == wanted
    assert type(found) is type(wanted)


WRONG = {
    "double": ["1", None, True, [1]],
    "long": [1.0, "1", None, False],
    "string": [1, None, ["a"]],
    "char": ["", "ab", 1, None],
    "time": ["soon", None, True, math.nan, math.inf, 1e308, {}],
    "itime": ["soon", None, True, math.nan, -math.inf, 1e308, []],
}


@pytest.mark.parametrize(("kind", "value"), [(kind, value) for kind, values in WRONG.items() for value in values])
def test_a_value_of_another_type_is_refused(kind: str, value: object) -> None:
    with pytest.raises(Refused) as caught:
        conformed(kind, value)
    assert caught.value.reason == f"'v' of event 'e' is declared as {kind}"


def test_every_declared_type_has_its_wrong_values_here() -> None:
    assert set(WRONG) == set(ATTRIBUTE_TYPES)


def test_a_missing_attribute_is_refused() -> None:
    conform = conformer({"e": Declaration("e", (("v", "long"),))})
    assert conform is not None
    with pytest.raises(Refused) as caught:
        conform("e", {"w": 1})
    assert caught.value.reason == "event 'e' has no attribute 'v', which is declared as long"


def test_what_is_not_declared_passes_as_it_is() -> None:
    conform = conformer({"e": Declaration("e", (("v", "long"),)), "bare": Declaration("bare")})
    assert conform is not None
    data = {"v": "text"}
    assert conform("other", data) is data
    assert conform("bare", data) is data
    assert conform("e", {"v": 1, "more": None}) == {"v": 1, "more": None}


def test_the_event_that_came_is_not_changed() -> None:
    conform = conformer({"e": Declaration("e", (("t", "time"),))})
    assert conform is not None
    data = {"t": 5}
    assert conform("e", data) == {"t": Moment(5 * SECOND)}
    assert data == {"t": 5}


def test_nothing_declared_is_nothing_to_conform_to() -> None:
    assert conformer({}) is None


@given(
    st.sampled_from(ATTRIBUTE_TYPES),
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.integers())),
)
def test_any_value_conforms_or_is_refused(kind: str, value: object) -> None:
    try:
        found = conformed(kind, value)
    except Refused:
        return
    assert isinstance(found, str | int | float | Moment | Period)
