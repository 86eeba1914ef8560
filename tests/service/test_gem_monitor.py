"""The GEM monitor beside a service's requests: a function of the log, equal to a monitor of one's own, whatever crashes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amounts import examples
from tocsin.errors import RuleError, UsageError
from tocsin.events import Detection, Event
from tocsin.monitor.monitor import Monitor
from tocsin.rules.options import order_of, window_of
from tocsin.runtime.options import Options
from tocsin.service.core import Core, CoreSettings
from tocsin.service.gem_monitor import GemText
from tocsin.service.records import Kind
from tocsin.service.store.memory import MemoryStore
from tocsin.time.clocks import VirtualClock
from tocsin.time.spans import SECOND

DECLARED = "event a(long k)\nevent b(long k)\nevent out(long k)\n"
PAIR = "rule pair { x:a ; y:b ==> notify out(y.k) }\n"


class Drive:
    """A core over a store in memory, driven step by step; what is asked of it lasts at once."""

    def __init__(self, options: Options = Options(), **more: object) -> None:  # noqa: B008 - frozen
        self.settings = CoreSettings(options, **more)  # type: ignore[arg-type]  # what a test asks for
        self.store = MemoryStore()
        self.core = Core(self.settings)

    def keep(self) -> None:
        while (writes := self.core.pending()) is not None:
            self.store.commit(writes)
            self.core.committed(writes)

    def type(self, text: str, second: float, **scripts: str) -> int:
        position = self.core.command(GemText(text, scripts=scripts), at(second), "operator")
        self.keep()
        return position

    def send(self, kind: str, second: float, k: object = 0, *, time: float | None = None, id: str = "") -> None:
        record = {"type": kind, "time": second if time is None else time, "source": "s", "data": {"k": k}}
        self.core.take(json.dumps(record | ({"id": id} if id else {})).encode(), at(second))
        self.keep()

    def tick(self, second: float) -> bool:
        self.settle()
        rang = self.core.tick(at(second))
        self.keep()
        return rang

    def settle(self) -> None:
        while not self.core.is_idle:
            self.core.work()
        self.keep()

    def crash(self, second: float = 0) -> None:
        """What was not kept is lost, and another core goes on from the store."""
        self.store = self.store.crashed()
        self.core = Core(self.settings)
        self.core.recover(self.store, at(second))

    def save(self, second: float) -> None:
        snapshot = self.core.snapshot(at(second))
        if snapshot is not None:
            self.store.save(snapshot)

    def found(self) -> list[dict[str, object]]:
        self.settle()
        return [json.loads(one.body) for one in self.store.stored]


def at(second: float) -> int:
    return round(second * SECOND)


def shown(found: list[dict[str, object]]) -> list[tuple[object, ...]]:
    return [(one["rule"], one["type"], one["data"]["k"]) for one in found]  # type: ignore[index]  # data is an object


# -- random sessions ---------------------------------------------------------------------------------------------------

WORDS = (
    "rule pair { x:a ; y:b ==> notify out(y.k) }",
    "rule pair [2*sec] { x:a ; y:b when x.k == y.k ==> notify out(x.k); disable }",
    "rule both { x:a & y:b ==> forward x; m(x.k) }",
    "rule soon { x:a + [1*sec] ==> notify out(x.k) }",
    "rule quiet { {x:a ; y:b} ! c ==> notify out(1) }",
    "rule again { x:m ==> notify out(x.k); enable pair }",
    "rule any { x:* ; y:b ==> notify out(y.k) }",
    "rule ticking { every[2*sec] ==> notify out(9) }",
    *("event c(long k)", "event m(long k)", "event n", "~ a", "~ c", "~ m", "~ rule pair", "~ rule both", "~ rule any"),
    *("enable *", "enable *", "enable pair", "disable pair", "enable soon\nenable any", "disable *", "stop"),
    *("a(1)", "b(1)", "m(2)", "a [0:00:05 1/1/1970] (2)", DECLARED),
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("type"), st.sampled_from(WORDS)),
        st.tuples(st.just("send"), st.sampled_from("aabbcm")),
        st.tuples(st.sampled_from(("wait", "tick", "tick", "work", "save", "crash")), st.integers(0, 2)),
    ),
    max_size=25,
)


class Beside:
    """The same words at the same moments for a monitor of one's own."""

    def __init__(self, options: Options) -> None:
        self.options, self.clock = options, VirtualClock()
        self.found: list[Detection] = []
        self._begin()

    def _begin(self) -> None:
        self.monitor = Monitor(self.options, self.clock)
        self.has_begun = False

    def type(self, text: str, second: float) -> None:
        self.clock.advance(at(second))
        self.found += self.monitor.command(text).detections
        self.has_begun = True
        if self.monitor.has_stopped:
            self._begin()

    def take(self, event: Event, second: float) -> None:
        self.clock.advance(at(second))
        if self.has_begun:
            self.found += self.monitor.take(event)

    def tick(self, second: float) -> None:
        self.clock.advance(at(second))
        if self.has_begun:
            self.found += self.monitor.tick()


