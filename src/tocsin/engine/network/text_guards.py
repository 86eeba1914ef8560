"""Guards about the texts of a single event, as tests of facts that are found out for all rules together.

A guard that joins tests of texts by `&&`, `||` and `!` becomes a tree of tests, of which the leaves are facts where
they can be. Which facts are necessary for it, so that one of some of them holds wherever the guard does, tells which
rules need not be asked at all (`sieve.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tocsin.algebra.guards import Attribute, Binary, Call, Guard, Literal, Not
from tocsin.engine.network.needed_texts import needed_by_regex, needed_by_wildcards
from tocsin.engine.network.search import GuardTest, Search, Test, linked, pass_all
from tocsin.engine.network.texts import CONTAINS, ENDS, EQUALS, STARTS, Fact, FactsTest, FactTest, Texts

Clause = tuple[Fact, ...]
"""Facts of which at least one holds."""


class AllTest(Test):
    """All of some tests hold."""

    def __init__(self, tests: list[Test]) -> None:
        super().__init__()
        self.first = linked(tests)

    def holds(self, s: Search) -> bool:
        return pass_all(self.first, s)


class AnyTest(Test):
    """One of some tests holds."""

    def __init__(self, tests: list[Test]) -> None:
        super().__init__()
        self.first = linked(tests)

    def holds(self, s: Search) -> bool:
        test = self.first
        while test is not None:
            if test.holds(s):
                return True
            test = test.also
        return False


class NotTest(Test):
    """A test does not hold."""

    def __init__(self, test: Test) -> None:
        super().__init__()
        self.test = test

    def holds(self, s: Search) -> bool:
        return not self.test.holds(s)


# -- facts in a guard -----------------------------------------------------------------------------------------------


def facts_of(guard: Guard) -> Clause:
    """The facts of which one must hold for a guard that is a test of one text to be true; none if it is no such."""
    match guard:
        case Call(
            function="contains" | "startswith" | "endswith" as kind, arguments=(subject, Literal(value=str(text)))
        ):
            return _facts(subject, (CONTAINS, STARTS, ENDS)[("contains", "startswith", "endswith").index(kind)], [text])
        case Binary(operator="==", left=Literal(value=str(text)), right=subject):
            return _facts(subject, EQUALS, [text])
        case Binary(operator="==", left=subject, right=Literal(value=str(text))):
            return _facts(subject, EQUALS, [text])
        case Call(function="in", arguments=arguments):  # no starred pattern: compiled, it would want a list
            others = arguments[1:]
            texts = [each.value for each in others if isinstance(each, Literal) and isinstance(each.value, str)]
            return _facts(arguments[0], EQUALS, texts) if len(texts) == len(others) else ()
    return ()


def _facts(subject: Guard, kind: str, texts: list[str]) -> Clause:
    folded = isinstance(subject, Call) and subject.function == "lower"
    inner = subject.arguments[0] if isinstance(subject, Call) and folded else subject
    if not isinstance(inner, Attribute) or not all(texts):
        return ()
    return tuple([Fact(inner.name, folded, kind, text) for text in dict.fromkeys(texts)])


def joined(guard: Guard, operator: str) -> list[Guard]:
    """The parts that `&&` or `||` joins, left to right, however deep they nest."""
    parts: list[Guard] = []
    waiting = [guard]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Binary) and one.operator == operator:
            waiting += [one.right, one.left]
        else:
            parts.append(one)
    return parts


def necessary(guards: list[Guard]) -> list[Clause]:
    """What holds wherever all of some guards do: of the facts in each clause one. The rarest clauses come first."""
    found = dict.fromkeys([clause for each in guards for clause in _necessary(each)])
    return sorted(found, key=_frequency)


def _necessary(guard: Guard) -> list[Clause]:
    if isinstance(guard, Binary) and guard.operator == "&&":
        return necessary(joined(guard, "&&"))
    if isinstance(guard, Binary) and guard.operator == "||":
        return _of_one([_necessary(part) for part in joined(guard, "||")])
    clause = facts_of(guard) or _needed(guard)
    return [clause] if clause else []


def _of_one(parts: list[list[Clause]]) -> list[Clause]:
    """What is necessary where one of several parts is true: a clause of each of them, or another one of each."""
    if not all(parts):
        return []
    found: list[Clause] = []
    for place in range(max([len(clauses) for clauses in parts])):
        clauses = [clauses[min(place, len(clauses) - 1)] for clauses in parts]
        found.append(tuple(dict.fromkeys([fact for clause in clauses for fact in clause])))
    return found


def _needed(guard: Guard) -> Clause:
    """The texts of which one must be there for a text to match one of some patterns."""
    if not isinstance(guard, Call) or guard.function not in ("matches", "like") or len(guard.arguments) < 2:
        return ()
    found: list[Fact] = []
    for each in guard.arguments[1:]:
        if not isinstance(each, Literal) or not isinstance(each.value, str):
            return ()
        if guard.function == "like":
            text, folded = needed_by_wildcards(each.value), False
        else:
            needed = needed_by_regex(each.value)
            text, folded = needed.text, needed.folded
        facts = _facts(guard.arguments[0], CONTAINS, [text])
        if not facts:
            return ()
        found.append(replace(facts[0], folded=folded or facts[0].folded))
    return tuple(dict.fromkeys(found))


def _frequency(clause: Clause) -> float:
    """How often one of some facts may hold, as far as their texts tell: a long text is rare."""
    return sum(0.5 ** min(len(fact.text), 40) * (4 if fact.kind == CONTAINS else 1) for fact in clause)


# -- guards as tests ------------------------------------------------------------------------------------------------


class TextGuards:
    """Makes tests of the guards about one type of events, with the facts that they share."""

    def __init__(self) -> None:
        self._texts: dict[tuple[str, bool], Texts] = {}

    def fact(self, fact: Fact) -> tuple[Texts, int]:
        """Where a fact is found out, and its number there."""
        key = (fact.attribute, fact.folded)
        texts = self._texts.get(key)
        if texts is None:
            texts = self._texts[key] = Texts(fact.attribute, fact.folded)
        return texts, texts.fact(fact.kind, fact.text)

    def test(self, guard: Guard, plain: Callable[[Guard], Test], slow: Callable[[Guard], GuardTest]) -> Test:
        """A guard as a test. `plain` makes tests of what is not about texts, `slow` evaluates a guard as it is."""
        return self._test(guard, plain, slow) if _speaks_of_texts(guard) else plain(guard)

    def _test(self, guard: Guard, plain: Callable[[Guard], Test], slow: Callable[[Guard], GuardTest]) -> Test:
        match guard:
            case Binary(operator="&&"):
                return AllTest([self._test(part, plain, slow) for part in joined(guard, "&&")])
            case Binary(operator="||"):
                return AnyTest([self._test(part, plain, slow) for part in joined(guard, "||")])
            case Not(operand=inner):
                return NotTest(self._test(inner, plain, slow))
        facts = facts_of(guard)
        if not facts:
            return plain(guard)
        numbered = [self.fact(fact) for fact in facts]
        texts = numbered[0][0]  # all are about one attribute
        if len(numbered) == 1:
            return FactTest(texts, numbered[0][1], slow(guard))
        return FactsTest(texts, [number for _, number in numbered], slow(guard))


def _speaks_of_texts(guard: Guard) -> bool:
    """Whether facts help: an attribute that equals a text is looked up as quickly by itself."""
    match guard:
        case Binary(operator="&&" | "||" as operator):
            return any(map(_speaks_of_texts, joined(guard, operator)))
        case Not(operand=inner):
            return _speaks_of_texts(inner)
        case Binary(left=Attribute()) | Binary(right=Attribute()):
            return False
    return bool(facts_of(guard))
