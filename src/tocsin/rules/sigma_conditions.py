"""Conditions over rules (Sigma's extended correlations): `a and (b or c)`, as the sets of rules that fulfil them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, NoReturn

import yaml

from tocsin.errors import RuleError, choices, nearest
from tocsin.rules.sigma_detections import MOST_BRACKETS, Fail

MOST_WAYS: Final = 100
"""Sets of rules that one condition may come to: each is a pattern of its own."""
Ways = tuple[frozenset[str], ...]


def ways_of(node: yaml.Node, text: str, known: Mapping[str, str], fail: Fail) -> list[frozenset[str]]:
    """The sets of rules, by name, any of which fulfils the condition; none that holds another."""
    found = _Expression(node, text, known, fail).ways()
    return [way for way in found if not any(other < way for other in found)]


class _Expression:
    """`a and (b or c)`, read from left to right; `and` binds tighter."""

    def __init__(self, node: yaml.Node, text: str, known: Mapping[str, str], fail: Fail) -> None:
        self._node, self._known, self._fail = node, known, fail
        self._words = re.findall(r"[()]|[^\s()]+", text)
        self._place = self._depth = 0

    def ways(self) -> Ways:
        found = self._either()
        if self._place < len(self._words):
            self._refuse(f"'{self._words[self._place]}' does not belong here", "'and', 'or' or nothing")
        return found

    def _either(self) -> Ways:
        return self._chain("or", self._both, lambda one, other: one + other)

    def _both(self) -> Ways:
        return self._chain("and", self._one, lambda one, other: tuple(a | b for a in one for b in other))

    def _chain(self, word: str, part: Callable[[], Ways], join: Callable[[Ways, Ways], Ways]) -> Ways:
        found = part()
        while self._peek() == word:
            self._place += 1
            found = tuple(dict.fromkeys(join(found, part())))
            if len(found) > MOST_WAYS:
                self._refuse(f"this condition comes to more than {MOST_WAYS} sets of rules", "fewer of them")
        return found

    def _one(self) -> Ways:
        word = self._peek()
        self._place += 1
        if word == "(":
            self._depth += 1
            if self._depth > MOST_BRACKETS:
                self._refuse(f"nested more than {MOST_BRACKETS} levels deep")
            found = self._either()
            if self._peek() != ")":
                self._refuse("a bracket is not closed", "')'")
            self._place += 1
            self._depth -= 1
            return found
        if word == "not":
            hint = "an absence within a time is a rule in words or SEL: a -> !b in 5 minutes"
            self._refuse("'not' cannot be said of rules that come in any order yet", "'and' and 'or'", hint)
        name = self._words[self._place - 1] if self._place <= len(self._words) else ""
        if not name:
            self._refuse("the condition ends too early", "the name of a rule")
        if name not in self._known:
            self._refuse(
                f"there is no rule '{name}' in this correlation", choices(list(self._known)), nearest(name, self._known)
            )
        return (frozenset((self._known[name],)),)

    def _peek(self) -> str:
        return self._words[self._place].lower() if self._place < len(self._words) else ""

    def _refuse(self, message: str, expected: str = "", hint: str = "") -> NoReturn:
        error: RuleError = self._fail(self._node, message, expected, hint)
        raise error