def refusal(to: Drive | Beside, text: str, second: float) -> str:
    """What is said against a text, if anything."""
    try:
        to.type(text, second)
    except RuleError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("order", ["best-effort", "delay:2 sec"])
@settings(max_examples=examples(40), deadline=None)
@given(steps=STEPS, seed=st.integers(0, 1 << 20), window=st.sampled_from([None, "3 sec"]))
def test_a_session_over_the_service_is_what_a_monitor_makes_of_the_same_words(
    order: str, steps: list[tuple[str, str | int]], seed: int, window: str | None
) -> None:
    options = Options(order=order_of(order), window=None if window is None else window_of(window))
    drive, beside, random = Drive(options), Beside(options), Random(seed)
    for text in (DECLARED, "enable *"):
        drive.type(text, 0)
        beside.type(text, 0)
    second = 0.0
    for number, (step, what) in enumerate(steps):
        match step, what:
            case "type", str(text):
                assert refusal(drive, text, second) == refusal(beside, text, second)
            case "send", str(kind):
                when, k = max(0.0, second - random.choice((0, 0, 0, 2))), random.randint(0, 2)
                drive.send(kind, second, k, time=when, id=str(number))
                beside.take(Event(kind, at(when), at(when), str(number), "s", {"k": k}, at(second)), second)
            case "wait" | "tick", int(more):
                second += more
                if step == "tick" and drive.tick(second):
                    beside.tick(second)
            case "work", _:
                drive.core.work()
            case "save", _:
                drive.save(second)
            case _:
                drive.crash(second)
    told = drive.found()
    assert [(one["rule"], one["type"], one["events"], one["data"]) for one in told] == [
        (one.rule, one.type, list(one.events), one.data) for one in beside.found
    ]
    assert [str(one["id"]).partition("-")[2] for one in told] == [one.id for one in beside.found]
    assert all(one["request"] == "gem" for one in told)


def test_random_sessions_do_detect() -> None:
    """The test above compares something."""
    drive = Drive()
    drive.type(DECLARED + PAIR + "enable *", 1)
    drive.send("a", 2)
    drive.send("b", 3, 7)
    assert shown(drive.found()) == [("pair", "out", 7)]


# -- what outlasts a crash ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_saved", [False, True], ids=["from the log", "from a snapshot"])
def test_after_a_crash_everything_goes_on_with_the_same_ids(is_saved: bool) -> None:
    def session(is_crashing: bool) -> list[dict[str, object]]:
        drive = Drive()
        steps = crashing_session(drive)
        for step in steps:
            drive.settle()
            if is_saved:
                drive.save(step)
            if is_crashing:
                drive.crash(step)
        return [{key: one[key] for key in one if key != "late"} for one in drive.found()]

    found = session(False)
    assert session(True) == found
    assert shown(found) == [("pair", "out", 2), ("soon", "out", 1), ("pair", "out", 4)]


