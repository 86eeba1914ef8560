"""For every ordered pair of languages: a rule and its translation, read again, detect the same on random histories."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.engine.strategies import example
from tests.translation.comparing import LANGUAGES, detected, read, shown, translation, whenever
from tests.translation.drawing import log, program
from tocsin.algebra.checks import program_faults
from tocsin.algebra.order import heard_sources
from tocsin.algebra.rules import Program
from tocsin.errors import RuleError
from tocsin.runtime.options import Options
from tocsin.session import Session
from tocsin.time.spans import SECOND
from tocsin.translation import Asked, translate

RULES = 16
MODELS = ("point", "point", "interval", "2g")
LOGS = 3
ALONE = {("eps", "core"), ("global", "core"), ("python", "core"), ("gem", "core")}
"""Pairs where few random rules have an exact translation: a core expression of one state is a single event."""


def tried(program: Program, target: str, model: str, random: Random) -> tuple[bool, bool]:
    """Whether a program has a translation, and whether it detected anything; what both detect is the same."""
    text = translation(program, target, model)
    if text is None:
        return False, False
    again = read(text)
    fired = False
    for _ in range(LOGS):
        events = log(random, intervals=model == "interval")
        granularity = 2 * SECOND if model == "2g" else None
        wanted, found = detected(program, events, granularity), detected(again, events, granularity)
        if heard_sources(program) != heard_sources(again):  # `a@s` waits for s alone, and `$x == 's'` for all
            wanted, found = whenever(wanted), whenever(found)
        assert found == wanted, text
        fired = fired or bool(wanted)
    return True, fired


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_rule_and_its_translation_detect_the_same(language: str) -> None:
    fired: Counter[str] = Counter()
    for number in range(RULES):
        random = Random(f"{language} {number}")
        own = program(random, language)
        model = random.choice(MODELS)
        for target in LANGUAGES:
            fired[target] += tried(own, target, model, Random(f"{language} {number} events"))[1]
    assert [target for target in LANGUAGES if not fired[target] and (language, target) not in ALONE] == []


def test_under_2g_no_law_is_used() -> None:
    """Under 2g `a ; b` by ends is another pattern than by 2g-precedence: nothing may be rewritten."""
    own = program(Random(1), "gem", "sequence")
    assert translation(own, "gem", "2g") is not None
    assert translation(own, "global", "2g") is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_nearest_form_can_be_read_and_is_told(language: str) -> None:
    """What only comes near is said to, and is a rule of the target all the same."""
    near = 0
    for number in range(RULES):
        own = program(Random(f"{language} {number}"), language)
        for target in LANGUAGES:
            if translation(own, target) is None:
                try:
                    made = translate(Asked(own, nearest=True), target)
                except RuleError:
                    continue
                assert made.remarks
                assert program_faults(read(made.text)) == []
                near += 1
    assert near > RULES // 4


def test_programs_of_several_rules() -> None:
    """Rules that use each other, act and share types, over intervals: as the engine is tried on them."""
    fired = 0
    for number in range(16):
        one = example(Random(number))
        if program_faults(one.program):
            continue  # the engine repeats guarded events too, which no language writes
        options = Options(engine="replay", order=one.order, until=one.until, ignore_late=one.ignore_late)
        wanted = [shown(each) for each in Session(one.program, options).detections(one.log)]
        for target in LANGUAGES:
            text = translation(one.program, target, "interval")
            if text is not None and "==>" not in text:
                made = Session(read(text), options).detections(one.log)
                assert [shown(each) for each in made] == wanted, text
                fired += bool(wanted)
    assert fired > 6
