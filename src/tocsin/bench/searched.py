"""Searches that must not cost more the longer a log is: runs of a type, and what has not come, in every language.

Each has a loop of its own, which says what must be found.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from typing import cast

from tocsin.algebra.names import name_leaves
from tocsin.algebra.notes import Notes
from tocsin.algebra.rules import Command, Define, Enable, Program, Rule
from tocsin.bench.columns import Answer, Matches, answer, is_compiled, prepared, run
from tocsin.bench.loops import Match
from tocsin.bench.measurement import best_of_each
from tocsin.bench.records import Record, Target
from tocsin.bench.workloads import Table, checksum, table
from tocsin.errors import Source
from tocsin.events import Detection, Event
from tocsin.languages import core, gem, pretty, sel
from tocsin.runtime.logs import detections
from tocsin.time.periods import SECOND, Period

HOUR = 3600 * SECOND
THRICE = "A*3 in 1 hour"
SIZES = (500, 4_000, 16_000, 64_000)
"""Events that `repeat` is measured at."""
APART = 30_000
"""The rows of a table are about a millisecond apart; these so many times further."""

BEATS, HOSTS = 20_000, 100
USUAL, SILENT, LONGEST = 20 * SECOND, 45 * SECOND, 30 * SECOND
"""How long it is from beat to beat, how long where a host is silent, and from where on that is told."""
HEARTBEATS = {
    "sel": "h:beat -> !(n:beat if n.host == h.host) in 30 seconds",
    "pretty": "beat as h unless (beat as n where n.host == h.host) within 30 seconds",
    "gem": "({h:beat ; t:(g:beat + [30*sec])} ! n:beat) when (?t && h == g) || (?n && n.host == h.host)",
    "core": "([h:beat], [T in {T, beat(host = h.host)}]){T = 30 s}",
}


def repeat(scale: float, tries: int) -> Record:
    """`A*3 in 1 hour` over logs of several lengths: what an event costs in the longest beside the shortest."""
    rule = Rule("repeat", name_leaves(sel.parse(Source(THRICE))), "sel")
    tables = [_beats_of_one(max(8, round(size * scale))) for size in SIZES]
    longest = len(tables[-1])
    contenders: list[Callable[[], Callable[[], object]]] = [
        partial(_again, rule, each, longest // len(each)) for each in tables
    ]
    measured = best_of_each(contenders, tries)
    costs = {
        f"ns at {len(each):,}": seconds / (len(each) * (longest // len(each))) * 1e9
        for each, (seconds, _) in zip(tables, measured, strict=True)
    }
    agrees = True
    for each, (_, found) in zip(tables, measured, strict=True):
        times = each.times.tolist()
        wanted: list[Match] = [(n, n + 1, n + 2) for n in range(len(times) - 2) if times[n + 2] - times[n] <= HOUR]
        mine = answer(cast(Matches, found), each)
        agrees = agrees and mine == Answer(len(wanted), checksum(wanted))
    seconds = measured[-1][0]
    ratio = costs[f"ns at {longest:,}"] / next(iter(costs.values()))
    target = Target(1.3, at_most=True)
    unit = f"x the time an event at {len(tables[0]):,}"
    return Record(
        "repeat", longest, mine.matches, mine.checksum, seconds, ratio, unit, target, agrees, is_compiled(), costs
    )


def _beats_of_one(count: int) -> Table:
    given = table("dense", count)
    return replace(given, times=given.times * APART, letters=given.letters * 0)


def _again(rule: Rule, given: Table, times: int) -> Callable[[], Matches]:
    """A log gone through several times, each time by a network that was made before."""
    networks = [prepared([rule]) for _ in range(times)]

    def work() -> Matches:
        found: Matches = []
        for network in networks:
            found = run(network, given)
        return found

    return work


def heartbeat(scale: float, tries: int) -> Record:
    """A host that is silent for thirty seconds, in four languages: the slowest of them beside the fastest."""
    log = beats(max(10, round(BEATS * scale)))
    programs = {language: _program(language, text) for language, text in HEARTBEATS.items()}
    contenders: list[Callable[[], Callable[[], list[Detection]]]] = [
        partial(_detecting, program, log) for program in programs.values()
    ]
    measured = dict(zip(programs, best_of_each(contenders, tries), strict=True))
    wanted: set[Match] = {(place,) for place in silences(log)}
    found = {language: {tuple(map(int, one.events)) for one in each} for language, (_, each) in measured.items()}
    times = {language: seconds for language, (seconds, _) in measured.items()}
    slowest, fastest = max(times.values()), min(times.values())
    return Record(
        "heartbeat",
        len(log),
        len(wanted),
        checksum(list(wanted)),
        slowest,
        slowest / fastest,
        "x the fastest language",
        Target(3, at_most=True),
        all(each == wanted for each in found.values()),
        is_compiled(),
        {f"s in {language}": seconds for language, seconds in times.items()},
    )


def beats(count: int) -> list[Event]:
    """So many beats of some hosts, of which one in a hundred is followed by silence."""
    random = Random(7)
    due = [random.randrange(USUAL) for _ in range(HOSTS)]
    made: list[Event] = []
    for place in range(count):
        host = min(range(HOSTS), key=due.__getitem__)
        when = due[host]
        made.append(Event("beat", when, when, str(place), data={"host": f"h{host}"}, arrival=when))
        due[host] = when + (SILENT if random.random() < 0.01 else USUAL) + random.randrange(SECOND)
    return made


def silences(log: list[Event]) -> list[int]:
    """The places of the beats after which a host was silent for too long; after the log all are."""
    last: dict[object, int] = {}
    found = []
    for place, event in enumerate(log):
        host = event.data["host"]
        if host in last and event.end > log[last[host]].end + LONGEST:
            found.append(last[host])
        last[host] = place
    return sorted([*found, *last.values()])


def _program(language: str, text: str) -> Program:
    parse = {"sel": sel.parse, "pretty": pretty.parse, "gem": gem.parse, "core": core.parse}[language]
    window = Period.of(microseconds=LONGEST) if language == "gem" else None
    rule = Rule("silent", parse(Source(text)), language, window=window)
    return Program((Define(rule), Command(Enable(rule.name))))


def _detecting(program: Program, log: list[Event]) -> Callable[[], list[Detection]]:
    return lambda: list(detections(program, log, notes=Notes()))
