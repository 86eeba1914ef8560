"""The timeline is well-formed whatever comes in, shows time from left to right, and joins what belongs together."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tocsin.draw import timeline
from tocsin.draw.timeline import draw_timeline
from tocsin.events import Detection, Event
from tocsin.time import DAY, HOUR, MINUTE, SECOND, parse_instant, render_instant

NOON = parse_instant("2026-11-15T12:00:00Z")
SVG = "{http://www.w3.org/2000/svg}"


def event(name: str, at: float, kind: str = "a", source: str = "", length: float = 0) -> Event:
    start = NOON + round(at * SECOND)
    return Event(kind, start + round(length * SECOND), start, name, source)


def detection(name: str, events: list[Event], rule: str = "r", detected: float = 0) -> Detection:
    start, end = min(one.start for one in events), max(one.end for one in events)
    return Detection(rule, rule, start, end, end + round(detected * SECOND), tuple(one.id for one in events), id=name)


def drawn(events: list[Event], detections: list[Detection], title: str = "") -> ElementTree.Element:
    """The picture read back, as any reader of SVG would."""
    return ElementTree.fromstring(draw_timeline(events, detections, render_instant, title=title).encode())


def marks(root: ElementTree.Element, kind: str) -> dict[str, tuple[float, float]]:
    """Where each event or detection stands, by id."""
    places = {}
    for group in root.iter(f"{SVG}g"):
        if group.get("class") == kind:
            found = re.fullmatch(r"translate\((.+),(.+)\)", group.attrib["transform"])
            assert found is not None
            places[group.attrib["data-id"]] = (float(found[1]), float(found[2]))
    return places


def links(root: ElementTree.Element) -> list[ElementTree.Element]:
    return [path for path in root.iter(f"{SVG}path") if path.get("class") == "link"]


def texts(root: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def ticks(root: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in root.iter(f"{SVG}text") if text.get("class") == "tick"]


# Every character Python knows: control characters and half surrogate pairs too, which XML does not.
any_text = st.text(st.characters(exclude_categories=()), max_size=12) | st.sampled_from(
    ["]]>", "<a b='\"'>&amp;", "--"]
)
instants = st.integers(-60_000_000_000_000_000, 250_000_000_000_000_000) | st.integers(0, 10)
data = st.dictionaries(any_text, any_text | st.integers() | st.floats() | st.lists(any_text, max_size=2), max_size=3)


@st.composite
def any_event(draw: st.DrawFn) -> Event:
    start, end = sorted((draw(instants), draw(instants)))
    return Event(draw(any_text), end, start, draw(any_text), draw(any_text), draw(data))


@st.composite
def any_detection(draw: st.DrawFn) -> Detection:
    start, end, detected = sorted((draw(instants), draw(instants), draw(instants)))
    names = tuple(draw(st.lists(any_text, max_size=4)))
    return Detection(draw(any_text), draw(any_text), start, end, detected, names, draw(data), id=draw(any_text))


@given(st.lists(any_event(), max_size=6), st.lists(any_detection(), max_size=4), any_text, any_text | st.none())
@settings(deadline=None)
def test_any_text_gives_well_formed_xml(
    events: list[Event], detections: list[Detection], title: str, time: str | None
) -> None:
    show_time = render_instant if time is None else lambda instant: time
    root = ElementTree.fromstring(draw_timeline(events, detections, show_time, title=title).encode())
    assert root.tag == f"{SVG}svg"
    assert sum(group.get("class") == "event" for group in root.iter(f"{SVG}g")) == len(events)
    assert sum(group.get("class") == "detection" for group in root.iter(f"{SVG}g")) == len(detections)


@given(st.lists(instants, min_size=1, max_size=200))
@settings(deadline=None)
def test_what_is_later_stands_further_right(times: list[int]) -> None:
    events = [Event("a", time, time, str(number)) for number, time in enumerate(times)]
    places = marks(drawn(events, []), "event")
    in_order = [places[one.id][0] for one in sorted(events, key=lambda one: one.end)]
    assert in_order == sorted(in_order)
    assert 0 < in_order[0] <= in_order[-1] < timeline.WIDTH


@given(st.lists(st.lists(st.integers(0, 19), min_size=1, max_size=5, unique=True), max_size=12))
@settings(deadline=None)
def test_every_detection_is_joined_to_its_constituents(choices: list[list[int]]) -> None:
    events = [event(f"e{number}", number * 7 % 11, "abc"[number % 3], f"s{number % 4}") for number in range(20)]
    detections = [detection(f"d{i}", [events[k] for k in chosen], f"r{i % 3}") for i, chosen in enumerate(choices)]
    root = drawn(events, detections)
    dots, bells = marks(root, "event"), marks(root, "detection")
    joined = Counter((link.attrib["data-detection"], link.attrib["data-event"]) for link in links(root))
    assert joined == Counter((one.id, name) for one in detections for name in one.events)
    for link in links(root):
        numbers = [float(number) for number in re.findall(r"-?\d+\.\d+", link.attrib["d"])]
        assert tuple(numbers[:2]) == dots[link.attrib["data-event"]]
        assert tuple(numbers[-2:]) == bells[link.attrib["data-detection"]]


def test_an_id_of_two_sources_means_the_event_inside_the_detection() -> None:
    early, late = event("1", 0, source="x"), event("1", 50, source="y")
    one = detection("d", [late, event("2", 60, source="y")])
    root = drawn([early, late, event("2", 60, source="y")], [one])
    assert [link.attrib["data-event"] for link in links(root)] == ["1", "2"]
    start = float(re.findall(r"-?\d+\.\d+", links(root)[0].attrib["d"])[0])
    assert start > timeline.WIDTH / 2


def test_events_do_not_hide_each_other() -> None:
    events = [event(f"e{number}", 0, source=f"s{number % 2}") for number in range(16)]
    assert len(set(marks(drawn([*events, event("z", 9)], []), "event").values())) == 17


def test_nothing_to_draw_is_said() -> None:
    root = drawn([], [], "quiet")
    assert texts(root) == ["quiet", "no events · no detections"]


def test_one_event_and_one_instant() -> None:
    assert ticks(drawn([event("e", 0)], [])) == ["12:00:00"]
    root = drawn([event(f"e{number}", 0) for number in range(3)], [])
    assert len({x for x, _ in marks(root, "event").values()}) == 1


def test_lanes_are_sources_or_types() -> None:
    root = drawn([event("e1", 0, "a", "s"), event("e2", 1, "b", "s")], [])
    assert "type" in texts(root)
    root = drawn([event("e1", 0, "a", "s"), event("e2", 1, "b", "t")], [])
    assert "source" in texts(root)
    assert {"s", "t"} <= set(texts(root))


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        (0.00001, ["12:00:00", "12:00:00.000002", "12:00:00.000004"]),
        (5, ["12:00:00", "12:00:01", "12:00:02"]),
        (5 * MINUTE / SECOND, ["12:00", "12:01", "12:02"]),
        (9 * HOUR / SECOND, ["12:00", "13:00", "14:00"]),
        (6 * DAY / SECOND, ["16 Nov", "17 Nov", "18 Nov"]),
        (40 * DAY / SECOND, ["16 Nov", "23 Nov", "30 Nov"]),
        (300 * DAY / SECOND, ["Jan", "Apr", "Jul"]),
        (9 * 365 * DAY / SECOND, ["2028", "2030", "2032"]),
        (90 * 365 * DAY / SECOND, ["2040", "2060", "2080"]),
    ],
)
def test_ticks_are_round(length: float, expected: list[str]) -> None:
    found = ticks(drawn([event("e1", 0), event("e2", length)], []))
    assert found[: len(expected)] == expected
    assert 2 <= len(found) <= 10


def test_ticks_of_numbers_are_decimal() -> None:
    events = [Event("a", 0, 0, "1"), Event("a", 500 * SECOND, 500 * SECOND, "2")]
    root = ElementTree.fromstring(draw_timeline(events, [], lambda instant: f"{instant / SECOND}"))
    assert ticks(root) == ["0", "100", "200", "300", "400", "500"]


def test_a_late_detection_has_dashes_within_the_picture() -> None:
    events = [event("e1", 0), event("e2", 10)]
    picture = draw_timeline(events, [detection("d", events, detected=2)], render_instant)
    assert "stroke-dasharray" in picture
    assert "detected 2026-11-15T12:00:12Z" in picture
    far = draw_timeline(events, [detection("d", events, detected=10**8)], render_instant)
    places = marks(ElementTree.fromstring(far), "event")
    assert places["e2"][0] - places["e1"][0] > timeline.WIDTH / 2


def test_tooltips_say_all_there_is() -> None:
    one = Event("badge", NOON, NOON, "e1", "door", {"user": "ann", "big": "x" * 10_000})
    titles = [title.text or "" for title in drawn([one], []).iter(f"{SVG}title")]
    tip = next(title for title in titles if title.startswith("badge e1"))
    assert "2026-11-15T12:00:00Z" in tip
    assert "from door" in tip
    assert "user = ann" in tip
    assert len(tip) < 1_000


def test_very_long_names_leave_room_for_the_picture() -> None:
    events = [event("i" * 100_000, 0, "t" * 100_000, "s" * 100_000), event("j", 1, source="漢" * 1_000)]
    root = drawn(events, [detection("d" * 1_000, events, "r" * 100_000)], "title " * 1_000)
    assert min(x for x, _ in marks(root, "event").values()) < timeline.WIDTH / 3
    assert max(len(text) for text in texts(root)) < 200


def test_a_crowd_has_small_dots_and_no_labels() -> None:
    few, many = ([event(f"e{n}", n, source=f"s{n % 3}") for n in range(count)] for count in (5, 2_000))
    assert {"e0", "e4"} <= set(texts(drawn(few, [])))
    assert not [text for text in texts(drawn(many, [])) if text.startswith("e1")]
    sizes = [float(circle.attrib["r"]) for circle in drawn(many, []).iter(f"{SVG}circle")]
    assert sizes.count(3.0) == 2_000


def test_caps_are_kept_and_said() -> None:
    events = [event(f"e{number}", number, source=f"s{number % 50}") for number in range(12_000)]
    detections = [detection(f"d{n}", events[n : n + 20], f"r{n % 40}") for n in range(1_000)]
    root = drawn(events, detections)
    said = next(text for text in texts(root) if " drawn" in text)
    assert "200 of 1,000 detections drawn" in said
    assert "2,000 of 4,000 connecting lines drawn" in said
    assert re.search(r"\d,\d{3} of 12,000 events drawn", said)
    assert len(links(root)) == timeline.MOST_LINKS
    assert len(marks(root, "detection")) == timeline.MOST_DETECTIONS
    assert timeline.MOST_EVENTS <= len(marks(root, "event")) < 7_000
    assert "and 20 more" in texts(root)
    assert "and 10 more" in texts(root)
    assert {link.attrib["data-event"] for link in links(root)} <= set(marks(root, "event"))
    lanes = [group for group in root.iter(f"{SVG}g") if group.get("class") == "lane"]
    assert len(lanes) == 2 * (timeline.MOST_LANES + 1)


def test_a_cap_leaves_out_no_rule_and_no_type() -> None:
    events = [event(f"e{number}", number, "ask" if number % 2 else "answer") for number in range(10_001)]
    detections = [detection(f"d{n}", events[n : n + 2], "rare" if n == 777 else "often") for n in range(5_000)]
    said = set(texts(drawn(events, detections)))
    assert {"ask", "answer", "rare", "often"} <= said
