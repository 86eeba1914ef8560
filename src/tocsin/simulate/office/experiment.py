"""`tocsin simulate office`: figures 8 and 9 of 001, with both solutions on the real site code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from tocsin.draw.plot import Series, draw_lines
from tocsin.simulate.networks import SIGNS, Carried
from tocsin.simulate.office.people import PEOPLE, ROOMS
from tocsin.simulate.office.solutions import DISTRIBUTED, PRIMITIVE, Outcome, Setting, outcome
from tocsin.simulate.reports import Report, Say, Table, percent, quantile, rounded

SUBSCRIBERS: Final = (1, 2, 4, 6, 10, 20)
FIRST_SCENARIO: Final = (1, 6)
MINUTES: Final = 120
DAY: Final = 24 * 60
DAY_SUBSCRIBERS: Final = 6
PAPER: Final = {"subscribers": 6, "total": 0.53, "wireless": 0.08, "delay_ms": 220.0}
"""001 section 7.1."""
NEEDED: Final = ("events", "detections", "reports", "births")
"""What the primitive solution cannot do without: events on their way, and the reports that they have come."""
CAUSED: Final = (*NEEDED, "questions", "deploying")
"""Everything but signs of life: how often they come is a setting."""


@dataclass(frozen=True)
class Pair:
    """Both solutions for so many subscribers."""

    primitive: Outcome
    distributed: Outcome

    @property
    def is_right(self) -> bool:
        """Whether every subscriber was told by either what one engine finds."""
        return _is_right(self.primitive) and _is_right(self.distributed)


def office(seed: int = 1, scale: float = 1.0, say: Say = lambda text: None) -> Report:
    """Both scenarios, for 1 to 20 subscribers; and a day of the distributed solution."""
    minutes = max(1, round(MINUTES * scale))
    second = _pairs(2, SUBSCRIBERS, minutes, seed, say)
    first = _pairs(1, FIRST_SCENARIO, minutes, seed, say)
    say("a day with six subscribers")
    day = outcome(DISTRIBUTED, Setting(DAY_SUBSCRIBERS, 2, max(1, round(DAY * scale)), seed))
    record = {
        "simulation": "office",
        "seed": seed,
        "minutes": minutes,
        "subscribers": [_record(pair) for pair in second],
        "scenario_1": [_record(pair) for pair in first],
        "day": _day_record(day),
        "paper": PAPER,
    }
    return Report(
        f"The Active Office: {len(ROOMS)} rooms, {len(PEOPLE)} people, {minutes} minutes, seed {seed}",
        record,
        [_table(2, second), _table(1, first), _kinds(second), _delays(day)],
        _remarks(second, day),
        _pictures(second, day),
    )


def _pairs(scenario: int, subscribers: Sequence[int], minutes: int, seed: int, say: Say) -> list[Pair]:
    found = []
    for count in subscribers:
        say(f"scenario {scenario}, {count} subscriber{'s' if count > 1 else ''}")
        setting = Setting(count, scenario, minutes, seed)
        found.append(Pair(outcome(PRIMITIVE, setting), outcome(DISTRIBUTED, setting)))
    return found


def _is_right(one: Outcome) -> bool:
    expected = sorted(each.id for each in one.expected)
    return all(sorted(each.detection.id for each in told) == expected for told in one.told)


def _bytes(carried: Carried, kinds: Sequence[str] = CAUSED) -> int:
    return sum(carried.bytes[kind] for kind in kinds)


def _messages(carried: Carried, kinds: Sequence[str] = CAUSED) -> int:
    return sum(carried.messages[kind] for kind in kinds)


def _shares(pair: Pair, kinds: Sequence[str]) -> tuple[float, float]:
    """Which part of the primitive solution's bytes the distributed one sends: of all, and of the wireless ones."""
    ours, theirs = pair.distributed, pair.primitive
    wireless = _bytes(ours.wireless) / _bytes(theirs.wireless, kinds)
    total = _bytes(ours.wired) + _bytes(ours.wireless)
    return total / (_bytes(theirs.wired, kinds) + _bytes(theirs.wireless, kinds)), wireless


def _record(pair: Pair) -> dict[str, Any]:
    total, wireless = _shares(pair, NEEDED)
    total_asking, wireless_asking = _shares(pair, CAUSED)
    return {
        "n": pair.primitive.subscribers,
        "total": rounded(total, 4),
        "wireless": rounded(wireless, 4),
        "delay_ms": {
            "p50": rounded(quantile(pair.distributed.delays, 0.5)),
            "p99": rounded(quantile(pair.distributed.delays, 0.99)),
        },
        "guaranteed_both": {"total": rounded(total_asking, 4), "wireless": rounded(wireless_asking, 4)},
        "detections": len(pair.distributed.expected),
        "same_detections": pair.is_right,
        PRIMITIVE: _traffic_record(pair.primitive, NEEDED),
        DISTRIBUTED: _traffic_record(pair.distributed, CAUSED),
    }


def _traffic_record(one: Outcome, kinds: Sequence[str]) -> dict[str, Any]:
    links = {"wired": one.wired, "wireless": one.wireless}
    return {
        name: {
            "bytes": _bytes(carried, kinds),
            "messages": _messages(carried, kinds),
            "by_kind": {kind: carried.bytes[kind] for kind in sorted(carried.bytes)},
        }
        for name, carried in links.items()
    }


