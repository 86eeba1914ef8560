"""Random rules of every kind and logs in which much is late: what amendments are tried on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from tests.engine.strategies import example
from tocsin import api
from tocsin.algebra.names import bound
from tocsin.algebra.rules import BEST_EFFORT, Context, Program
from tocsin.errors import TocsinError
from tocsin.events import Arrival, Event, Heartbeat
from tocsin.rules.programs import rules_program
from tocsin.runtime.options import Options
from tocsin.session import Session
from tocsin.time.spans import SECOND

EXPRESSIONS = (
    ("gem", "{a ; b} ! c"),
    ("gem", "{a ; b} ! (c ; a)"),
    ("gem", "{x:a ; y:b} ! ({u:a ; v:b} ! w:c)"),
    ("gem", "{x:a ; y:b} ! ({u:c ; v:c} ! w:a)"),
    ("gem", "a + [2*sec]"),
    ("gem", "{a ; b + [1*sec]} ! c"),
    ("gem", "x:* ; y:b"),
    ("gem", "every[2*sec] ; b"),
    ("gem", "{x:a ; y:b} ! z:c when x.k == y.k && z.k == x.k"),
    ("eps", "a ; b"),
    ("eps", "a & b"),
    ("eps", "TimesEq(2, a, k) ; b"),
    ("eps", "a || b ; c"),
    ("sel", "a -> !b in 2 seconds"),
    ("sel", "!a -> {b -> !c in 2 seconds} in 3 seconds"),
    ("sel", "a*3 in 5 seconds"),
    ("sel", "!(a -> !b in 2 seconds) -> c in 4 seconds"),
    ("pretty", "a unless b within 2 seconds"),
    ("pretty", "a as x unless (b as y where y.k == x.k) within 2 seconds"),
    ("pretty", "a as x then b as y within 3 seconds where y.k == x.k"),
    ("core", "[a][b in {b,c}]"),
    ("core", "([a], [T1 in {b,T1}]){T1 = 2 sec}"),
    ("core", "[a] || [b]"),
    ("global", "a ; NOT b ; c"),
    ("global", "a * b"),
)
PATTERNS = tuple((language, api.parse(text, language)) for language, text in EXPRESSIONS)
RESTORED = (("sel", "!(a -> !b in 2 seconds) -> c in 4 seconds"), ("gem", "{x:a ; y:c} ! ({u:a ; v:c} ! w:b)"))
"""What one late event breaks and another mends."""
CONSUMING = ("gem", "eps", "global")
"""Languages whose rules are tried in any context."""


@dataclass(frozen=True)
class Course:
    """Rules, arrivals, and how late they may be."""

    program: Program
    log: tuple[Arrival, ...]
    within: int
    until: int | None = None
    granularity: int | None = None


def course(random: Random) -> Course:
    """Rules of any kind on a log with late events."""
    if random.random() < 0.25:
        return _searched(random)
    if random.random() < 0.1:
        language, text = random.choice(RESTORED)
        rule = api.rule("r0", text, language=language, context=Context.UNRESTRICTED.value)
        return Course(rules_program([rule]), late_log(random, 24), 10**12)
    granularity = SECOND if random.random() < 0.1 else None
    while True:
        try:
            made = rules_program(_rule(random, f"r{number}") for number in range(random.choice((1, 1, 2, 3))))
            program = Session(made, Options(granularity=granularity)).program
            break
        except TocsinError:  # not every expression can be had in every context
            continue
    log = late_log(random)
    within = random.choice((10**12, 10**12, 10**12, 2 * SECOND))
    until = log[-1].arrival + 4 * SECOND if random.random() < 0.3 else None
    return Course(program, log, within, until, granularity)


def _rule(random: Random, name: str) -> api.Rule:
    language, pattern = random.choice(PATTERNS)
    context = random.choice(list(Context)).value if language in CONSUMING and random.random() < 0.6 else None
    window = random.choice((None, None, "4 s"))
    condition = (
        "a.k == b.k" if language == "eps" and {"a", "b"} == set(bound(pattern)) and random.random() < 0.6 else None
    )
    made = api.rule(name, pattern, context=context, window=window, condition=condition)
    return replace(made, language=language)


def _searched(random: Random) -> Course:
    """Rules of the engine's own examples, which trigger, notify, enable and use each other, on events come later."""
    made = example(random, policy=BEST_EFFORT.policy)
    events = [event for event in made.log if isinstance(event, Event)]
    steps = [later.end - event.end for event in events for later in events if later.end > event.end]
    unit = min(steps, default=SECOND)
    moved = [replace(e, arrival=e.end + random.choice((0, 0, 1, 2, 4)) * unit) for e in events]
    return Course(made.program, tuple(sorted(moved, key=lambda event: event.arrival)), 10**14, made.until)


def late_log(random: Random, most: int = 16) -> tuple[Arrival, ...]:
    """Arrivals of which half are late, few come from the future, some are intervals."""
    log: list[Arrival] = []
    clock = 0
    for number in range(random.randint(6, most)):
        clock += random.choice((0, 0, 1, 1, 2)) * SECOND // random.choice((1, 1, 2))
        end = clock - random.choice((0, 0, 0, 1, 2, 3, 4)) * SECOND // random.choice((1, 2))
        if random.random() < 0.05:
            end = clock + SECOND
        start = end - random.randint(0, 2) * SECOND if random.random() < 0.1 else end
        if random.random() < 0.1:
            log.append(Heartbeat("s", clock, clock))
        else:
            data = {} if random.random() < 0.1 else {"k": random.choice((0, 1, 1.0, "1"))}
            log.append(Event(random.choice("aabbc"), end, start, str(number), random.choice("st"), data, clock))
    return tuple(log)
