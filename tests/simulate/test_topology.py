"""Policies in topologies: fewest bytes are fewest, soonest is soonest; GraphML is read as it stands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tocsin.errors import UsageError
from tocsin.simulate.placing.experiment import topology
from tocsin.simulate.placing.graphml import read_graphml
from tocsin.sites.placement.policies import POLICIES

HEAD = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
KEYS = "".join(
    f'<key attr.name="{name}" for="node" id="{key}"/>'
    for key, name in (("d1", "label"), ("d2", "Latitude"), ("d3", "Longitude"))
)


def node(identity: str, label: str, north: float | None = None, east: float | None = None) -> str:
    place = "" if north is None else f'<data key="d2">{north}</data><data key="d3">{east}</data>'
    return f'<node id="{identity}"><data key="d1">{label}</data>{place}</node>'


def edges(*pairs: str) -> str:
    return "".join(f'<edge source="{one}" target="{other}"/>' for one, other in pairs)


def written(folder: Path, inner: str, head: str = HEAD + KEYS) -> Path:
    path = folder / "five.graphml"
    path.write_text(f"{head}<graph>{inner}</graph></graphml>", encoding="utf-8")
    return path


NODES = (
    node("0", "London", 51.5, -0.1) + node("1", "Paris", 48.9, 2.35) + "".join(node(str(n), "Rome") for n in (2, 3, 4))
)


def test_links_are_as_long_as_the_way_is(tmp_path: Path) -> None:
    far = node("5", "Island") + node("6", "Islet")
    found = read_graphml(written(tmp_path, NODES + far + edges("01", "12", "23", "34", "10", "11", "56")))
    assert found.sites == ("London", "Paris", "Rome", "Rome 3", "Rome 4")
    assert len(found.links) == 4
    assert found.delay("London", "Paris") == pytest.approx(344 * 5, rel=0.02)
    assert found.delay("Paris", "Rome") == 1_000


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<graphml", "unclosed token"),
        ("<!DOCTYPE x [<!ENTITY a 'b'>]><graphml/>", "has no document type"),
        (f"{HEAD}<graph>{node('0', 'a')}{edges('01')}</graph></graphml>", "an edge leads to a node that is not there"),
        (f"{HEAD}<graph/></graphml>", "there are no links"),
    ],
)
def test_what_is_no_topology_is_refused(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "bad.graphml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=why):
        read_graphml(path)
    with pytest.raises(UsageError, match=r"no \.graphml file"):
        topology(files=[tmp_path / "bad.graphml", _empty(tmp_path)])


def _empty(folder: Path) -> Path:
    made = folder / "empty"
    made.mkdir(exist_ok=True)
    (folder / "bad.graphml").write_text(f"{HEAD}{KEYS}<graph>{NODES}{edges('01', '12', '23', '34')}</graph></graphml>")
    return made


def test_fewest_bytes_are_fewest_and_soonest_is_soonest(tmp_path: Path) -> None:
    path = written(tmp_path, NODES + edges("01", "12", "23", "34", "04"))
    report = topology(1, 0.3, files=[path])
    outcomes = report.record["outcomes"]
    settings: dict[tuple[str, ...], dict[str, dict[str, float]]] = {}
    for one in outcomes:
        key = one["topology"], one["places"], one["application"], one["flow"]
        settings.setdefault(key, {})[one["policy"]] = one
    assert {key[0] for key in settings} == {"tree", "ring", "random", "five"}
    for each in settings.values():
        assert each.keys() == set(POLICIES)
        assert each["near-sources"]["cost"] <= min(one["cost"] for one in each.values()) * 1.01
        assert each["near-sinks"]["delay_ms"] <= 1.1 * min(one["delay_ms"] for one in each.values()) + 0.1
        assert each["central"]["of_central"] == 1
    again, other = topology(1, 0.3, files=[path]), topology(2, 0.3, files=[path])
    assert (json.dumps(again.record), again.text()) == (json.dumps(report.record), report.text())
    assert other.record["outcomes"] != outcomes