def _day_record(day: Outcome) -> dict[str, Any]:
    return {
        "subscribers": day.subscribers,
        "events": day.events,
        "messages": day.messages,
        "detections": len(day.expected),
        "same_detections": _is_right(day),
        "delay_ms": {name: rounded(quantile(day.delays, share)) for name, share in _QUANTILES.items()},
    }


_QUANTILES: Final = {"least": 0.0, "p10": 0.1, "p50": 0.5, "p90": 0.9, "p99": 0.99, "most": 1.0}


def _table(scenario: int, pairs: Sequence[Pair]) -> Table:
    names = ["subscribers", "primitive: wired", "wireless", "distributed: wired", "wireless", "of all", "of wireless"]
    names += ["p50 ms", "p99 ms", "detections", "the same"]
    rows = []
    for pair in pairs:
        record = _record(pair)
        both = [
            record[solution][link]["bytes"] for solution in (PRIMITIVE, DISTRIBUTED) for link in ("wired", "wireless")
        ]
        delays = [_ms(record["delay_ms"][name]) for name in ("p50", "p99")]
        shares = [percent(record["total"]), percent(record["wireless"])]
        found = [str(record["detections"]), "yes" if record["same_detections"] else "NO"]
        rows.append([str(record["n"]), *(f"{each:,}" for each in both), *shares, *delays, *found])
    return Table(
        f"scenario {scenario}: bytes, and the distributed solution as a part of the primitive one", names, rows
    )


def _kinds(pairs: Sequence[Pair]) -> Table:
    """What the bytes are about, where the paper says how many there are."""
    pair = next((each for each in pairs if each.primitive.subscribers == PAPER["subscribers"]), pairs[-1])
    rows = []
    for kind in (*CAUSED, SIGNS):
        row = [kind]
        for one in (pair.primitive, pair.distributed):
            row += [f"{carried.bytes[kind]:,}" for carried in (one.wired, one.wireless)]
        rows.append(row)
    names = ("about", "primitive: wired", "wireless", "distributed: wired", "wireless")
    return Table(f"scenario 2, {pair.primitive.subscribers} subscribers: what the bytes are about", names, rows)


def _delays(day: Outcome) -> Table:
    row = [_ms(rounded(quantile(day.delays, share))) for share in _QUANTILES.values()]
    title = f"{day.events:,} events with {day.subscribers} subscribers: delay of {len(day.delays)} notifications, ms"
    return Table(title, list(_QUANTILES), [row])


def _ms(number: float | None) -> str:
    return "-" if number is None else f"{number:.1f}"


def _remarks(pairs: Sequence[Pair], day: Outcome) -> list[str]:
    pair = next((each for each in pairs if each.primitive.subscribers == PAPER["subscribers"]), pairs[-1])
    total, wireless = _shares(pair, NEEDED)
    most = quantile(day.delays, 1.0)
    delay = "no notification" if most is None else f"{most:.0f} ms at most"
    return [
        f"at {pair.primitive.subscribers} subscribers {percent(total)} of all bytes and {percent(wireless)} of the"
        f" wireless ones; 001 has 53% and 8%; delay {delay}, 001 has less than 220 ms",
        "counted against this: of the primitive solution only events and the reports that they came; of the"
        " distributed one also the questions how far a stream has got, which it needs to be right",
        "signs of life (every five minutes, from each site to each) are in neither: how often is a setting",
    ]


def _pictures(pairs: Sequence[Pair], day: Outcome) -> dict[str, str]:
    lines = []
    for solution, kinds in ((PRIMITIVE, NEEDED), (DISTRIBUTED, CAUSED)):
        for link in ("wireless", "wired"):
            points = [
                (float(one.subscribers), _bytes(getattr(one, link), kinds) / 1e6)
                for pair in pairs
                for one in [getattr(pair, solution)]
            ]
            lines.append(Series(f"{solution}, {link}", points))
    traffic = draw_lines(
        "Traffic by subscribers",
        "scenario 2 in the Active Office; 001, Fig. 8",
        "subscribers",
        "megabytes sent",
        lines,
        log_y=False,
    )
    found = {"office-traffic.svg": traffic}
    if day.told and day.told[0]:
        found["office-delay.svg"] = _delay_picture(day)
    return found


def _delay_picture(day: Outcome) -> str:
    """Fig. 9: by when they happened."""
    series = []
    for number, told in enumerate(day.told[:3], 1):
        points = [(each.detection.time_us / 3.6e9, (each.at - each.detection.time_us) / 1000) for each in told]
        series.append(Series(f"subscriber {number}", points, has_line=False))
    limit = [(points[0], PAPER["delay_ms"]) for points in (series[0].points[0], series[0].points[-1])]
    series.append(Series("220 ms: the most in 001", limit, is_dashed=True))
    return draw_lines(
        "Delay of notifications through the day",
        f"scenario 2, distributed, {day.subscribers} subscribers of whom three are shown; 001, Fig. 9",
        "hours",
        "ms until the subscriber is told",
        series,
        log_y=False,
    )
