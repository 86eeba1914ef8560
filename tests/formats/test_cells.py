"""Columns of cells: what a look at all their bytes tells is what each cell by itself would."""

from __future__ import annotations

import re
from array import array
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tocsin.formats.blocks import Reals, Wholes
from tocsin.formats.cells import cells_of, numbers_of
from tocsin.formats.instants import to_instant

pytest.importorskip("numpy", reason="without it cells are looked at one by one")
pa = pytest.importorskip("pyarrow")

WHOLE = re.compile(r"0|-?[1-9][0-9]{0,14}")
"""`-0` is one, too, but is told cell by cell."""
REAL = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+")
SECONDS = re.compile(r"-?(?:0|[1-9][0-9]{0,9})(?:\.[0-9]{1,6})?")

STRANGE = st.sampled_from(["", "-", "007", "-0", "-01", "0x1F", "1-2", "--1", "1.", ".5", "-.5", "1.2.3", "00.5", "é"])
WHOLES = st.one_of(st.integers(-(10**16), 10**16).map(str), st.integers(-20, 20).map(str), STRANGE)
REALS = st.one_of(st.decimals(-10, 10, places=3).map(lambda one: f"{one:f}"), STRANGE, st.just("1" * 320 + ".0"))


@given(st.lists(st.integers(-20, 20).map(str), max_size=9), st.lists(WHOLES, max_size=2), st.integers(0, 2))
@example(["10", "100"], [], 0)
@example(["1"], ["0100000000000000"], 0)
@example(["1"], ["-0"], 0)
def test_whole_numbers(plain: list[str], strange: list[str], cut: int) -> None:
    cells = [*plain, *strange][cut:]
    column = pa.array([*plain, *strange], pa.string()).slice(cut)
    if cells and all(WHOLE.fullmatch(cell) for cell in cells):
        assert numbers_of(column) == Wholes(array("q", map(int, cells)).tobytes())
    else:
        assert not isinstance(numbers_of(column), Wholes)


@given(
    st.lists(st.floats(-10, 10).map(lambda one: f"{one:.3f}"), max_size=9),
    st.lists(REALS, max_size=2),
    st.integers(0, 2),
)
@example(["0.5", "1.25"], [], 0)
@example(["0.5"], ["00.5"], 0)
def test_numbers_with_a_point(plain: list[str], strange: list[str], cut: int) -> None:
    cells = [*plain, *strange][cut:]
    column = pa.array([*plain, *strange], pa.string()).slice(cut)
    if cells and all(REAL.fullmatch(cell) and len(cell) < 300 for cell in cells):
        assert numbers_of(column) == Reals(array("d", map(float, cells)).tobytes())
    else:
        assert not isinstance(numbers_of(column), Reals)


@given(
    st.lists(st.one_of(st.integers(0, 10**15).map(lambda one: f"{Decimal(one) / 10**6:f}"), STRANGE), max_size=9),
    st.integers(0, 2),
)
@example(["1.5", "2147483647.999999"], 0)
@example(["1.0000005"], 0)
def test_seconds_are_the_instants_that_rows_have(cells: list[str], cut: int) -> None:
    found: Any = cells_of(pa.array(cells, pa.string()).slice(cut))
    instants = None if found is None else found.instants()
    if instants is not None:
        assert all(SECONDS.fullmatch(cell) for cell in cells[cut:])
        assert instants.tolist() == [to_instant(Decimal(cell), "time") for cell in cells[cut:]]


def test_seconds_of_one_kind_are_told() -> None:
    for cells in (["1", "2", "30"], ["1.5", "2.25", "-3.000001"]):
        found = cells_of(pa.array(cells))
        assert found is not None
        instants = found.instants()
        assert instants is not None
        assert instants.tolist() == [to_instant(Decimal(cell), "time") for cell in cells]
