"""The figures of the service at a tiny scale: what they say, and that what went in is accounted for. No times."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the service is not installed")

import asyncio

import apsw

from tocsin.bench.service.bodies import Address, Bodies, requests
from tocsin.bench.service.disk import Disk, quantile
from tocsin.bench.service.figures import FIGURES, measured
from tocsin.bench.service.intake import Ledger
from tocsin.bench.service.load import Load
from tocsin.bench.service.processes import ReferenceChain, ServiceProcess
from tocsin.cli import main
from tocsin.commands.bench import SERVICE

RECORDS = {
    "ingest": ["ingest"],
    "single": ["single"],
    "steady": ["steady-1", "steady-100"],
    "webhook": ["webhook"],
    "subscribers": ["subscribers", "stalled"],
}


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_says_what_it_is_and_its_ledger_balances(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "service", name, "--scale", "0.02", "--json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert [record["name"] for record in records] == RECORDS[name]
    for record in records:
        assert record["agrees"] is True
        assert record["events"] > 0
        assert record["matches"] > 0
        assert record["ratio"] > 0
        assert record["target"] is not None
        assert {"fsync ms", "fsync p99 ms"} <= set(record["details"])


def test_the_command_knows_every_figure() -> None:
    assert SERVICE == FIGURES == tuple(RECORDS)


@pytest.mark.parametrize(("size", "every"), [(100, 10), (50, 1), (1, 10)])
def test_bodies_have_as_many_pairs_as_they_say(size: int, every: int) -> None:
    made = Bodies(size, every)
    events = [json.loads(line) for number in range(2600) for line in made.body(number).split(b"\n")]
    assert len({event["id"] for event in events}) == len(events) == 2600 * size
    firsts = {event["data"]["key"] for event in events if event["type"] == "a"}
    assert sum(event["type"] == "b" and event["data"]["key"] in firsts for event in events) == made.pairs(2600)


def test_a_ledger_tells_when_something_was_lost(tmp_path: Path) -> None:
    made = Bodies(100, 1)

    async def sent(service: ServiceProcess) -> Load:
        load = Load(service.address, lambda number: made.request(service.address, number))
        await load.connect(2)
        await load.send(4)
        load.close()
        return load

    with ServiceProcess(tmp_path / "service") as service:
        service.client.call("POST", "/v1/requests", requests(1)[0])
        load = asyncio.run(sent(service))
        whole = Ledger(service, load.accepted, made.pairs(load.sent))
        more_accepted = Ledger(service, load.accepted + 1, made.pairs(load.sent))
        more_pairs = Ledger(service, load.accepted, made.pairs(load.sent) + 1)
    assert whole.balances()
    assert not more_accepted.balances()
    assert not more_pairs.balances()
    db = apsw.Connection(str(service.store))
    db.execute("DELETE FROM log WHERE position = (SELECT max(position) FROM log)")
    db.close()
    assert not whole.balances()


def test_the_reference_chain_keeps_what_it_accepts(tmp_path: Path) -> None:
    made = Bodies(100)

    async def sent(to: Address) -> Load:
        load = Load(to, lambda number: made.request(to, number))
        await load.connect(3)
        await load.send(7)
        load.close()
        return load

    with ReferenceChain(tmp_path / "chain") as chain:
        load = asyncio.run(sent(chain.address))
    db = apsw.Connection(str(chain.store))
    try:
        assert load.accepted == 700
        assert db.execute("SELECT count(*), sum(count) FROM log").fetchall() == [(7, 700)]
    finally:
        db.close()


def test_the_disk_is_probed(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    disk.probe()
    told = disk.details()
    assert 0 < told["fsync ms"] <= told["fsync p99 ms"]
    assert quantile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert quantile([], 0.5) == 0.0


def test_a_figure_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "service", "speed"]) == 2
    assert "service has ingest single steady webhook subscribers" in capsys.readouterr().err


def test_each_figure_has_a_folder_that_is_gone_afterwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    assert [record.name for record in measured(["single"], 0.005)] == ["single"]
    assert list(tmp_path.iterdir()) == []
