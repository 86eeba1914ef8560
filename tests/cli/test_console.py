"""`tocsin console` without a terminal, and `detect --actions`: files and pipes in, lines out."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run

SCRIPT = """\
event a(long n)
event b(long n)
event out(long n)
rule pair { x:a ; y:b ==> notify out(y.n) }
rule soon { x:b + [5*sec] ==> notify out(x.n) }
"""


@pytest.fixture
def script(tmp_path: Path) -> str:
    (tmp_path / "script.gem").write_text(SCRIPT)
    return "script.gem"


def piped(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_commands_and_events_come_by_a_pipe(tocsin: Run, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    piped(
        monkeypatch,
        'enable *\n{"type": "a", "time": 1, "data": {"n": 1}}\n{"type": "b", "time": 2, "data": {"n": 2}}\n',
    )
    done = tocsin("console", script, "--speed", "virtual")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-3:] == [
        "all rules are enabled",
        ">> out [2.0] (2)  <- rule pair, of 1, 2",
        ">> out [7.0] (2)  <- rule soon, of 2",
    ]


def test_the_end_of_a_file_and_of_the_commands_is_what_detect_gives(
    tocsin: Run, script: str, events: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("on.gem").write_text(SCRIPT + "enable *\n")
    piped(monkeypatch, "")
    done = tocsin("console", "on.gem", "--events", events, "--format", "jsonl")
    assert done.records == tocsin("detect", "on.gem", "--events", events).records
    assert len(done.records) == 4
    assert "4 events taken; that was the last" in done.err


def test_a_session_is_recorded(tocsin: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    piped(monkeypatch, "event e\nrule r {\n  e ==> forward e\n}\nenable r\ne [10:30 27/6/95]\nstop\nevent never\n")
    done = tocsin("console", "--speed", "virtual", "--echo")
    assert done.out.splitlines() == [
        "gem> event e",
        "event e is declared",
        "gem> rule r {",
        "...>   e ==> forward e",
        "...> }",
        "rule r is defined",
        "gem> enable r",
        "rule r is enabled",
        "gem> e [10:30 27/6/95]",
        ">> e [10:30 27/Jun/1995]  <- rule r, of e#1",
        "gem> stop",
        "the monitor has stopped; what it held is discarded",
    ]


def test_what_is_refused_is_said_and_the_rest_is_done(tocsin: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    piped(monkeypatch, "event e(\n\nevent fine\n")
    done = tocsin("console", "--speed", "virtual")
    assert done.code == 1
    assert "<console>:1:9: " in done.out
    assert done.out.endswith("event fine is declared\n")


def test_a_bad_script_is_refused_before_anything_runs(tocsin: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("bad.gem").write_text("rule r { e ==> forward e }\n")
    piped(monkeypatch, "event never\n")
    done = tocsin("console", "bad.gem")
    assert done.code == 1
    assert done.err.startswith("bad.gem:1:10: event 'e' is not declared")
    assert done.out == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--speed", "fast"], "--speed fast is for a file of events: --events FILE"),
        (["--speed", "virtual", "--events", "-"], "what comes of itself brings no clock along"),
        (["--events", "nowhere.jsonl"], "cannot read nowhere.jsonl: No such file or directory"),
        (["--order", "sideways"], "'sideways' is not an order"),
        (["--actions", "nowhere.yaml"], "cannot read 'nowhere.yaml'"),
    ],
)
def test_what_cannot_be_asked_for(
    tocsin: Run, monkeypatch: pytest.MonkeyPatch, options: list[str], message: str
) -> None:
    piped(monkeypatch, "")
    done = tocsin("console", *options)
    assert done.code == 1
    assert message in done.err


def test_by_the_wall_clock_an_event_without_a_time_happens_now(
    tocsin: Run, script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    piped(monkeypatch, 'enable pair\n{"type": "a", "data": {"n": 1}}\n{"type": "b", "data": {"n": 2}}\n')
    done = tocsin("console", script, "--format", "jsonl")
    (found,) = done.records
    assert found["type"] == "out"
    assert found["time"] == found["detected"] >= "2020"
    assert "rule pair is enabled" in done.err


WRITE = "import sys; open('written', 'a').write(sys.stdin.read() + sys.argv[1])"


def actions(text: str) -> str:
    words = json.dumps([sys.executable, "-c", WRITE, text])
    Path("actions.yaml").write_text(
        f"at_once: 1\nactions:\n- {{class: out, run: {words}}}\n- {{rule: nobody, run: [x]}}\n"
    )
    return "actions.yaml"


def test_actions_from_the_console(tocsin: Run, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    piped(monkeypatch, "enable pair\na [0:00:01 1/1/70] (1)\nb [0:00:02 1/1/70] (2)\n")
    done = tocsin("console", script, "--speed", "virtual", "--actions", actions("n is {n}"))
    assert done.out.endswith("1 actions done\n")
    line, _, rest = Path("written").read_text().partition("\n")
    assert (json.loads(line)["data"], rest) == ({"n": 2}, "n is 2")


def test_actions_of_detect(tocsin: Run, events: str) -> None:
    Path("on.gem").write_text(SCRIPT + "enable pair\n")
    done = tocsin("detect", "on.gem", "--events", events, "--actions", actions("{n};"))
    assert done.code == 0
    assert done.err.endswith("tocsin: 2 actions done\n")
    lines = Path("written").read_text().replace(";", "\n").split()
    assert [line for line in lines if line.isdigit()] == ["1", "3"]
    assert len(done.records) == 2
