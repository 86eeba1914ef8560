"""What comes of a line at the console, wherever lines come from; completion; events that come meanwhile."""

from __future__ import annotations

import json
import threading
from contextlib import closing
from pathlib import Path

import pytest

from tests.console.talking import SCRIPT, Talk
from tocsin.algebra import interpreter as interpreting
from tocsin.console import feeds
from tocsin.console.feeds import Feed, Tail
from tocsin.console.plain import commands
from tocsin.console.words import GEM, OWN, completions, help_lines
from tocsin.errors import UsageError
from tocsin.events import Event
from tocsin.languages.gem_scripts import is_unfinished
from tocsin.monitor.monitor import Monitor
from tocsin.time.clocks import VirtualClock
from tocsin.time.spans import SECOND

# -- lines -------------------------------------------------------------------------------------------------------------


def test_a_firing_is_shown_as_the_report_of_an_event() -> None:
    talk = Talk(SCRIPT)
    assert talk("enable pairs") == ["rule pairs is enabled"]
    assert talk("ping [10:30 27/6/95] (1)") == []
    assert talk("ping [10:30:05.250 27/6/95] (2)") == [
        ">> pair [10:30:05.250 27/Jun/1995] (1, 2)  <- rule pairs, of ping#1, ping#2"
    ]


def test_an_event_may_be_typed_as_in_a_file() -> None:
    talk = Talk(SCRIPT + "rule each { x:ping ==> forward x }\nenable each")
    assert talk('{"id": "7", "type": "ping", "source": "s 1", "time": 2.5, "data": {"n": 4}}') == [
        '>> ping "s 1" [2.5] (4)  <- rule each, of 7'
    ]
    assert talk('{"type": "ping", "time": 3}') == [
        "<console>:2:1: event 'ping' has no attribute 'n', which is declared as long",
        '  {"type": "ping", "time": 3}',
        "  ^",
    ]


def test_what_an_event_carries_cannot_command_the_terminal() -> None:
    talk = Talk("event note(string text)\nrule r { x:note ==> forward x }\nenable r")
    (line,) = talk(json.dumps({"type": "note", "time": 1, "data": {"text": "\x1b[2J\x07"}, "source": "\x9b2J"}))
    assert line.isprintable()
    assert "\\u001b[2J" in line


def test_a_line_that_is_refused_does_not_end_the_session() -> None:
    talk = Talk()
    assert talk("event e(lon g)") == [
        "<console>:1:9: unexpected 'lon'",
        "  event e(lon g)",
        "          ^^^",
        "  expected ')', 'char', 'long', 'double', 'string', 'time' or 'itime'",
        "  did you mean 'long'?",
    ]
    assert talk.goes_on
    assert talk.console.refused == 1


def test_stop_and_quit_end_it() -> None:
    for word in ("stop", "quit"):
        talk = Talk()
        talk(word)
        assert not talk.goes_on


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("advance [90*sec]", ["it is 10:31:30 27/Jun/1995"]),
        ("advance to [11:00 27/6/95]", ["it is 11:00 27/Jun/1995"]),
        ("advance to [11:00]", ["tocsin: a partial time point is not one time: name the day, the month and the year"]),
        ("advance", ["tocsin: advance by a period or to a time: advance [5*sec], advance to [10:30 27/6/95]"]),
        ("advance [5*lightyears]", ["<console>:1:12: unknown unit of time 'lightyears'"]),
        ("next", ["tocsin: there is no file to take events from: --events FILE --speed virtual"]),
    ],
)
def test_time_passes_when_it_is_told_to(line: str, said: list[str]) -> None:
    talk = Talk(SCRIPT + "ping [10:30 27/6/95] (1)")
    assert talk(line)[:1] == said


def test_a_clock_that_goes_by_itself_is_not_moved() -> None:
    talk = Talk(clock=VirtualClock(5))
    assert talk("advance [5*sec]") == ["tocsin: this clock goes by itself: 'advance' is for --speed virtual and fast"]


