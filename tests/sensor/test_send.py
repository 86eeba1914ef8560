"""`tocsin send`: events from files and by themselves to a service that runs, or does not."""

from __future__ import annotations

import json
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from tests.sensor.services import KEY, HttpStub
from tocsin.cli import main


@pytest.fixture(autouse=True)
def named(service: HttpStub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOCSIN_URL", service.url)
    monkeypatch.setenv("TOCSIN_KEY", KEY)


def file_of(home: Path, name: str, *lines: object) -> str:
    path = home / name
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return str(path)


EVENTS = [
    {"id": "7", "type": "login", "source": "web", "time": 1.5, "user": "bob"},
    {"type": "login", "time": [2, 3], "data": {"user": "ann"}},
    {"source": "web", "time": 4, "heartbeat": True},
    {"type": "logout", "time": "1970-01-01T00:00:05Z"},
]


def test_a_file_is_sent_as_it_is(service: HttpStub, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["send", file_of(tmp_path, "a.jsonl", *EVENTS), "--source", "archive"]) == 0
    assert [(each["type"], each["source"], each["time"], each.get("data")) for each in service.events] == [
        ("login", "web", "1970-01-01T00:00:01.500000Z", {"user": "bob"}),
        ("login", "archive", ["1970-01-01T00:00:02Z", "1970-01-01T00:00:03Z"], {"user": "ann"}),
        ("logout", "archive", "1970-01-01T00:00:05Z", None),
    ]
    assert service.heartbeats == [{"source": "web", "time": "1970-01-01T00:00:04Z", "heartbeat": True}]
    assert service.probes == 0
    assert capsys.readouterr().err == "tocsin: 4 lines read: 4 taken\n"


def test_sent_again_it_is_there_already_and_another_file_is_not(
    service: HttpStub, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = file_of(tmp_path, "a.jsonl", *EVENTS[:2])
    other = file_of(tmp_path, "b.jsonl", EVENTS[3], EVENTS[3])
    for names in ([one], [one], [other]):
        assert main(["send", *names]) == 0
    told = capsys.readouterr().err.splitlines()
    assert told == [
        "tocsin: 2 lines read: 2 taken",
        "tocsin: 2 lines read: 0 taken, 2 were there already",
        "tocsin: 2 lines read: 2 taken",
    ]
    assert len(service.events) == 4


def test_other_formats_and_standard_input(service: HttpStub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = file_of(tmp_path, "a.csv", "kind,when,user", "login,15/11/2026 20:00:00,bob")
    given = ["--columns", "type=kind,time=when", "--time-format", "%d/%m/%Y %H:%M:%S"]
    assert main(["send", table, *given]) == 0
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(b'{"type": "x", "time": 1}\n')))
    assert main(["send", "-"]) == 0
    assert [(each["type"], each["time"]) for each in service.events] == [
        ("login", "2026-11-15T20:00:00Z"),
        ("x", "1970-01-01T00:00:01Z"),
    ]


def test_one_event_by_itself(service: HttpStub, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["user=bob", "attempts=3", "ok=true", "note=a b=c", "x=NaN"]
    assert main(["send", "--type", "login", "--source", "web", *words]) == 0
    (event,) = service.events
    assert event["data"] == {"user": "bob", "attempts": 3, "ok": True, "note": "a b=c", "x": "NaN"}
    assert (event["type"], event["source"], len(event["time"])) == ("login", "web", 2)
    assert service.probes >= 1
    assert capsys.readouterr().err == "tocsin: 1 line read: 1 taken\n"
    assert main(["send", "--type", "login", "--time", "12.5", "--id", "7"]) == 0
    assert (service.events[1]["id"], service.events[1]["time"]) == ("7", "1970-01-01T00:00:12.500000Z")


def test_a_heartbeat_by_itself_and_behind_events(service: HttpStub, tmp_path: Path) -> None:
    assert main(["send", "--heartbeat", "--source", "web"]) == 0
    assert [each["source"] for each in service.heartbeats] == ["web"]
    assert main(["send", "--source", "web", file_of(tmp_path, "a.jsonl", EVENTS[0]), "--heartbeat", "10 sec"]) == 0
    assert len(service.heartbeats) >= 2
    assert service.events[0]["id"] == "7"


def test_refusals_are_shown_and_told_by_the_exit_code(
    service: HttpStub, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service.refuses = lambda event: "no such user" if event.get("data") else None
    lines = [{"id": str(number), "type": "login", "time": number, "user": "x"} for number in range(12)]
    assert main(["send", file_of(tmp_path, "a.jsonl", *lines, EVENTS[3])]) == 1
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "tocsin: refused: event 0: no such user (unfit)"
    assert told[9:] == [
        "tocsin: refused: event 9: no such user (unfit)",
        "tocsin: further refusals are counted only",
        "tocsin: 13 lines read: 1 taken, 12 refused",
    ]


def test_nobody_there(service: HttpStub, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    service.stop()
    name = file_of(tmp_path, "a.jsonl", *EVENTS)
    assert main(["send", name, "--wait", "0.01"]) == 1
    told = capsys.readouterr().err
    assert "Connection refused; trying again for 0.01 s" in told
    assert "gave up: no answer" in told
    assert told.endswith("4 lines read: 0 taken, 4 not sent\ntocsin: send them again: what was taken counts once\n")


def test_what_is_not_sent_waits_in_the_buffer(
    service: HttpStub, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service.stop()
    buffer = str(tmp_path / "buffer")
    assert main(["send", file_of(tmp_path, "a.jsonl", *EVENTS), "--wait", "0.01", "--buffer", buffer]) == 1
    assert f"what was not sent waits in {buffer}" in capsys.readouterr().err
    service.start()
    assert main(["send", "--buffer", buffer]) == 0
    assert [each["type"] for each in service.events] == ["login", "login", "logout"]


def test_a_wrong_key_is_told_at_once(service: HttpStub, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["send", "--type", "login", "--key", "tk_wrong"]) == 1
    assert "gave up: HTTP 401 Unauthorized: the key is not known" in capsys.readouterr().err


def test_bad_lines(service: HttpStub, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = file_of(tmp_path, "a.jsonl", EVENTS[0], "rubbish", EVENTS[3])
    assert main(["send", name]) == 1
    assert f"{name}:2:1: not JSON" in capsys.readouterr().err
    assert main(["send", name, "--on-error", "skip", "--quarantine", str(tmp_path / "bad")]) == 0
    assert "1 bad line skipped" in capsys.readouterr().err
    assert json.loads((tmp_path / "bad").read_text())["text"] == "rubbish"
    assert len(service.events) == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "nothing to send: name files of events"),
        (["--type", "login", "bob"], "'bob': with --type, what follows are attributes as user=bob"),
        (["nowhere.jsonl"], "cannot read nowhere.jsonl"),
        (["--type", "x", "--url", "here"], "expected a URL as in http://127.0.0.1:8750"),
        (["--type", "x", "--wait", "soon"], "--wait is 'soon'"),
        (["--type", "x", "--time", "noon"], "time 'noon'"),
        (["a.jsonl", "--quarantine", "bad"], "--quarantine goes with --on-error skip"),
    ],
)
def test_what_makes_no_sense_is_said(
    tmp_path: Path, words: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["send", *words]) == 1
    assert message in capsys.readouterr().err
