"""A deployment from a file: every policy finds what one engine finds, and what is predicted is about what is sent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tocsin.errors import RuleError
from tocsin.simulate.deployment.experiment import deployment
from tocsin.simulate.deployment.failures import blocked_by
from tocsin.simulate.deployment.reading import described
from tocsin.simulate.deployment.trials import tried

HOT = {
    "name": "hot",
    "language": "sel",
    "expression": "(x:badge -> y:login -> z:temp) in 5 seconds",
    "condition": "x.room = y.room and y.room = z.room and z.degrees > 30",
}
RECORD: dict[str, Any] = {
    "sink": "phone",
    "seconds": 20,
    "rules": [HOT],
    "links": [
        {"from": "gate", "to": "hall", "delay": 1},
        {"from": "lab", "to": "hall", "delay": 1, "jitter": 2},
        {"from": "hall", "to": "phone", "cost": 20, "delay": 40, "bandwidth": 20000},
    ],
    "sources": {
        "gate": {"badge": {"rate": 4, "size": 180, "data": {"room": 3}}},
        "lab": {"temp": {"rate": 2, "size": 120, "data": {"room": [0, 1, 2], "degrees": {"from": 0, "to": 60}}}},
        "hall": {"login": {"rate": 0.5, "size": 160, "data": {"room": 3}}},
    },
}


def written(folder: Path, record: dict[str, Any]) -> Path:
    path = folder / "my.yaml"
    path.write_text(yaml.safe_dump(record), encoding="utf-8")
    return path


def test_every_policy_finds_what_one_engine_finds(tmp_path: Path) -> None:
    report = deployment(written(tmp_path, RECORD))
    found = {each["policy"]: each for each in report.record["policies"]}
    assert len(found) == 5
    for each in found.values():
        assert each["same_detections"]
        assert each["detections"] > 3
        assert each["delay_ms"]["p50"] >= 40
        assert 0.8 < each["sent"]["bytes"] / each["predicted_from_measured"]["bytes"] < 1.25
        assert each["lost"] == 0
    over = {
        policy: {(link["from"], link["to"]): link["sent"] for link in each["links"]} for policy, each in found.items()
    }
    assert over["central"]["hall", "phone"] > over["central"]["phone", "hall"] > 0
    assert over["near-sources"]["phone", "hall"] < over["central"]["phone", "hall"]
    again = deployment(written(tmp_path, RECORD))
    assert json.dumps(again.record) == json.dumps(report.record)
    assert again.text() == report.text()


def test_messages_that_get_lost_are_sent_again_and_clocks_that_are_off_are_measured(tmp_path: Path) -> None:
    links = [link | {"loss": 0.05} for link in RECORD["links"]]
    sites = {"lab": {"clock": 15, "drift": 20}}
    about = described(yaml.safe_dump(RECORD | {"links": links, "sites": sites}), tmp_path / "my.yaml")
    trial = tried("near-sources", about, 1, 20)
    assert trial.lost > 10
    assert trial.is_right
    assert trial.expected


def test_recorded_events_are_born_as_they_were(tmp_path: Path) -> None:
    lines = [{"id": f"e{n}", "type": kind, "time": n / 2, "k": 1} for n, kind in enumerate(["a", "b"] * 60)]
    (tmp_path / "log.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    rule = {"name": "pair", "language": "eps", "expression": "a ; b"}
    record = {"sink": "far", "seconds": 10, "rules": [rule], "sources": {"near": {"file": "log.jsonl"}}}
    about = described(yaml.safe_dump(record), tmp_path / "my.yaml")
    assert about.types("near") == ["a", "b"]
    trial = tried("central", about, 1, 10)
    assert trial.is_right
    assert len(trial.expected) >= 9


def test_what_a_failure_blocks_is_what_the_parts_need(tmp_path: Path) -> None:
    pair = {"name": "pair", "language": "sel", "expression": "(x:badge -> y:login) in 1 second"}
    ring = [*RECORD["links"], {"from": "gate", "to": "lab", "delay": 1}]
    about = described(yaml.safe_dump(RECORD | {"rules": [HOT, pair], "links": ring}), tmp_path / "my.yaml")
    blocked = blocked_by(tried("central", about, 1, 1).plan.deployment, about.topology)
    assert blocked["site lab"] == ["hot"]
    assert blocked["site gate"] == ["hot", "pair"]
    assert blocked["link gate - hall"] == []
    assert blocked["link hall - phone"] == ["hot", "pair"]


@pytest.mark.parametrize(
    ("change", "why", "where"),
    [
        ({"sink": ""}, "this is empty", "sink: ''"),
        ({"sinks": "x"}, "there is no setting 'sinks'", "sinks: x"),
        ({"sink": "moon"}, "no link leads to 'moon'", "sink: moon"),
        ({"policies": ["best"]}, "there is no policy 'best'", "- best"),
        ({"seconds": 0}, "expected a number from 1 to 86400", "seconds: 0"),
        ({"sources": {"lab": {"temp": {"size": 3}}}}, "'temp' has no 'rate'", "size: 3"),
        ({"sources": {"lab": {"temp": {"rate": -1}}}}, "'-1' is not possible here", "rate: -1"),
        ({"sources": {"lab": {"temp": {"rate": 1, "data": {"x": "y"}}}}}, "this says of no values", "x: y"),
        ({"sources": {"lab": {"file": "gone.jsonl"}}}, "cannot read", "file: gone.jsonl"),
        ({"sources": {"lab": {"temp": {"rate": 1}}}}, "hears 'badge', which no source makes", "- condition"),
        ({"links": [{"from": "a"}]}, "this link has no 'to'", "- from: a"),
        ({"links": [{"from": "a", "to": "b", "dely": 1}]}, "there is no setting 'dely'", "- dely: 1"),
        ({"links": [{"from": "lab", "to": "lab"}]}, "leads from 'lab' to itself", "to: lab"),
        ({"sites": {"lab": {"clocks": 1}}}, "there is no setting 'clocks'", "clocks: 1"),
        ({"rules": [HOT | {"expression": "(x:badge -> y:login in 5 sec"}]}, "expected", "expression: (x:badge"),
    ],
)
def test_what_cannot_be_is_shown_where_it_stands(tmp_path: Path, change: dict[str, Any], why: str, where: str) -> None:
    path = written(tmp_path, RECORD | change)
    with pytest.raises(RuleError) as caught:
        deployment(path)
    fault = caught.value.faults[0]
    assert why in str(caught.value)
    assert fault.place is not None
    assert fault.place.file == str(path)
    assert where in path.read_text(encoding="utf-8").splitlines()[fault.place.line - 1]
    assert "^" in str(caught.value)


def test_what_is_no_yaml_is_shown_where_it_stops(tmp_path: Path) -> None:
    path = tmp_path / "my.yaml"
    path.write_text("sink: phone\nrules: [{name: hot}\nlinks:\n", encoding="utf-8")
    with pytest.raises(RuleError, match="this is not YAML"):
        deployment(path)