def test_reports() -> None:
    talk = Talk(SCRIPT)
    assert talk("show rules") == ["rule             seen  held  reports", "pairs  disabled     -     -        0"]
    assert talk("show firings") == ["nothing has fired yet"]
    assert talk("show clock") == ["the clock has not started yet"]
    assert talk("show rule pairs")[-1] == "disabled: it sees no events and holds none"
    talk("enable *\nping [10:30 27/6/95] (1)\nping [10:31 27/6/95] (2)")
    assert talk("show rules") == ["rule            seen  held  reports", "pairs  enabled     2     2        1"]
    assert talk("show events") == [
        "event                 taken",
        "ping(long n)              2",
        "pair(long a, long b)      0",
    ]
    assert talk("show event ping") == ["event ping(long n)", "2 taken"]
    shown = talk("show rule pairs")
    assert shown[:4] == ["rule pairs [1*min] {", "  x:ping ; y:ping", "  ==> notify pair(x.n, y.n)", "}"]
    assert shown[4:] == [
        "enabled; 2 seen, 0 late, 2 held, 0 refused",
        "  pair [10:31 27/Jun/1995] (1, 2)  <- rule pairs, of ping#1, ping#2",
    ]
    assert talk("show firings") == ["pair [10:31 27/Jun/1995] (1, 2)  <- rule pairs, of ping#1, ping#2"]
    assert talk("show clock") == ["10:31 27/Jun/1995"]
    assert talk("show statistics") == ["2 events taken, 1 reports made, 2 rows held"]
    assert talk("show rule pirs") == ["tocsin: there is no rule 'pirs': did you mean 'pairs'?"]
    assert talk("show rulez")[0].endswith("; did you mean 'rule'?")


def test_a_declared_class_hides_a_word_that_stands_alone() -> None:
    talk = Talk("event help\nevent show(long n)\nrule r { x:help | y:show ==> notify help }\nenable r")
    talk('{"type": "other", "time": 1}')
    assert talk("help") == [">> help [1.0]  <- rule r, of help#1"]
    assert talk("show (3)") == [">> help [1.0]  <- rule r, of show#2"]
    assert talk("show clock") == ["1.0"]


def test_what_happens_without_a_command_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreting, "MOST_TRIGGERS", 3)
    talk = Talk("event a\nevent b\nrule r { a ==> b }\nrule q { b ==> a }\nenable *", clock=VirtualClock(1))
    talk.monitor.line("a")
    assert talk.heard() == ["warning: rules that trigger each other were cut after 3 events, at 'a'"]
    talk.monitor.line("a")
    assert talk.heard() == []


def test_help_names_everything() -> None:
    text = "\n".join(help_lines())
    assert all(word.form in text and word.meaning in text for word in (*GEM, *OWN))


# -- commands over several lines ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("event e", False),
        ("rule r {", True),
        ("rule r { e ==>\n  notify e", True),
        ("rule r { e ==> notify e }", False),
        ("enable \\", True),
        ("/* a remark", True),
        ("/* { */ event e", False),
        ("event e // {", False),
        ('load "{"', False),
    ],
)
def test_a_command_goes_on_inside_brackets_and_comments(text: str, meant: bool) -> None:
    assert is_unfinished(text) is meant


def test_lines_become_commands_and_an_empty_line_ends_one() -> None:
    lines = ["event e\n", "rule r {\n", " e ==> forward e\n", "}\n", '{"a": [\n', "rule q {\n", "\n", "stop"]
    assert list(commands(lines)) == [
        "event e",
        "rule r {\n e ==> forward e\n}",
        '{"a": [',
        "rule q {\n",
        "stop",
    ]


# -- completion --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("en", ["enable"]),
        ("e", ["enable", "event"]),
        ("p", ["pair", "ping"]),
        ("enable ", ["*", "pairs"]),
        ("disable p", ["pairs"]),
        ("~ ", ["pair", "ping", "rule"]),
        ("~ rule ", ["pairs"]),
        ("~rule p", ["pairs"]),
        ("show ", ["clock", "event", "events", "firings", "rule", "rules", "statistics"]),
        ("show rule ", ["pairs"]),
        ("show event ", ["pair", "ping"]),
        ("event e(", ["char", "double", "itime", "long", "string", "time"]),
        ("event e(long a, d", ["double"]),
        ("rule r { pi", ["ping"]),
        ("rule r { ping w", ["when"]),
        ("rule r { ping ==> n", ["notify"]),
        ("rule r { ping ==> notify p", ["pair", "ping"]),
        ("rule r { ping ==> forward ping; enable ", ["pairs"]),
        ("rule r { ping ==> forward ping; di", ["disable"]),
        ("event e\nrule r {\n  pi", ["ping"]),
        ("nothing like it", []),
    ],
)
def test_completion(text: str, meant: list[str]) -> None:
    assert completions(text, Talk(SCRIPT).monitor) == meant


def test_file_names_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "one.gem").touch()
    monitor = Monitor()
    assert completions('load "ru', monitor) == ["rules/"]
    assert completions('load "rules/', monitor) == ["rules/one.gem"]


# -- events that come meanwhile ----------------------------------------------------------------------------------------


def written(path: Path, *numbers: float) -> str:
    path.write_text("".join(json.dumps({"type": "ping", "time": n, "data": {"n": int(n)}}) + "\n" for n in numbers))
    return str(path)


