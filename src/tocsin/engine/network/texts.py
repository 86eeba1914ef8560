"""What is known of the texts in an event: the tests of all rules over one attribute, made in one go.

    contains(lower(e.CommandLine), 'mimikatz') || endswith(lower(e.Image), '\\\\psexec.exe')

A `Fact` is a test of an attribute's text against a text as it is written. The facts of one attribute are found out by
one search through the value (`text_search.py`), when the first of them is asked for; equal values are searched once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tocsin.algebra.attributes import found_in
from tocsin.algebra.values import MISSING
from tocsin.engine.network.search import GuardTest, Search, Test
from tocsin.engine.network.text_search import TextSearch
from tocsin.engine.network.vectors import filled, widened

CONTAINS: Final = "contains"
STARTS: Final = "startswith"
ENDS: Final = "endswith"
"""Kinds of facts, called as the functions of guards are."""
EQUALS: Final = "=="
REMEMBERED: Final = 4096
"""Values whose facts are kept; then it begins anew."""


@dataclass(frozen=True)
class Fact:
    """`kind`: how the `text` stands in the value of an attribute; `folded`: whatever the case of that."""

    attribute: str
    folded: bool
    kind: str
    text: str


class Known:
    """The facts that hold of a value, by their numbers; and what a sieve has made of them."""

    def __init__(self, facts: list[int]) -> None:
        self.facts = facts
        self.sieve: object = None
        self.searches = 0
        """How many searches the sieve had then."""
        self.mask = 0


NOTHING_KNOWN: Final = Known([])


class Texts:
    """The facts about one attribute: which of them hold of the event that was looked at last."""

    def __init__(self, attribute: str, folded: bool) -> None:
        self.attribute, self.folded = attribute, folded
        self.is_odd = False
        """The value is there and is no text: guards are evaluated as they are."""
        self.known = NOTHING_KNOWN
        """What holds of the value."""
        self.look_number: i64 = 0
        self.marks: vec[i64] = filled(16, 0)
        """By fact: the number of the last look at which it held."""
        self._event: i64 = -1
        self._is_new = True
        """A fact has been added since the search was made."""
        self._facts: dict[tuple[str, str], int] = {}
        self._search = TextSearch([])
        self._of_text: list[tuple[int, int, int, int]] = []
        """By text of the search: its facts CONTAINS, STARTS, ENDS and EQUALS, or -1."""
        self._known: dict[str, Known] = {}
        self._found: list[int] = []

    def fact(self, kind: str, text: str) -> int:
        """The number of a fact."""
        assert text
        key = (kind, text)
        number = self._facts.get(key)
        if number is None:
            number = self._facts[key] = len(self._facts)
            self.marks = widened(self.marks, len(self._facts), 0)
            self._is_new = True
        return number

    def look(self, s: Search) -> None:
        """Finds out what holds of the event in the first register."""
        number = s.numbers[0]
        if number == self._event and not self._is_new:
            return
        self._event = number
        if self._is_new:
            self._prepare()
        self.look_number += 1
        value = self._value(s, number)
        self.is_odd = False
        if isinstance(value, str):
            self.known = self._facts_of(value)
            look, marks = self.look_number, self.marks
            for fact in self.known.facts:
                marks[fact] = look
        else:
            self.known = NOTHING_KNOWN
            self.is_odd = value is not MISSING

    def _value(self, s: Search, number: i64) -> object:
        batch, place, made = s.store.holder(number)
        if batch is None:
            assert made is not None
            return found_in(made.data, self.attribute)
        return batch.attribute(self.attribute, place)

    def _facts_of(self, value: str) -> Known:
        known = self._known.get(value)
        if known is None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            known = self._known[value] = Known(self._searched(value.lower() if self.folded else value))
        return known

    def _searched(self, text: str) -> list[int]:
        search, found = self._search, self._found
        length = search.find(text, found)
        true: dict[int, None] = {}
        place = 0
        while place < len(found):
            number, end = found[place], found[place + 1]
            contains, starts, ends, equals = self._of_text[number]
            if contains >= 0:
                true[contains] = None
            begins = end == search.lengths[number]
            if starts >= 0 and begins:
                true[starts] = None
            if end == length:
                if ends >= 0:
                    true[ends] = None
                if equals >= 0 and begins:
                    true[equals] = None
            place += 2
        return list(true)

    def _prepare(self) -> None:
        """Makes the search for the texts of all facts."""
        texts = list(dict.fromkeys([text for _, text in self._facts]))
        self._is_new = False
        self._known.clear()
        self._search = TextSearch(texts)
        kinds = (CONTAINS, STARTS, ENDS, EQUALS)
        self._of_text = []
        for text in texts:
            a, b, c, d = [self._facts.get((kind, text), -1) for kind in kinds]
            self._of_text.append((a, b, c, d))


class FactTest(Test):
    """A fact about the event in the first register; where its value is no text, the guard that it stands for."""

    def __init__(self, texts: Texts, fact: int, otherwise: GuardTest) -> None:
        super().__init__()
        self.texts, self.otherwise = texts, otherwise
        self.fact: i64 = fact

    def holds(self, s: Search) -> bool:
        texts = self.texts
        texts.look(s)
        if texts.is_odd:
            return self.otherwise.holds(s)
        return texts.marks[self.fact] == texts.look_number


class FactsTest(Test):
    """One of several facts about one attribute holds; where its value is no text, the guard that they stand for."""

    def __init__(self, texts: Texts, facts: list[int], otherwise: GuardTest) -> None:
        super().__init__()
        self.texts, self.facts, self.otherwise = texts, facts, otherwise

    def holds(self, s: Search) -> bool:
        texts = self.texts
        texts.look(s)
        if texts.is_odd:
            return self.otherwise.holds(s)
        look, marks = texts.look_number, texts.marks
        for fact in self.facts:
            if marks[fact] == look:
                return True
        return False
