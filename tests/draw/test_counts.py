"""Charts of counts are well-formed, stay inside the picture, and every count is drawn as large as it is."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tocsin.draw.counts import HIGH, draw_columns, draw_field
from tocsin.draw.svg import WIDTH

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("most", [1, 7, 99, 100, 101, 12_345, 10**9])
def test_columns_are_stacked_and_stay_inside(most: int) -> None:
    series = [("one <&>", [most, 0, most // 2]), ("two", [0, most, most - most // 2])]
    root = ElementTree.fromstring(draw_columns("t", ["x", "y", "z"], series))
    bars = [bar for bar in root.iter(f"{SVG}rect") if bar.get("class") == "column"]
    heights = [float(bar.attrib["height"]) for bar in bars]
    assert len(bars) == (4 if most > 1 else 3)
    assert max(heights) <= HIGH
    assert abs(heights[0] - heights[1]) < 0.02
    assert abs(sum(heights[2:]) - heights[0]) < 0.03
    assert all(0 <= float(bar.attrib["x"]) <= WIDTH - float(bar.attrib["width"]) for bar in bars)
    assert all(float(bar.attrib["y"]) > 40 for bar in bars)


def test_more_series_than_colours_are_drawn_as_one() -> None:
    root = ElementTree.fromstring(draw_columns("t", ["x"], [(f"s{n}", [n + 1]) for n in range(12)]))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert "6 others" in texts
    tips = [tip.text for tip in root.iter(f"{SVG}title")]
    assert f"x, 6 others: {sum(range(7, 13))}" in tips


def test_a_field_has_a_cell_for_each_place_and_the_darkest_is_the_most() -> None:
    counts = {(0, 0): 1, (0, 1): 100, (1, 2): 25}
    root = ElementTree.fromstring(draw_field("t", ["a", "b" * 400], ["x", "y", "z"], counts))
    cells = [cell.attrib["fill"] for cell in root.iter(f"{SVG}rect") if cell.get("class") == "cell"]
    assert len(cells) == 6
    assert cells[1] == "#0072B2"
    assert len(set(cells)) == 4, "three counts, and none"
    assert min(cells[0], cells[5]) > cells[1]


def test_nothing_to_draw() -> None:
    ElementTree.fromstring(draw_columns("t", [], [("a", [])]))
    ElementTree.fromstring(draw_field("t", [], [], {}))