def test_events_of_a_file_are_taken_when_they_are_asked_for(tmp_path: Path) -> None:
    with closing(Talk(SCRIPT + "enable pairs", events=written(tmp_path / "e.jsonl", 1, 2, 3))) as talk:
        assert talk("next") == []
        assert talk("next 1") == [">> pair [2.0] (1, 2)  <- rule pairs, of 1, 2"]
        assert talk("next x") == ["tocsin: 'x' is no number of events: next, next 5 or next all"]
        assert talk("next all") == ["1 event taken; that was the last"]
        assert talk("next") == ["0 events taken; that was the last"]


def test_a_bad_event_of_a_file_is_said_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "e.jsonl"
    path.write_text('{"type": "ping", "time": 1, "data": {"n": "x"}}\n{"type": "ping", "time": 1, "data": {"n": 3}}\n')
    with closing(Talk(SCRIPT, events=str(path))) as talk:
        said = talk("next")
        assert said[0] == f"{path}:1:1: 'n' of event 'ping' is declared as long"
        assert talk.monitor.counts.taken == {"ping": 1}


def test_what_is_declared_later_holds_for_events_that_are_read_later(tmp_path: Path) -> None:
    path = tmp_path / "e.report"
    path.write_text("ping [0:01 1/1/70] (1)\nping [0:02 1/1/70] (2)\n")
    with closing(Talk("rule r { x:* ==> forward x }\nenable r", events=str(path))) as talk:
        assert talk("next") == []
        talk("event ping(long n)")
        assert talk("next") == [">> ping [00:02 1/Jan/1970] (2)  <- rule r, of 2"]


class Steps:
    """A clock that moves on when somebody waits for it: played back, a file takes no time at all."""

    def __init__(self, start: int) -> None:
        self.time = start
        self.waited: list[float] = []

    def now(self) -> int:
        return self.time

    def is_set(self) -> bool:
        return False

    def wait(self, seconds: float) -> bool:
        self.waited.append(seconds)
        self.time += round(seconds * SECOND)
        return False


def test_a_file_is_played_back_at_its_own_pace(tmp_path: Path) -> None:
    clock = Steps(1 * SECOND)
    monitor = Monitor(clock=clock)
    said: list[str] = []
    feed = Feed([written(tmp_path / "e.jsonl", 1, 2.5, 7)], monitor, said.append)
    first = feed.first()
    assert isinstance(first, Event)
    assert first.arrival == SECOND
    feed.play(clock, clock)  # type: ignore[arg-type]  # it waits as an event of the threads would
    assert clock.waited == [1.5, 4.5]
    assert monitor.counts.taken == {"ping": 3}
    assert said == [f"{tmp_path / 'e.jsonl'}: 3 events taken; that was the last"]


def test_a_directory_is_followed_line_by_line(tmp_path: Path) -> None:
    talk = Talk(SCRIPT + "enable pairs")
    tail = Tail(tmp_path, talk.monitor, talk.said.append)
    written(tmp_path / "b.jsonl", 2)
    written(tmp_path / "a.jsonl", 1)
    (tmp_path / "notes.md").write_text("nothing\n")
    assert tail.glance() == 2
    assert talk.heard() == [">> pair [2.0] (1, 2)  <- rule pairs, of 1, 2"]
    with (tmp_path / "a.jsonl").open("a") as file:
        file.write('{"type": "ping", "time": 3, "da')
        file.flush()
        assert tail.glance() == 0, "half a line is none"
        file.write('ta": {"n": 3}}\n{nonsense\n')
    assert tail.glance() == 2
    assert (
        talk.heard()[-3] == f"{tmp_path / 'a.jsonl'}:3:2: not JSON: Expecting property name enclosed in double quotes"
    )
    written(tmp_path / "a.jsonl", 4)
    assert tail.glance() == 1, "a file that was begun anew"


def test_events_and_commands_from_many_threads_are_done_one_after_the_other() -> None:
    talk = Talk(SCRIPT + "enable pairs", clock=VirtualClock(0))
    stopping = threading.Event()
    lines = [json.dumps({"type": "ping", "data": {"n": n}}) for n in range(100)]
    reader = threading.Thread(target=feeds.take_lines, args=(lines, "pipe", talk.monitor, talk.said.append, stopping))
    reader.start()
    for number in range(50):
        talk.console.enter(f"event e{number}")
    reader.join()
    assert talk.monitor.counts.taken["ping"] == 100
    assert len(talk.monitor.declared) == 52


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(UsageError, match=r"cannot read nowhere\.jsonl: No such file or directory"):
        Feed(["nowhere.jsonl"], Monitor(), print)
