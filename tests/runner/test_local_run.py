"""`tocsin run --engine local`: the same detections as of the embedded engine, each once, whenever it is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import pytest

import tocsin as tc
from tests.brokers.conftest import kafka, mosquitto, nats
from tests.brokers.streams import made_stream
from tocsin.bench.brokers.servers import Broker, Nats
from tocsin.encodings import Message
from tocsin.errors import UsageError
from tocsin.pipelines.description import read_pipeline
from tocsin.runner.pipeline_run import LocalRun
from tocsin.sinks import sink_of
from tocsin.transports import SINK, address_of

__all__ = ["kafka", "mosquitto", "nats"]

RULES = """\
rules:
- {name: pair, language: eps, expression: "x:a ; y:b", condition: "x.key == y.key", context: unrestricted, window: 30 s}
- {name: quiet, language: sel, expression: "(x:a -> !(y:b if y.key == x.key)) in 5 s"}
"""
PIPELINE = """\
source: "{url}"
rules: {rules}
watermark: 4 seconds
sinks: [{{format: json, path: found}}, "memory:{out}"]
checkpoint: checkpoint
quarantine: bad
metrics: metrics.json
{more}
"""


def _events(count: int, seed: int = 1) -> list[dict[str, Any]]:
    """Events in order of time; the last lets the watermark pass the others."""
    random = Random(seed)
    made = [
        {"type": random.choice("ab"), "time": n / 2, "id": str(n), "data": {"key": random.randrange(5)}}
        for n in range(count)
    ]
    return [*made, {"type": "z", "time": count + 1e6, "id": "end"}]


def _mixed_up(events: list[dict[str, Any]], seed: int = 2) -> list[dict[str, Any]]:
    """In another order, none later than the watermark; and some twice."""
    random = Random(seed)
    mixed = sorted(events, key=lambda each: each["time"] + random.random() * 3)
    return [again for each in mixed for again in ([each, each] if random.random() < 0.1 else [each])]


def _expected(folder: Path, events: list[dict[str, Any]]) -> list[str]:
    rules = folder / "expected.yaml"
    rules.write_text(RULES)
    return sorted(one.id for one in tc.detect(tc.load(str(rules)), events, order="guaranteed"))


def _site(folder: Path, url: str, rules: str = "rules.yaml", more: str = "") -> Path:
    (folder / "rules.yaml").write_text(RULES)
    (folder / "pipeline.yaml").write_text(PIPELINE.format(url=url, rules=rules, out=uuid4().hex, more=more))
    return folder


def _ran(folder: Path) -> LocalRun:
    running = LocalRun(read_pipeline(str(folder / "pipeline.yaml")), lambda _: None)
    try:
        running.wait(lambda: False)
        running.write_metrics()
    finally:
        running.close()
    return running


def _found(folder: Path) -> list[str]:
    return sorted(
        json.loads(line)["id"] for path in folder.glob("found/*/part*") for line in path.read_text().splitlines()
    )


def _send(url: str, events: list[dict[str, Any]]) -> None:
    address = address_of(url, SINK)
    sink_of(address).publish(address, [Message(json.dumps(each).encode()) for each in events])


@pytest.mark.parametrize("kind", ["memory", "file", "nats", "mqtt", "kafka"])
def test_in_two_runs(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """The second begins where the first ended, with what it held."""
    name = f"r{uuid4().hex[:8]}"
    if kind in ("memory", "file"):
        url = f"{kind}:{name if kind == 'memory' else tmp_path / 'in.jsonl'}"
        (tmp_path / "in.jsonl").touch()
    else:
        broker: Broker = request.getfixturevalue({"mqtt": "mosquitto"}.get(kind, kind))
        if isinstance(broker, Nats):
            made_stream(broker, name, name)
        url = broker.url(name)
    events = _events(300)
    arriving = _mixed_up(events)
    site = _site(tmp_path, url + ("?quiet=200 ms" if kind == "mqtt" else ""))
    if kind == "mqtt":
        _ran(site)  # the session begins here
    address = address_of(url, SINK)
    _send(url, arriving[:150])
    sink_of(address).publish(address, [Message(b"broken")])
    first = _ran(site)
    assert (first.bad, first.late) == (1, 0)
    _send(url, arriving[150:])
    second = _ran(site)
    assert second.events <= len(arriving) - 150, "what was read before is not read again"
    assert _found(site) == _expected(tmp_path, events)
    assert json.loads((site / "metrics.json").read_text())["version"] == 1
    (kept,) = [json.loads(line) for path in site.glob("bad/*/*") for line in path.read_text().splitlines()]
    assert kept["data"] == "broken"


@pytest.mark.parametrize("order", ["best-effort", "delay:3 s", "guaranteed"])
@pytest.mark.parametrize("seed", range(4))
def test_it_does_not_matter_how_a_stream_is_cut(order: str, seed: int, tmp_path: Path) -> None:
    """Any pieces in any number of runs find what the embedded engine finds in all of it at once."""
    url, random = f"memory:{uuid4().hex}", Random(seed)
    events = _events(200, seed)
    arriving = _mixed_up(events, seed + 10)
    site = _site(tmp_path, url, more=f'order: "{order}"')
    rest = arriving
    while rest:
        count = random.randrange(1, 90)
        _send(url, rest[:count])
        rest = rest[count:]
        assert _ran(site).late == 0
    given = events if order == "guaranteed" else arriving
    rules = tmp_path / "expected.yaml"
    rules.write_text(RULES)
    assert _found(site) == sorted(one.id for one in tc.detect(tc.load(str(rules)), given, order=order))


def test_rules_that_change_meanwhile(tmp_path: Path) -> None:
    """A change is for later events; a wrong one is refused; versions are written down, and hold after a restart."""
    url = f"memory:{uuid4().hex}"
    (tmp_path / "watched").mkdir()
    rule = '- {{name: {0}, language: eps, expression: "x:{1}"}}\n'
    (tmp_path / "watched/one.yaml").write_text("rules:\n" + rule.format("one", "a"))
    site = _site(tmp_path, url, "{watch: watched, every: 1 msec}", "trigger: 10 milliseconds")
    _send(url, [{"type": "a", "time": 1, "id": "1"}, {"type": "b", "time": 2, "id": "2"}])
    running = LocalRun(read_pipeline(str(site / "pipeline.yaml")), lambda _: None)
    turns = iter(range(1000))

    def is_stopped() -> bool:
        turn = next(turns)
        if turn == 2:
            (tmp_path / "watched/two.yaml").write_text("rules:\n" + rule.format("two", "b"))
        elif turn == 5:
            (tmp_path / "watched/one.yaml").write_text("rules: [{name: one, language: eps, expression: 'x:'}]")
        elif turn == 8:
            _send(
                url,
                [
                    {"type": "a", "time": 3, "id": "3"},
                    {"type": "b", "time": 1.5, "id": "4"},
                    {"type": "b", "time": 4, "id": "5"},
                ],
            )
            _send(url, [{"type": "z", "time": 100, "id": "6"}])
        return turn > 12

    try:
        running.wait(is_stopped)
    finally:
        running.close()
    lines = [json.loads(line) for path in site.glob("found/*/part*") for line in path.read_text().splitlines()]
    told = sorted((one["rule"], one["events"][0], one["version"]) for one in lines)
    assert told == [("one", "1", 1), ("one", "3", 2), ("two", "5", 2)], "4 is older than the change"
    assert any("added two" in each for each in running.news)
    assert any(each.startswith("refused, the rules go on as they were") for each in running.news)
    again = LocalRun(read_pipeline(str(site / "pipeline.yaml")), lambda _: None)
    try:
        assert again.rules.versions[-1].number == 2
    finally:
        again.close()


def test_an_event_that_comes_again_after_a_much_later_one_of_its_step_counts_once(tmp_path: Path) -> None:
    """So it is where one partition was read to its end before another: what a step holds has no order."""
    url = f"memory:{uuid4().hex}"
    site = _site(tmp_path, url)
    events = _events(20)
    _send(url, [*events, *events[:-1]])
    ran = _ran(site)
    assert (ran.repeated, ran.late) == (20, 0)
    assert _found(site) == _expected(tmp_path, events)


def test_late_events_are_told(tmp_path: Path) -> None:
    url = f"memory:{uuid4().hex}"
    site = _site(tmp_path, url)
    _send(url, [{"type": "a", "time": 100, "id": "1"}])
    _ran(site)
    _send(url, [{"type": "a", "time": 3, "id": "2"}])
    assert _ran(site).late == 1
    (kept,) = [json.loads(line) for path in site.glob("bad/*/*") for line in path.read_text().splitlines()]
    assert (kept["id"], kept["reason"]) == ("2", "later than the watermark")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("trigger: 1 s", "shadow: {rules: [rules.yaml]}"), "runs no shadow"),
        (('source: "memory:x"', "source: {format: simulated}"), "reads jsonl, and addresses"),
        (("rules: rules.yaml", "rules: {table: rules}"), "a table of rules is Spark's"),
    ],
)
def test_what_it_does_not_do_is_said(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    site = _site(tmp_path, "memory:x", more="trigger: 1 s")
    text = (site / "pipeline.yaml").read_text()
    (site / "pipeline.yaml").write_text(text.replace(*change))
    with pytest.raises(UsageError, match=message):
        _ran(site)


@pytest.mark.parametrize("kind", ["nats", "mqtt", "file"])
def test_killed_at_any_moment(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """`kill -9` while events flow, again and again: in the directory each detection is there once."""
    name = f"k{uuid4().hex[:8]}"
    if kind == "file":
        (tmp_path / "in.jsonl").touch()
        url = f"file:{tmp_path / 'in.jsonl'}"
    else:
        broker: Broker = request.getfixturevalue({"mqtt": "mosquitto"}.get(kind, kind))
        if isinstance(broker, Nats):
            made_stream(broker, name, name)
        url = broker.url(name)
    events = _events(600, seed=5)
    arriving, random = _mixed_up(events, 6), Random(7)
    site = _site(tmp_path, url, more="trigger: 10 milliseconds")
    wanted = _expected(tmp_path, events)
    drivers = [_begun(site)]
    try:
        _await(lambda: (site / "checkpoint/rules/000001.json").exists(), site, drivers[-1])
        if kind == "mqtt":  # the session begins with the subscription
            _await(lambda: "ready" in (site / "out").read_text(), site, drivers[-1])
        for start in range(0, len(arriving), 60):
            _send(url, arriving[start : start + 60])
            if start % 180 == 120:
                steps = _done(site)
                _await(lambda steps=steps: _done(site) > steps or random.random() < 0.2, site, drivers[-1])
                drivers[-1].kill()
                drivers[-1].wait()
                drivers.append(_begun(site))
        _await(lambda: len(_found(site)) >= len(wanted), site, drivers[-1])
        drivers[-1].send_signal(signal.SIGTERM)
        assert drivers[-1].wait(60) == 0, (site / "out").read_text()
        assert _found(site) == wanted
    finally:
        for each in drivers:
            each.kill()
            each.wait()


DRIVER = """
import signal, sys
from tocsin.pipelines.description import read_pipeline
from tocsin.runner.pipeline_run import LocalRun
stopped = []
signal.signal(signal.SIGTERM, lambda *_: stopped.append(1))
running = LocalRun(read_pipeline(sys.argv[1]), lambda _: None)
print("ready", flush=True)
running.wait(lambda: bool(stopped))
running.close()
"""


def _begun(site: Path) -> subprocess.Popen[bytes]:
    with open(site / "out", "ab") as out:
        command = [sys.executable, "-c", DRIVER, str(site / "pipeline.yaml")]
        return subprocess.Popen(command, stdout=out, stderr=out, env=os.environ)


def _done(site: Path) -> int:
    path = site / "checkpoint/done"
    return int(path.read_text() or 0) if path.exists() else 0


def _await(is_so: Callable[[], bool], site: Path, driver: subprocess.Popen[bytes]) -> None:
    begun = time.monotonic()
    while not is_so():
        assert driver.poll() is None, (site / "out").read_text()
        assert time.monotonic() - begun < 120, (site / "out").read_text()
        time.sleep(0.01)


def test_from_the_command_line_without_spark(tmp_path: Path) -> None:
    """PySpark cannot even be imported there."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in/one.jsonl").write_text("".join(json.dumps(each) + "\n" for each in _events(50)))
    site = _site(tmp_path, "file:in")
    code = "import sys; sys.modules['pyspark'] = None; from tocsin.cli import main; raise SystemExit(main())"
    command = [sys.executable, "-c", code, "run", "--engine", "local", str(site / "pipeline.yaml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    assert done.returncode == 0, done.stderr
    assert "done: 51 events" in done.stderr
    assert _found(site) == _expected(tmp_path, _events(50))
