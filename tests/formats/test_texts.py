"""Texts kept as one are the texts that they were made of."""

from hypothesis import given
from hypothesis import strategies as st

from tocsin.formats.texts import Texts

ENDS = st.none() | st.integers(-8, 8)
SOME = st.lists(st.text("ab\né", max_size=3), max_size=6) | st.lists(
    st.text("0\n𝄞", min_size=2, max_size=2), max_size=6
)


@given(SOME, ENDS, ENDS, st.none() | st.sampled_from([1, 2, -1]))
def test_a_part_of_them_is_that_part(texts: list[str], first: int | None, last: int | None, step: int | None) -> None:
    kept = Texts(texts)
    assert list(kept) == texts
    part = kept[first:last:step]
    assert list(part) == texts[first:last:step]
    assert list(part[1:3]) == texts[first:last:step][1:3]
