"""The patterns of EPL, as they are written."""

from __future__ import annotations

from tocsin.algebra.guards import Guard
from tocsin.languages.lexer import Token
from tocsin.origins.conditions import both
from tocsin.origins.filters import FilterConditions
from tocsin.origins.patterns import Absent, All, Any, Every, Filter, Limited, Loop, Part, Then, Timer
from tocsin.origins.spans import length
from tocsin.origins.words import Words, refusal
from tocsin.time.periods import SECOND, Period


class EplPatterns:
    """Reads patterns. Tightest first: `where`, then `every` and `not`, `until`, `and`, `or`, `->`."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.tags: set[str] = set()
        """The events that a filter can name: those before it."""

    def pattern(self) -> Part:
        """All of it."""
        words = self.words
        start = words.token
        parts = [self._or()]
        while words.at("->") or words.at("-"):
            if words.at("-"):
                raise refusal(
                    "'-[n]>', with a bound on what waits", words.token, "write '->', and give the rule a window"
                )
            words.advance()
            parts.append(self._or())
        return parts[0] if len(parts) == 1 else Then(words.span_from(start.start), tuple(parts))

    def _or(self) -> Part:
        start, parts = self.words.token, [self._and()]
        while self.words.accept("or"):
            parts.append(self._and())
        return parts[0] if len(parts) == 1 else Any(self.words.span_from(start.start), tuple(parts))

    def _and(self) -> Part:
        start, parts = self.words.token, [self._until()]
        while self.words.accept("and"):
            parts.append(self._until())
        return parts[0] if len(parts) == 1 else All(self.words.span_from(start.start), tuple(parts))

    def _until(self) -> Part:
        words, start = self.words, self.words.token
        times = self._times()
        part = self._qualified()
        end = self._until() if words.accept("until") else None
        if times is None and end is None:
            return part
        least, most = times or (0, None)
        span = words.span_from(start.start)
        if end is None and least != most:
            raise refusal("a loop without an end", span, "end it: a=A until b=B")
        if end is not None and most is not None:
            raise refusal("a loop that is complete at a number, too", span, "write '[n:] a=A until b=B', or '[n] a=A'")
        return Loop(span, part, least, most, end)

    def _times(self) -> tuple[int, int | None] | None:
        """`[3]`, `[2:]`, `[2:4]`."""
        counts = self.words.counts("[", ":", "]")
        return None if counts is None else (counts.least, counts.most)

    def _qualified(self) -> Part:
        words, start = self.words, self.words.token
        if (words.at("every") and words.follows("distinct")) or (words.at("every") and words.follows("-")):
            raise refusal("'every-distinct'", words.token, "a rule's 'suppress:' tells once per key and time")
        if words.at("every") or words.at("not"):
            word = words.advance().text.lower()
            words.nested(start)
            times = self._times() if word == "every" else None
            inner = self._qualified()
            words.depth -= 1
            if times is not None:
                if times[0] != times[1]:
                    raise refusal("a loop without an end", inner.span, "end it: a=A until b=B")
                inner = Loop(words.span_from(start.start), inner, *times)
            span = words.span_from(start.start)
            return Every(span, inner) if word == "every" else Absent(span, inner)
        part = self._atom()
        return self._guarded(part, start)

    def _guarded(self, part: Part, start: Token) -> Part:
        words = self.words
        if words.at("while"):
            raise refusal("'while', which ends a pattern at an event of its own", words.token, "put it into the filter")
        if not words.accept("where"):
            return part
        period = self._timer(("within",))
        return Limited(words.span_from(start.start), part, period)

    def _timer(self, kinds: tuple[str, ...]) -> Period:
        words, start = self.words, self.words.token
        words.expect("timer")
        words.expect(":")
        kind = words.name("a kind of timer")
        if kind.text.lower() not in kinds:
            what = f"'timer:{kind.text}'"
            raise refusal(what, words.span_from(start.start), f"there is 'timer:{kinds[0]}(5 minutes)'")
        opener = words.expect("(")
        period = length(words, plain=SECOND)
        words.close(opener, ")")
        return period

    def _atom(self) -> Part:
        words, start = self.words, self.words.token
        if words.at("("):
            words.nested(words.advance())
            part = self.pattern()
            words.close(start, ")")
            words.depth -= 1
            return part
        if words.at("timer") and words.follows(":"):
            return Timer(words.span_from(start.start), self._timer(("interval",)))
        first = words.name("an event, 'every', 'not' or a timer")
        tag = None
        if words.accept("="):
            tag, first = first.text, words.name("a type of events")
        if words.at(".") or words.at("#"):
            raise refusal("a part of a type, or a view of it", words.token, "name a type of events")
        guard = self._filter(tag) if words.at("(") else None
        if words.at("@"):
            raise refusal("an annotation of a filter", words.token, "what is used up is a rule's 'context'")
        if tag is not None:
            self.tags.add(tag)
        return Filter(words.span_from(start.start), tag, first.text, guard)

    def _filter(self, tag: str | None) -> Guard | None:
        words = self.words
        opener = words.advance()
        words.nested(opener)
        guard: Guard | None = None
        while not words.at(")"):
            guard = both(guard, FilterConditions(words, self.tags, (tag,)).condition())
            if not words.accept(","):
                break
        words.close(opener, ")")
        words.depth -= 1
        return guard
