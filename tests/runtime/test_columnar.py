"""Many events at once: what is counted of their types."""

from __future__ import annotations

from array import array
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tocsin.runtime.columnar import FEW_TYPES, counted

pytest.importorskip("numpy", reason="without it codes are counted one by one")


@given(st.lists(st.integers(0, 2 * FEW_TYPES), max_size=200))
@example(list(range(2 * FEW_TYPES, 0, -1)))
def test_codes_are_counted_in_the_order_in_which_they_come(codes: list[int]) -> None:
    assert counted(array("q", codes).tobytes()) == list(Counter(codes).items())
