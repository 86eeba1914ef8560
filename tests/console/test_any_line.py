"""Whatever is typed: it is done or refused with words, and the session goes on."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amounts import examples
from tests.console.talking import SCRIPT, Talk
from tocsin.console.plain import commands
from tocsin.console.words import GEM, OWN, begun, completions

WORDS = st.sampled_from(
    [
        *(word.word for word in (*GEM, *OWN) if word.word),
        *(
            "ping",
            "pair",
            "pairs",
            "*",
            "~",
            "rule",
            "to",
            "all",
            "1",
            "-7",
            "99999999999999999999",
            '"',
            "'",
            "{",
            "}",
        ),
        *(
            "(",
            ")",
            "[",
            "]",
            "==>",
            ";",
            "&",
            "|",
            "!",
            "+",
            "[5*sec]",
            "[10:30 27/6/95]",
            "[10:30]",
            "[1*year]",
            "x:",
        ),
        *(
            '{"type": "ping", "time": 1, "data": {"n": 1}}',
            '{"type": 1}',
            "{}",
            "\\",
            "/*",
            "//",
            "\n",
            "\x00",
            "\x1b",
            "é",
        ),
    ]
)
LINES = st.lists(WORDS, max_size=8).map(" ".join) | st.text(max_size=40)


@settings(max_examples=examples(80), deadline=None)
@given(st.lists(LINES, max_size=6))
def test_any_line_is_done_or_refused(lines: list[str]) -> None:
    talk = Talk(SCRIPT)
    for line in commands(lines):
        completions(line, talk.monitor)
        assert line.endswith(begun(line))
        if not talk.goes_on:
            break
        talk(line)
    if talk.goes_on:
        assert talk("show rules")
