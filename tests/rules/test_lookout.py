"""What is said about names that did not occur, and about events that share an instant."""

from __future__ import annotations

from typing import Any

import pytest

import tocsin as tc
from tocsin.formats import events_from
from tocsin.rules.loader import load_expression, load_files
from tocsin.rules.lookout import Lookout


def remarks(rule: str, events: list[dict[str, Any]], language: str = "pretty") -> list[str]:
    lookout = Lookout(load_expression(rule, language, None))
    list(events_from(events, watch=lookout.note))
    return lookout.remarks()


FAILED = [{"type": "failed", "time": n, "ip": "10.0.0.7", "user": {"name": "bob"}, "a.b": 1} for n in range(3)]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("faild", ["no event of type 'faild'; seen: failed 3"]),
        ("FAILED", ["no event of type 'FAILED'; seen: failed 3"]),
        ("quite_other", ["no event of type 'quite_other'; seen: failed 3"]),
        ("failed as f where f.ipp == '10'", ["no event of type 'failed' has 'ipp'; seen: ip"]),
        ("failed as f where f.zzz == '10'", ["no event of type 'failed' has 'zzz'; seen: a.b, ip, user"]),
        ("failed as f where f.ip == '10'", []),
        ("failed 3 times with the same ipp", ["no event of type 'failed' has 'ipp'; seen: ip"]),
        (
            "failed 3 times with the same ip and different prt",
            ["no event of type 'failed' has 'prt'; seen: a.b, ip, user"],
        ),
        ("failed 2 to 3 times with the same ipp", ["no event of type 'failed' has 'ipp'; seen: ip"]),
        ("failed 3 times with the same ip", []),
        ("failed followed by any event", []),
        ("failed unless ok within 1 minute", ["no event of type 'ok'; seen: failed 3"]),
    ],
)
def test_names_that_did_not_occur(rule: str, said: list[str]) -> None:
    assert remarks(rule, FAILED) == said


@pytest.mark.parametrize("asked", ["f.tags == 'p'", "'p' in f.tags", "f.tags[0] == 'p'", "f.rule.name == 'p'"])
def test_what_a_detection_has_beside_its_data_is_told_where_to_put(asked: str) -> None:
    (said,) = remarks(f"failed as f where {asked}", FAILED)
    head = "rule" if "rule" in asked else "tags"
    assert said.endswith(f"('{head}' beside the other fields is a detection's: put it in data)")


def test_where_nothing_came_nothing_is_said() -> None:
    assert remarks("faild", []) == []


def test_filters_of_core_and_attributes_of_times() -> None:
    assert remarks("[failed(ipp = '1')]", FAILED, "core") == ["no event of type 'failed' has 'ipp'; seen: ip"]
    assert remarks("TimesEq(2, failed, ipp)", FAILED, "eps") == ["no event of type 'failed' has 'ipp'; seen: ip"]
    assert remarks("([failed], [T]){T = 5 sec}", FAILED, "core") == []


def test_what_rules_make_is_no_event_that_should_come(tmp_path: Any) -> None:
    (tmp_path / "rules.yaml").write_text(
        "rules:\n"
        "- {name: pair, language: eps, expression: 'failed ; failed'}\n"
        "- {name: more, language: eps, expression: 'p:pair', condition: 'p.anything == 1'}\n"
    )
    lookout = Lookout(load_files([str(tmp_path / "rules.yaml")]))
    list(events_from(FAILED, watch=lookout.note))
    assert lookout.remarks() == []


def test_many_names_are_not_all_told() -> None:
    rule = " or ".join(f"kind{n}" for n in range(8))
    *_, last = remarks(rule, [{"type": "x", "time": 1}])
    assert last == "and 3 more types that rules name did not come"


def test_from_python() -> None:
    found = tc.detect(tc.rule("r", "faild"), FAILED)
    assert found.notes.warnings == ["no event of type 'faild'; seen: failed 3"]
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"type": ["failed"] * 3, "time": [1.0, 2.0, 3.0], "ip": ["a"] * 3})
    rule = tc.rule("r", "x:failed", condition="x.ipp == 'a'")
    assert tc.detect([rule, tc.rule("s", "faild")], frame).notes.warnings == [
        "no event of type 'faild'; seen: failed",
        "no event of type 'failed' has 'ipp'; seen: ip",
    ]


# -- one instant -------------------------------------------------------------------------------------------------------

TIED = [
    {"type": "a", "time": 1, "ip": 1},
    {"type": "b", "time": 1, "ip": 1},
    {"type": "b", "time": 1, "ip": 2},
    {"type": "a", "time": 1, "ip": 1},
    {"type": "b", "time": 2, "ip": 1},
]


@pytest.mark.parametrize(
    ("rule", "language", "count"),
    [
        ("a followed by b", "pretty", 4),
        ("a as x followed by b as y where x.ip == y.ip", "pretty", 2),
        ("a as x followed by b as y where y.ip == x.other", "pretty", 0),
        ("a -> b in 1 minute", "sel", 4),
        ("b ; b", "eps", 1),
        ("{a ; b} ! c", "gem", 4),
        ("a & b", "eps", 0),
        ("(a ; c) | (b ; a)", "gem", 4),
        ("a -> !c -> b in 1 minute", "sel", 4),
        ("a -> (x:b delta 5 seconds) -> c in 1 minute", "sel", 0),
        ("a ; b", "global", 4),
        ("a ; NOT c ; b", "global", 4),
        ("a ;= b", "global", 0),
        ("[a];[b]", "core", 4),
        ("[x:a];[b(ip = x.ip)]", "core", 2),
        ("[a] [b]", "core", 0),
    ],
)
def test_pairs_that_share_an_instant(rule: str, language: str, count: int) -> None:
    said = [line for line in remarks(rule, [*TIED, {"type": "c", "time": 9}], language) if "share" in line]
    assert [int(line.split()[0]) for line in said] == ([count] if count else [])


def test_a_finer_clock_means_what_it_says() -> None:
    assert remarks("a followed by b", [*TIED, {"type": "a", "time": 2.5}]) == []


@pytest.mark.parametrize(
    ("rule", "language", "remedy"),
    [
        ("a followed by b", "pretty", "'followed by or with'"),
        ("a -> b", "sel", "'->='"),
        ("a ; b", "gem", "';='"),
        ("a ; b", "eps", "';='"),
        ("a ; b", "global", "';='"),
        ("[a];[b]", "core", "'[a] [b]'"),
        ("tc.event('a').then(tc.event('b'))", "python", "'.then_or_with(...)'"),
    ],
)
def test_every_language_is_told_its_own_way(rule: str, language: str, remedy: str) -> None:
    (said,) = remarks(rule, TIED, language)
    assert said.startswith("4 pairs of 'a' and 'b' share an instant")
    assert remedy in said


def test_clocks_of_sites_are_compared_by_their_ticks() -> None:
    lookout = Lookout(load_expression("a ; b", "global", None), is_stamped=True)
    list(events_from(TIED, watch=lookout.note))
    assert lookout.remarks() == []


def test_pairs_in_a_frame_are_counted_as_those_in_rows() -> None:
    pandas = pytest.importorskip("pandas")
    rule = tc.rule("r", "a as x followed by b as y where x.ip == y.ip", language="pretty")
    frame = pandas.DataFrame(TIED)
    told = tc.detect(rule, frame).notes.warnings
    assert told == tc.detect(rule, TIED).notes.warnings
    assert told[0].startswith("2 pairs of 'a' and 'b' share an instant")
    assert tc.detect(rule, pandas.concat([frame, pandas.DataFrame([{"type": "a", "time": 2.5}])])).notes.warnings == []
