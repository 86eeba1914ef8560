"""Plots are well-formed, stay inside the picture, and put numbers where the axes say."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tocsin.draw.plot import BOTTOM, LEFT, RIGHT, TOP, Range, Series, draw_bars, draw_lines

SVG = "{http://www.w3.org/2000/svg}"


def test_lines_have_a_series_and_a_legend_each() -> None:
    series = [Series("one <&>", [(1, 10), (10, 1000)]), Series("two", [(1, 3), (5, 4)], is_dashed=True)]
    root = ElementTree.fromstring(draw_lines("title", "sub", "x", "y", series, log_x=True))
    assert len([path for path in root.iter(f"{SVG}path") if path.get("class") == "series"]) == 2
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert {"title", "sub", "x", "y", "one <&>", "two"} <= set(texts)


@pytest.mark.parametrize("values", [(0.5, 2.0), (24_900.0, 87.0), (1.0, 1.0)])
def test_bars_stay_inside(values: tuple[float, float]) -> None:
    root = ElementTree.fromstring(draw_bars("t", "s", "y", ("a", "b"), [("first\nline", values), ("second", values)]))
    bars = [bar for bar in root.iter(f"{SVG}rect") if bar.get("class") == "bar"]
    assert len(bars) == 4
    assert all(float(bar.attrib["y"]) >= TOP and LEFT <= float(bar.attrib["x"]) <= RIGHT for bar in bars)


@pytest.mark.parametrize("is_log", [False, True])
def test_a_range_goes_from_end_to_end(is_log: bool) -> None:
    across = Range(1.0, 1000.0, LEFT, RIGHT, is_log)
    assert (across.at(1.0), across.at(1000.0)) == (LEFT, RIGHT)
    assert all(LEFT - 0.01 <= across.at(tick) <= RIGHT + 0.01 for tick in across.ticks())
    assert 2 <= len(across.ticks()) <= 11
    assert BOTTOM > TOP
