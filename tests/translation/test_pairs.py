"""For every ordered pair of languages: a rule and its translation, read again, detect the same on random histories."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.translation.comparing import LANGUAGES, detected, read, translation
from tests.translation.drawing import log, program
from tocsin.algebra.rules import Program
from tocsin.time.spans import SECOND

RULES = 30
MODELS = ("point", "point", "interval", "2g")
LOGS = 4
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
        wanted = detected(program, events, granularity)
        assert detected(again, events, granularity) == wanted, text
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