def crashing_session(drive: Drive) -> Iterator[int]:
    drive.type(DECLARED + PAIR, 1)
    yield 1
    drive.type("rule soon { x:a + [5*sec] ==> notify out(x.k) }\nenable *\na(1)", 2)
    yield 2
    drive.send("b", 3, 2)
    yield 3
    assert drive.tick(7)
    yield 7
    drive.type("a(3)\ndisable soon", 8)
    drive.send("b", 9, 4)
    yield 9


def test_what_was_not_kept_was_not_typed() -> None:
    drive = Drive()
    drive.core.command(GemText(DECLARED), at(1))
    drive.crash()
    assert drive.core.monitor.state().events == ()
    drive.type(DECLARED, 2)  # it is not declared twice


def test_a_rule_that_is_due_while_nobody_is_there_fires_at_the_start_and_is_late() -> None:
    drive = Drive()
    drive.type(DECLARED + "rule soon { x:a + [5*sec] ==> notify out(x.k) }\nenable *\na(1)", 2)
    drive.settle()
    drive.crash(60)
    drive.settle()
    assert drive.core.next_due() == at(7)
    assert drive.tick(60)
    (one,) = drive.found()
    assert one["late"] is True


# -- commands ----------------------------------------------------------------------------------------------------------


def test_what_is_wrong_with_a_text_is_said_and_nothing_of_it_is_done() -> None:
    drive = Drive()
    with pytest.raises(RuleError, match="there is no rule 'missing' yet"):
        drive.type("event more\nenable missing", 1)
    drive.keep()
    assert drive.store.log == []
    assert [(each.action, each.outcome, each.actor) for each in drive.store.audit()] == [
        ("monitor.command", "refused", "operator")
    ]
    drive.type("event more", 2)
    assert drive.store.audit()[0].details == "event more"


def test_a_text_is_checked_as_if_all_that_waits_were_done() -> None:
    drive = Drive()
    drive.type(DECLARED, 1)  # not evaluated yet
    with pytest.raises(RuleError, match="event 'a' is declared twice"):
        drive.type("event a", 1)
    drive.type(PAIR + "enable pair", 1)
    drive.crash()
    with pytest.raises(RuleError, match="rule 'pair' is defined twice"):
        drive.type(PAIR, 2)


def test_an_answer_has_the_remarks_and_what_fired_at_once() -> None:
    drive = Drive()
    drive.type(DECLARED + PAIR + "enable pair\na(1)", 1)
    position = drive.type("b(2)\nevent n", 2)
    assert drive.core.told < position
    drive.settle()
    assert drive.core.told == position
    answer = drive.core.commands.answer(position)
    assert answer.remarks == ("event n is declared",)
    assert [(one.rule, one.request, one.number) for one in answer.found] == [("pair", "gem", 1)]


def test_load_takes_scripts_that_came_along_and_no_file() -> None:
    drive = Drive()
    scripts = {"rules/outer.gem": 'load "inner.gem"\nenable pair', "rules/inner.gem": DECLARED + PAIR}
    drive.type('load "rules/outer.gem"', 1, **scripts)
    with pytest.raises(RuleError, match=r"there is no script '/etc/passwd' here: 'rules/outer.gem' or"):
        drive.type('load "/etc/passwd"', 1, **scripts)
    with pytest.raises(RuleError, match=r"rules/inner.gem:1:1: event 'a' is declared twice"):
        drive.type('load "rules/outer.gem"', 1, **scripts)
    drive.crash()
    drive.type("a(1)", 2)
    drive.type("b(2)", 3)
    assert shown(drive.found()) == [("pair", "out", 2)]


def test_stop_ends_the_monitor_and_the_next_text_begins_another() -> None:
    drive = Drive()
    drive.type(DECLARED + PAIR + "enable pair\na(1)", 1)
    drive.type("b(2)\nstop\nevent late", 2)
    drive.settle()
    assert drive.core.monitor.has_stopped
    assert drive.core.monitor.state().events == ()
    drive.type(DECLARED + PAIR + "enable pair\na(1)", 3)
    drive.type("b(2)", 4)
    first, second = drive.found()
    assert first["events"] == second["events"] == ["a#1", "b#2"]
    assert first["id"] != second["id"]


