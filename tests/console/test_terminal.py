"""The console in a real pseudo-terminal: keys, completion, history, firings above the prompt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.console.terminal import END, ENTER, INTERRUPT, TAB, UP, Terminal

pytest.importorskip("prompt_toolkit", reason="pip install 'tocsin[console]'")

SCRIPT = """\
event ping(long n)
event pair(long a, long b)
rule pairs [1*min] { x:ping ; y:ping ==> notify pair(x.n, y.n) }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "script.gem").write_text(SCRIPT)
    (tmp_path / "incoming").mkdir()
    return tmp_path


def send(folder: Path, *numbers: int) -> None:
    """Events that another program writes."""
    with (folder / "incoming" / "pings.jsonl").open("a") as file:
        file.writelines(json.dumps({"type": "ping", "data": {"n": n}}) + "\n" for n in numbers)


def test_firings_are_shown_while_the_prompt_is_there(folder: Path) -> None:
    with Terminal("console", "script.gem", "--events", "incoming", folder=folder) as terminal:
        terminal.until("gem>")
        terminal.enter("enable pairs")
        terminal.until("rule pairs is enabled")
        terminal.type("show ru")  # half a command, when events come
        send(folder, 1, 2)
        terminal.until(">> pair [")
        terminal.until("(1, 2)  <- rule pairs")
        terminal.enter("les")
        terminal.until("pairs  enabled")
        terminal.enter("stop")
        terminal.until("the monitor has stopped")
        assert terminal.ended() == 0


def test_words_and_names_are_completed(folder: Path) -> None:
    with Terminal("console", "script.gem", folder=folder) as terminal:
        terminal.until("gem>")
        terminal.type(f"ena{TAB}")
        terminal.until("ble")  # what is there already may not be drawn again
        terminal.type(f" pa{TAB}")
        terminal.until("irs")
        terminal.type(ENTER)
        terminal.until("rule pairs is enabled")
        terminal.type(f"pi{TAB}")
        terminal.until("ng")
        terminal.enter("(1)")
        terminal.enter("ping(2)")
        terminal.until("(1, 2)  <- rule pairs")
        terminal.type(f'load "scr{TAB}')
        terminal.until("ipt.gem")
        terminal.enter('"')
        terminal.until("event 'ping' is declared twice")


def test_a_rule_over_several_lines_and_a_mistake(folder: Path) -> None:
    with Terminal("console", folder=folder) as terminal:
        terminal.until("gem>")
        terminal.enter("event ping")
        terminal.until("event ping is declared")
        terminal.enter("rule r {")
        terminal.until("...>")
        terminal.enter("  ping ==> forwrad ping")
        terminal.enter("}")
        terminal.until("<console>:2:20: unexpected 'ping'")
        terminal.until("  did you mean 'forward'?")
        terminal.enter("rule r { ping ==> forward ping }")
        terminal.until("rule r is defined")
        terminal.enter("enable r\rping")
        terminal.until(">> ping")


def test_what_was_typed_is_remembered_here_and_in_the_next_session(folder: Path) -> None:
    history = str(folder / "typed")
    with Terminal("console", "--history", history, folder=folder) as terminal:
        terminal.until("gem>")
        terminal.enter("event remembered")
        terminal.until("event remembered is declared")
        terminal.type(UP + ENTER)
        terminal.until("event 'remembered' is declared twice")
        terminal.until("gem>")
        terminal.type(END)
        assert terminal.ended() == 0
    with Terminal("console", "--history", history, folder=folder) as terminal:
        terminal.until("gem>")
        terminal.type(UP + ENTER)
        terminal.until("event remembered is declared")


def test_an_interrupt_gives_up_the_line_and_not_the_session(folder: Path) -> None:
    with Terminal("console", folder=folder) as terminal:
        terminal.until("gem>")
        terminal.type(f"event lost{INTERRUPT}")
        terminal.until("gem>")
        terminal.enter("show events")
        terminal.until("no events are declared")
        terminal.enter("quit")
        assert terminal.ended() == 0


def test_time_goes_by_while_nobody_types(folder: Path) -> None:
    with Terminal("console", folder=folder) as terminal:
        terminal.until("gem>")
        terminal.enter("event ping\revent late\rrule r { ping + [50*msec] ==> notify late }\renable r\rping")
        terminal.until(">> late [")


def test_events_come_by_standard_input_and_commands_from_the_terminal(folder: Path) -> None:
    with Terminal("console", "script.gem", "--events", "-", folder=folder, events=True) as terminal:
        terminal.until("gem>")
        terminal.enter("enable *")
        terminal.until("all rules are enabled")
        assert terminal.process.stdin is not None
        terminal.process.stdin.write(b'{"type": "ping", "data": {"n": 1}}\nping (2)\nping\n')
        terminal.process.stdin.flush()
        terminal.until("(1, 2)  <- rule pairs")
        terminal.until("<stdin>:3:1: ping is declared with 1 attributes, and 0 are given")
        terminal.enter("stop")
        assert terminal.ended() == 0


def test_without_the_library_lines_are_read_plainly_and_it_is_said_how_to_get_it(folder: Path) -> None:
    hidden = folder / "hidden"
    hidden.mkdir()
    (hidden / "prompt_toolkit.py").write_text("raise ImportError('not here')\n")
    with Terminal("console", "script.gem", folder=folder, path=str(hidden)) as terminal:
        terminal.until("pip install 'tocsin[console]'")
        terminal.until("gem>")
        terminal.enter("enable pairs")
        terminal.until("rule pairs is enabled")
        terminal.enter("ping(1)")
        terminal.enter("ping(2)")
        terminal.until("(1, 2)  <- rule pairs")
        terminal.until("gem>")
        terminal.type(END)
        assert terminal.ended() == 0


def test_what_goes_to_a_file_is_firings_alone(folder: Path) -> None:
    found = folder / "found.jsonl"
    with Terminal("console", "script.gem", "--format", "jsonl", folder=folder, output=found) as terminal:
        terminal.until("gem>")
        terminal.enter("enable pairs")
        terminal.until("rule pairs is enabled")
        terminal.enter("ping(1)")
        terminal.enter("ping(2)")
        terminal.enter("stop")
        terminal.until("the monitor has stopped")
        assert terminal.ended() == 0
    (one,) = map(json.loads, found.read_text().splitlines())
    assert (one["type"], one["data"]) == ("pair", {"a": 1, "b": 2})
