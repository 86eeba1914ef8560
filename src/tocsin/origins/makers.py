"""What streams a statement makes, whether it becomes a rule or not: what reads them is fed by nothing else here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import dropwhile
from typing import Final

from tocsin.languages.lexer import Kind, Token

_BEHIND: Final = frozenset(("if", "not", "exists"))
_MAKING: Final = frozenset(("view", "window", "trigger", "aggregation"))


def streams_made(statement: Sequence[Token]) -> Iterator[str]:
    """`insert into Hot`, `create view Hot`, `create table Hot ... as select`, `create window Hot`; the streams that get
    more than their own events, too: `create schema Sub () inherits Hot`, `create variant schema Hot`."""
    words = ["" if token.value else token.text.lower() for token in statement]
    for place, word in enumerate(words):
        if word == "into" and "insert" in words[max(place - 4, 0) : place]:
            yield from _path(statement[place + 1 :])
    beginning = _beginning(words)
    if words[beginning : beginning + 1] not in (["create"], ["define"]):
        return
    for place in range(beginning + 1, min(beginning + 5, len(words))):
        if words[place] in _MAKING or (words[place] == "table" and "select" in words[place:]):
            yield from _path(statement[place + 1 :])
            return
        if words[place] == "schema":
            if "variant" in words[beginning:place]:
                yield from _path(statement[place + 1 :])
            yield from _inherited(statement, words)
            return
        if words[place] == "(":
            return


def _beginning(words: Sequence[str]) -> int:
    """Behind the annotations, which may have arguments."""
    place = 0
    while words[place : place + 1] == ["@"]:
        place += 2
        if words[place : place + 1] == ["("]:
            place = words.index(")", place) + 1 if ")" in words[place:] else len(words)
    return place


def _path(tokens: Sequence[Token]) -> Iterator[str]:
    """`if not exists catalog.database.table`: the last of the names."""
    names = list(dropwhile(lambda token: not token.value and token.text.lower() in _BEHIND, tokens))
    while len(names) > 2 and names[1].text == ".":
        del names[:2]
    if names and names[0].kind is Kind.NAME:
        yield names[0].text


def _inherited(statement: Sequence[Token], words: Sequence[str]) -> Iterator[str]:
    if "inherits" in words:
        for token in statement[words.index("inherits") + 1 :]:
            if token.kind is Kind.NAME and token.text.lower() != "from":
                yield token.text