def test_rules_of_requests_are_others_even_of_the_same_name() -> None:
    drive = Drive()
    document = {"name": "pair", "language": "eps", "expression": "a ; b", "window": "1 min"}
    drive.core.create(document, at(0), "operator", "me")
    drive.keep()
    drive.type(DECLARED + PAIR + "enable pair", 1)
    drive.send("a", 2, id="1")
    drive.send("b", 3, id="2")
    mine, monitors = drive.found()
    assert (mine["rule"], mine["request"], monitors["rule"], monitors["request"]) == ("pair", "r1", "pair", "gem")
    assert mine["id"] != monitors["id"]
    assert drive.core.found_counts == {"r1": 1, "gem": 1}
    drive.type("~ rule pair", 4)
    drive.send("a", 5)
    drive.send("b", 6)
    assert [one["request"] for one in drive.found()] == ["r1", "gem", "r1"]


def test_an_event_that_does_not_fit_what_the_monitor_declares_is_none_for_it() -> None:
    drive = Drive()
    drive.type(DECLARED + "rule each { x:a ==> forward x }\nenable each", 1)
    drive.send("a", 2, "seven")
    drive.send("a", 3, 7)
    assert shown(drive.found()) == [("each", "a", 7)]
    assert drive.core.monitor.state().reasons == {"'k' of event 'a' is declared as long": 1}


def test_while_no_rule_is_defined_no_event_is_looked_at() -> None:
    drive = Drive()
    drive.type(DECLARED, 1)
    drive.send("a", 2)
    drive.settle()
    assert drive.core.monitor.state().taken == 0
    drive.type(PAIR, 3)
    drive.send("a", 4)
    drive.settle()
    assert drive.core.monitor.state().taken == 1


def test_many_events_at_once_are_seen_once_each_in_pieces() -> None:
    drive = Drive(slice=7)
    drive.type(DECLARED + "rule each { x:a ==> forward x }\nenable each", 1)
    lines = [json.dumps({"type": "a", "time": 2, "data": {"k": k}}) for k in range(50)]
    drive.core.take("\n".join(lines).encode(), at(2))
    drive.keep()
    assert [k for _, _, k in shown(drive.found())] == list(range(50))


def test_a_monitor_that_breaks_harms_nobody_and_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    drive = Drive()
    document = {"name": "other", "language": "eps", "expression": "a ; b", "window": "1 min"}
    drive.core.create(document, at(0), "operator", "me")
    drive.keep()
    drive.type(DECLARED + PAIR + "enable pair", 1)
    drive.settle()

    def broken(arrivals: object) -> list[Detection]:
        raise ZeroDivisionError("a fault of the engine")

    monkeypatch.setattr(drive.core.monitor._rules, "process", broken)
    drive.send("a", 2)
    drive.send("b", 3)
    assert [one["request"] for one in drive.found()] == ["r1"]
    assert drive.core.monitor.failure.startswith("the monitor broke at entry 3: ZeroDivisionError")
    drive.type(DECLARED + PAIR + "enable pair", 4)
    drive.settle()
    assert drive.core.monitor.failure == ""
    assert [each.enabled for each in drive.core.monitor.state().rules] == [True]


def test_too_many_rules_are_refused() -> None:
    drive = Drive(most_requests_each=2)
    drive.type(DECLARED + PAIR + "rule more { x:a ==> forward x }", 1)
    with pytest.raises(UsageError, match="the monitor has 2 rules at most"):
        drive.type("rule most { x:a ==> forward x }", 1)


def test_commands_stand_in_the_log_as_they_were_typed() -> None:
    drive = Drive()
    drive.type("event a // the first\n", 1)
    (entry,) = drive.store.log
    assert (entry.kind, entry.actor, json.loads(entry.body)["text"]) == (
        Kind.COMMAND,
        "operator",
        "event a // the first\n",
    )
