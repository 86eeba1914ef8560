"""The monitor as a service: every command of 003 section 3 while it runs, and random sessions against the plain meaning."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tocsin.algebra.replay import replay
from tocsin.algebra.rules import Program, Raise, Typed
from tocsin.errors import EventError, RuleError, UsageError
from tocsin.events import Arrival, Detection, Event, Heartbeat
from tocsin.monitor.monitor import Monitor
from tocsin.rules.loader import load_text
from tocsin.rules.options import order_of, window_of
from tocsin.runtime.options import Options, completed
from tocsin.time.clocks import VirtualClock
from tocsin.time.spans import SECOND

DECLARED = "event a(long k)\nevent b(long k)\nevent out(long k)\n"
PAIR = "rule pair { x:a ; y:b ==> notify out(y.k) }\n"


def at(second: float) -> int:
    return round(second * SECOND)


def event(kind: str, second: float, k: int = 0) -> Event:
    return Event(kind, at(second), at(second), f"{kind}{second:g}", "s", {"k": k}, at(second))


def started(text: str = "", **options: object) -> tuple[Monitor, VirtualClock]:
    """A monitor at ten seconds of a clock that the test moves."""
    clock = VirtualClock(at(10))
    monitor = Monitor(Options(**options), clock)  # type: ignore[arg-type]  # what a test asks for
    monitor.command(DECLARED + text)
    return monitor, clock


def told(found: list[Detection] | tuple[Detection, ...]) -> list[tuple[str, str, float, object]]:
    return [(one.rule, one.type, one.time_us / SECOND, one.data.get("k")) for one in found]


# -- random sessions ---------------------------------------------------------------------------------------------------

POOL = (
    "rule pair { x:a ; y:b ==> notify out(y.k) }",
    "rule pair [2*sec] { x:a ; y:b when x.k == y.k ==> notify out(x.k); disable }",
    "rule both { x:a & y:b ==> forward x; m(x.k) }",
    "rule soon { x:a + [1*sec] ==> notify out(x.k) }",
    "rule quiet { {x:a ; y:b} ! c ==> notify out(1) }",
    "rule again { x:m ==> notify out(x.k); enable pair }",
    "rule any { x:* ; y:b ==> notify out(y.k) }",
    "rule ticking { every[2*sec] ==> notify out(9) }",
    "rule used { x:a ; pair ==> notify out(x.k) }",
    *("event a(long k)", "event b(long k)", "event c(long k)", "event m(long k)", "event out(long k)", "event n"),
    *("~ a", "~ c", "~ m", "~ n", "~ rule pair", "~ rule both", "~ rule soon", "~ rule any", "~ rule again"),
    *("enable *", "enable *", "enable pair", "disable pair", "enable soon\nenable any", "disable *"),
    *("a(1)", "b(1)", 'c "s" (0)', "m(2)", "a [0:00:05 1/1/1970] (2)", "b [0:00:03.500 1/1/1970] (1)"),
)


def session(seed: int) -> tuple[Random, list[Arrival | str]]:
    """Events and words in between, as they happen to come."""
    random = Random(seed)
    first = "\n".join(text for text in POOL if text.startswith("event") and random.random() < 0.9)
    made: list[Arrival | str] = [first, *random.sample(POOL, 4), "enable *"]
    second = 0
    for number in range(random.randint(3, 12)):
        second += random.choice((0, 0, 1, 1, 2))
        when = max(0, second - random.choice((0, 0, 0, 2)))
        data = {"k": random.randint(0, 2)}
        made.append(Event(random.choice("aabbcm"), at(when), at(when), str(number), "s", data, at(second)))
        if random.random() < 0.1:
            made.append(Heartbeat("s", at(second), at(second)))
        while random.random() < 0.45:
            made.append("\n".join(random.sample(POOL, random.choice((1, 1, 1, 2)))))
        if random.random() < 0.02:
            made.append("stop")
    return random, made


@pytest.mark.parametrize("order", ["best-effort", "delay:2 sec", "guaranteed"])
@pytest.mark.parametrize("with_clock", [False, True], ids=["virtual", "by a clock"])
def test_a_session_is_what_replay_makes_of_the_same_words_at_the_same_moments(order: str, with_clock: bool) -> None:
    detected = refused = accepted = 0
    for seed in range(120):
        _, made = session(seed)
        options = Options(order=order_of(order), window=window_of("3 sec") if seed % 3 == 0 else None)
        clock = VirtualClock() if with_clock else None
        monitor = Monitor(options, clock, sources=["s"])
        log: list[Arrival | Typed] = []
        found: list[Detection] = []
        latest = 0
        for each in made:
            if not isinstance(each, str):
                if clock is not None:
                    clock.advance(each.arrival)
                latest = max(latest, each.arrival)
                log.append(replace(each, arrival=latest))  # an arrival below the last counts as the last
                found += monitor.take(each)
                continue
            try:
                reply = monitor.command(each)
            except RuleError:
                refused += 1
                continue
            except UsageError:
                assert monitor.has_stopped
                break
            accepted += 1
            found += reply.detections
            for statement in completed(load_text(each), options).statements:
                time = statement.time if isinstance(statement, Raise) else None
                moment = clock.now() if clock is not None else None if time is None else max(latest, time.instant())
                latest = max(latest, moment or 0)
                log.append(Typed((statement,), moment))
        found += monitor.finish()
        sources = [Heartbeat("s", -1, -1)] if order == "guaranteed" else []
        should = list(replay(Program(), [*log, *sources], order=options.order))
        assert list(map(repr, found)) == list(map(repr, should)), (seed, made)
        assert monitor.counts.reported.total() == len(should)
        detected += len(found)
    assert min(detected, refused, accepted) > 50


# -- the commands, one at a time (003 section 3) -----------------------------------------------------------------------


def test_an_event_is_declared_and_used_from_then_on() -> None:
    monitor, _ = started()
    with pytest.raises(RuleError, match="event 'late' is not declared"):
        monitor.command("rule r { late ==> forward late }")
    reply = monitor.command("event late(string why)")
    assert reply.remarks == ("event late is declared",)
    monitor.command("rule r { late ==> forward late }\nenable r")
    assert told(monitor.line('{"type": "late", "data": {"why": "rain"}}')) == [("r", "late", 10, None)]


def test_a_rule_starts_disabled_and_keeps_its_half_matches_while_others_change() -> None:
    monitor, clock = started(PAIR)
    assert not monitor.is_enabled("pair")
    assert monitor.take(event("a", 1)) == monitor.take(event("b", 2)) == []
    monitor.command("enable pair")
    monitor.take(event("a", 11))
    monitor.command("rule other { x:a ; y:b ==> forward y }\nenable other\nevent unused\n~ unused")
    clock.advance(at(12))
    assert told(monitor.take(event("b", 12, 5))) == [("pair", "out", 12, 5)]


def test_disabling_discards_what_a_rule_holds() -> None:
    monitor, _ = started(PAIR + "enable *")
    monitor.take(event("a", 11))
    assert monitor.command("disable *").remarks == ("all rules are disabled",)
    monitor.command("enable pair")
    assert monitor.take(event("b", 12)) == []


def test_a_trigger_is_an_event_of_the_monitor_at_the_time_of_its_clock() -> None:
    monitor, clock = started(PAIR + "enable pair")
    assert monitor.command("a(1)").detections == ()
    clock.advance(at(12))
    (one,) = monitor.command("b(2)").detections
    assert (one.start_us, one.time_us, one.detected_us, one.events) == (at(10), at(12), at(12), ("a#1", "b#2"))


def test_a_trigger_may_say_where_and_when_it_was() -> None:
    monitor, _ = started('rule r { x:a when $x == "s10" ==> forward x }\nenable r')
    (one,) = monitor.command('a "s10" [0:00:07 1/1/1970] (1)').detections
    assert (one.source, one.time_us, one.detected_us) == ("s10", at(7), at(10))


def test_a_trigger_must_match_the_declaration() -> None:
    monitor, _ = started(PAIR)
    with pytest.raises(RuleError) as caught:
        monitor.command('a("three")')
    assert str(caught.value) == (
        "<console>:1:3: 'k' of event 'a' is a long, and this is a string\n  a(\"three\")\n    ^^^^^^^\n".rstrip()
    )


def test_a_command_is_done_as_a_whole_or_not_at_all() -> None:
    monitor, _ = started()
    with pytest.raises(RuleError, match="there is no rule 'missing' yet"):
        monitor.command("event more\nenable missing")
    assert "more" not in monitor.declared


def test_a_class_that_rules_refer_to_stays_with_a_message_each_time() -> None:
    monitor, _ = started(PAIR)
    for _ in range(2):
        assert monitor.command("~ a").remarks == ("event 'a' is not removed: rule pair refers to it",)
    monitor.command("~ rule pair")
    assert monitor.command("~ a").remarks == ("event a is removed",)
    assert list(monitor.declared) == ["b", "out"]


def test_a_removed_rule_is_gone_and_can_be_defined_anew() -> None:
    monitor, _ = started(PAIR + "enable pair")
    monitor.take(event("a", 11))
    monitor.command("~ rule pair")
    assert monitor.take(event("b", 12)) == []
    monitor.command("rule pair { y:b ==> notify out(7) }\nenable pair")
    assert told(monitor.take(event("b", 13))) == [("pair", "out", 13, 7)]


def test_load_does_the_commands_of_a_file_and_of_those_it_loads(tmp_path: Path) -> None:
    (tmp_path / "inner.gem").write_text(PAIR)
    (tmp_path / "outer.gem").write_text('load "inner.gem"\nenable pair\na(1)\n')
    monitor, _ = started()
    reply = monitor.command(f'load "{tmp_path / "outer.gem"}"')
    assert reply.remarks[:2] == ("rule pair is defined", "rule pair is enabled")
    assert told(monitor.command("b(2)").detections) == []  # at the same time is not after
    with pytest.raises(RuleError, match=r"cannot read 'nowhere\.gem'"):
        monitor.command('load "nowhere.gem"')


def test_load_takes_rules_of_other_languages_by_their_extension(tmp_path: Path) -> None:
    text = "rules:\n- {name: close, language: sel, expression: 'x:a -> y:b in 5 seconds'}\n"
    (tmp_path / "rules.yaml").write_text(text)
    monitor, clock = started()
    monitor.command(f'load "{tmp_path / "rules.yaml"}"')
    monitor.take(event("a", 11))
    clock.advance(at(12))
    assert told(monitor.take(event("b", 12))) == [("close", "close", 12, None)]


def test_a_mistake_in_a_loaded_file_is_shown_there_and_nothing_is_done(tmp_path: Path) -> None:
    (tmp_path / "bad.gem").write_text("event fine\nrule r { fine => forward fine }\n")
    monitor, _ = started()
    with pytest.raises(RuleError, match=r"bad.gem:2:15: "):
        monitor.command(f'load "{tmp_path / "bad.gem"}"')
    assert "fine" not in monitor.declared


def test_stop_halts_the_monitor_and_discards_everything() -> None:
    monitor, _ = started(PAIR + "enable pair")
    monitor.take(event("a", 11))
    monitor.command("stop\nenable pair")
    assert monitor.has_stopped
    assert monitor.take(event("b", 12)) == monitor.finish() == []
    assert monitor.next_due() is None
    with pytest.raises(UsageError, match="the monitor has stopped"):
        monitor.command("enable pair")


def test_actions_of_all_kinds_while_running() -> None:
    monitor, _ = started(
        """
        rule one { x:a ==> notify out(1); forward x; b(2); disable; enable two }
        rule two { x:b ==> notify out(x.k) }
        enable one
        """
    )
    assert told(monitor.take(event("a", 10, 4))) == [("one", "out", 10, 1), ("one", "a", 10, 4), ("two", "out", 10, 2)]
    assert told(monitor.take(event("a", 10, 4))) == []


# -- events and time ---------------------------------------------------------------------------------------------------


def test_a_report_without_a_time_occurred_when_it_came() -> None:
    monitor, clock = started("rule r { x:a ==> forward x }\nenable r")
    clock.advance(at(20))
    assert told(monitor.line("a (3)")) == [("r", "a", 20, 3)]
    assert told(monitor.line('{"type": "a", "data": {"k": 4}, "time": 15}')) == [("r", "a", 15, 4)]


def test_a_bad_event_says_what_and_where_and_the_rest_goes_on() -> None:
    monitor, _ = started("rule r { x:a ==> forward x }\nenable r")
    with pytest.raises(EventError, match="pipe:7:1: 'k' of event 'a' is declared as long"):
        monitor.line(json.dumps({"type": "a", "data": {"k": "x"}}), "pipe", 7)
    assert monitor.counts.refused == 1
    assert told(monitor.line("a (3)")) == [("r", "a", 10, 3)]


def test_time_alone_lets_a_rule_fire() -> None:
    monitor, clock = started("rule soon { x:a + [5*sec] ==> notify out(x.k) }\nenable soon\na(8)")
    assert monitor.next_due() == at(15)
    clock.advance(at(14))
    assert monitor.tick() == []
    clock.advance(at(15))
    assert told(monitor.tick()) == [("soon", "out", 15, 8)]


def test_whoever_keeps_time_is_woken_by_what_is_typed_and_by_the_end() -> None:
    monitor, clock = started()
    fired = threading.Event()
    monitor.listeners.append(lambda _: fired.set())
    is_over = threading.Event()

    def keep_time() -> None:
        while not is_over.is_set():
            monitor.wait()
            monitor.tick()

    keeper = threading.Thread(target=keep_time)
    keeper.start()
    clock.advance(at(20))
    monitor.command("rule soon { x:a + [1*sec] ==> notify out(x.k) }\nenable soon\na [0:00:15 1/1/1970] (8)\na(1)")
    clock.advance(at(21))
    monitor.command("")  # whatever is typed: the clock is looked at again
    assert fired.wait(60)
    is_over.set()
    monitor.close()
    keeper.join(60)
    assert not keeper.is_alive()


def test_without_a_clock_a_report_with_a_time_starts_and_moves_it() -> None:
    monitor = Monitor()
    reply = monitor.command(DECLARED + "rule soon { x:a + [5*sec] ==> notify out(x.k) }\nenable soon\na(1)")
    assert "the clock has not started yet" in reply.remarks[-1]
    assert monitor.now is None
    monitor.command("a [0:00:20 1/1/1970] (2)")
    assert monitor.now == at(20)
    found = monitor.command("b [0:00:26 1/1/1970] (0)").detections
    assert told(found) == [("soon", "out", 25, 1), ("soon", "out", 25, 2)]
    assert monitor.advance(at(30)) == []
    assert monitor.now == at(30)


def test_an_event_that_comes_twice_counts_once() -> None:
    monitor, _ = started("rule r { x:a ==> forward x }\nenable r")
    line = '{"id": "7", "type": "a", "time": 9, "data": {"k": 1}}'
    assert len(monitor.line(line)) == 1
    assert monitor.line(line) == []


def test_a_rule_with_an_order_of_its_own_is_refused(tmp_path: Path) -> None:
    text = "rules:\n- {name: r, language: eps, expression: a ; b, order: guaranteed}\n"
    (tmp_path / "rules.yaml").write_text(text)
    with pytest.raises(RuleError, match="rule 'r' asks for an order of its own"):
        Monitor().command(f'load "{tmp_path / "rules.yaml"}"')


def test_listeners_hear_every_detection_in_order_from_many_threads() -> None:
    monitor, _ = started("rule r { x:a ==> forward x }\nenable r")
    heard: list[Detection] = []
    monitor.listeners.append(heard.append)

    def push(source: int) -> None:
        for number in range(50):
            monitor.line(json.dumps({"type": "a", "source": str(source), "data": {"k": number}}))
            monitor.command(f"event only_{source}_{number}")

    threads = [threading.Thread(target=push, args=(source,)) for source in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    by_source = {str(s): [one.data["k"] for one in heard if one.source == str(s)] for s in range(4)}
    assert by_source == {str(s): list(range(50)) for s in range(4)}
    assert len(monitor.declared) == 3 + 200


def test_a_listener_waits_for_others_who_drive_the_monitor() -> None:
    """Nothing is locked while it is told: a thread that the listener waits for gets its turn."""
    monitor, _ = started(PAIR + "enable pair\n")
    seen: list[bool] = []

    def listen(_: Detection) -> None:
        other = threading.Thread(target=lambda: seen.append(monitor.is_enabled("pair")))
        other.start()
        other.join(timeout=60)

    monitor.listeners.append(listen)
    monitor.take(event("a", 11))
    monitor.take(event("b", 12))
    assert seen == [True]


def test_what_a_listener_sets_off_is_told_after_what_it_was_told() -> None:
    monitor, _ = started(PAIR + "enable pair\n")
    heard: list[tuple[str, float]] = []

    def listen(one: Detection) -> None:
        if len(heard) == 0:
            monitor.take(event("a", 13))
            monitor.take(event("b", 14))
        heard.append((one.rule, one.time_us / SECOND))

    monitor.listeners.append(listen)
    monitor.take(event("a", 11))
    monitor.take(event("b", 12))
    assert heard == [("pair", 12), ("pair", 14)]
