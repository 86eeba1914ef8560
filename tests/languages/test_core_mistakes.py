"""Every mistake in a core expression is shown where it was made, with what was expected: texts, places and messages."""

from __future__ import annotations

import pytest

from tocsin.errors import RuleError, Source
from tocsin.languages import core

MISTAKES = [
    ("", "1:1", "unexpected end of the text @ an atom or '('"),
    ("A", "1:1", "unexpected 'A' @ stands in brackets"),
    ("{A}", "1:1", "unexpected '{' @ an atom or '('"),
    ("* [A]", "1:1", "unexpected '*'"),
    ("[A", "1:3", "'in' or ']' @ the '[' of line 1, column 1 is not closed"),
    ("[]", "1:2", "an event type, '{', '*' or '!'"),
    ("[A B]", "1:4", "unexpected 'B' @ '(', '&', ',', 'in' or ']'"),
    ("[A in ]", "1:7", "an event type"),
    ("[A in in]", "1:7", "unexpected 'in' @ an event type"),
    ("[A in B, C]", "1:8", "unexpected ',' @ in braces: [A in {A, B}]"),
    ("[A in {B, C]", "1:12", "unexpected ']' @ '}'"),
    ("[A in {}]", "1:7", "a set has at least one member"),
    ("['']", "1:2", "cannot be empty"),
    ("[x:]", "1:4", "unexpected ']' @ expected an event type"),
    ("[this:A]", "1:2", "no event can be called 'this'"),
    ("[AND:A]", "1:2", "no event can be called 'AND'"),
    ("[x:A in {y:B}]", "1:10", "only an event that an atom accepts can have a name"),
    ("[!x:A]", "1:3", "only an event that an atom accepts can have a name"),
    ("[A(temp <)]", "1:10", "unexpected ')' @ a value"),
    ("[A(temp < 15]", "1:13", "unexpected ']' @ ')'"),
    ("[A(room = [29/Feb/1995])]", "1:12", "February 1995 has 28 days"),
    ("[A] ;", "1:6", "unexpected end of the text @ an atom"),
    ("[A] | | [B]", "1:7", "unexpected '|' @ an atom"),
    ("[A] x", "1:5", "'*', '+', '?', '{', an atom, ';', '|', '||' or the end of the text"),
    ("[A]\n\n  )", "3:3", "unexpected ')'"),
    ("([A]", "1:5", "the '(' of line 1, column 1 is not closed"),
    ("[[A]]", "1:5", "'in' @ says what it looks at: [C in S]"),
    ("([A], [B])", "1:11", "expected '{'"),
    ("([A] [B]){T = 5 min}", "1:10", "unexpected '{' @ between two expressions: (C1, C2){T = 5 min}"),
    ("([A], [B]){= 5 min}", "1:12", "a name for the time event"),
    ("([A], [B]){T 5 min}", "1:14", "expected '='"),
    ("([A], [B]){T = }", "1:16", "a length of time"),
    ("([A], [B]){T = 0 sec}", "1:16", "longer than nothing"),
    ("([A], [B]){T = 5 mni}", "1:18", "did you mean 'min'?"),
    ("([A], [B]){T = 2026-13-01}", "1:21", "month 13 is out of range"),
    ("[x:A] ([B(k = x.k)] || [C])", "1:15", "'x' is bound outside of '||' @ as alternatives"),
    ("([B] || [C(k = x.k)])* [x:A]", "1:16", "'x' is bound outside of '||'"),
    ("[x:A] ; ([x:B] || ([C] ; ([D(k = x.k)] || [E])))", "1:34", "'x' is bound outside of '||'"),
    ("([A], [B] || [C in {C, T}]){T = 1 s}", "1:24", "the time event 'T' is made outside of '||'"),
    ("A = {B}", "1:8", "unexpected end of the text @ an atom"),
    ("A = {B} [B]\n[A]", "1:9", "unexpected '[' @ one definition a line"),
    ("D = [A]\n; [B]\n[D]", "2:1", "unexpected ';'"),
    ("A = {B}\nA = {C}\n[A]", "2:1", "'A' is defined twice"),
    ("A = {B}\nA = [C]\n[A]", "2:1", "'A' is defined twice"),
    ("[B]\nA = {B}", "2:1", "unexpected 'A' @ definitions stand before the expression"),
    ("D = [A] [D]\n[D]", "1:10", "'D' is used in its own definition"),
    ("D = [S]\nS = {A}\n[D]", "1:6", "'S' is used before it is defined"),
    ("S = {A, B}\n[x:S]", "2:4", "'S' is a set, and a name belongs to an event type"),
    ("S = {A, B}\n[S(k > 1)]", "2:2", "'S' is a set, and a filter belongs to an event type"),
    ("S = {A}\n([B], [C in {C, S}]){S = 5 min}", "2:22", "'S' is a set, and here it would be a time event"),
    ("[A]\x00", "1:4", "illegal character U+0000"),
]


@pytest.mark.parametrize(("text", "place", "parts"), MISTAKES)
def test_mistakes_are_shown_where_they_are(text: str, place: str, parts: str) -> None:
    with pytest.raises(RuleError) as caught:
        core.parse_rules(Source(text))
    message = str(caught.value)
    assert message.startswith(f"<expression>:{place}: ")
    for part in parts.split(" @ "):
        assert part in message
