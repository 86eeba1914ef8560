"""Which of many texts occur in one: the automaton of Aho and Corasick.

Most states have one way on, which is all that is kept of them: only where ways part is there a row of a table, with
where each byte leads from there. So thousands of texts fit into the processor's cache.

It reads a text once, however many are looked for. Texts are looked for as UTF-8, in which no character is a part of
another, so that what is found among bytes is found among characters.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tocsin.engine.network.vectors import filled

NOTHING: Final[i64] = -1


def encoded(text: str) -> bytes:
    """A text as bytes, whatever is in it: half a surrogate pair may stand in a log."""
    return text.encode("utf-8", "surrogatepass")


class TextSearch:
    """Looks for all of `texts` at once; none of them is empty, and none comes twice."""

    def __init__(self, texts: list[str]) -> None:
        self.texts = [encoded(text) for text in texts]
        self.lengths: vec[i64] = vec[i64]([len(text) for text in self.texts])
        self._classes = filled(256, 0)
        """By byte: its column of the table. Bytes that are in none of the texts share the first."""
        self._width: i64 = 1
        for text in self.texts:
            for byte in text:
                if self._classes[byte] == 0:
                    self._classes[byte] = self._width
                    self._width += 1
        children, self._ending = self._tree()
        """By state: the text that it is the end of."""
        count: i64 = len(children)
        self._back = filled(count, 0)
        """By state: the one to go on from where the next byte does not lead on, as late in the text as can be."""
        self._hit = filled(count, NOTHING)
        """By state: the longest text that its own ends with, which may be its own, as a state; NOTHING if none is."""
        self._sole = filled(count, NOTHING)
        self._after = filled(count, 0)
        """By state that one column leads on from: that column, and where to."""
        self._rows = filled(count, NOTHING)
        """By state that several columns lead on from, and of the first: where its row of the table begins."""
        self._table = self._linked(children)

    def _tree(self) -> tuple[list[dict[int, int]], vec[i64]]:
        """The texts as a tree: what follows each state, by column."""
        children: list[dict[int, int]] = [{}]
        ending: list[int] = [-1]
        for number, text in enumerate(self.texts):
            state = 0
            for byte in text:
                column = int(self._classes[byte])
                known = children[state].get(column)
                if known is None:
                    known = children[state][column] = len(children)
                    children.append({})
                    ending.append(-1)
                state = known
            ending[state] = number
        return children, vec[i64](ending)

    def _linked(self, children: list[dict[int, int]]) -> vec[i64]:
        """The table: where a state goes with each column, for those states that need a row."""
        width, back, used = self._width, self._back, 0
        for state, following in enumerate(children):
            if len(following) > 1 or state == 0:
                self._rows[state] = used
                used += int(width)
            for column, child in following.items():
                self._sole[state], self._after[state] = column, child
        table = filled(used, 0)
        waiting = [0]
        for state in waiting:  # from the root outwards: it grows as it is gone through
            if state:
                self._hit[state] = state if self._ending[state] >= 0 else self._hit[back[state]]
            if self._rows[state] >= 0:
                self._fill(table, state)
            for column, child in children[state].items():
                back[child] = self._next(table, back[state], column) if state else 0
                if self._rows[state] >= 0:
                    table[self._rows[state] + column] = child
                waiting.append(child)
        return table

    def _fill(self, table: vec[i64], state: i64) -> None:
        """Fills a state's row with what the states further back make of each column, the nearest last."""
        passed: list[int] = []
        before = self._back[state]
        while state != 0 and self._rows[before] < 0:
            passed.append(int(before))
            before = self._back[before]
        to, origin = self._rows[state], self._rows[before]
        column: i64 = 0
        while column < self._width and state != 0:
            table[to + column] = table[origin + column]
            column += 1
        for one in reversed(passed):
            if self._sole[one] >= 0:
                table[to + self._sole[one]] = self._after[one]

    def _next(self, table: vec[i64], state: i64, column: i64) -> i64:
        """Where a state goes with a column."""
        while self._rows[state] < 0:
            if self._sole[state] == column:
                return self._after[state]
            state = self._back[state]
        return table[self._rows[state] + column]

    def find(self, text: str, found: list[int]) -> int:
        """Notes what occurs: for each place where one of the texts ends, its number, and how many bytes that is in.

        `found` is written over: pairs of a number and an end. How long the text is, in bytes.
        """
        found.clear()
        data = encoded(text)
        classes, table, rows, sole, after = self._classes, self._table, self._rows, self._sole, self._after
        back, ending, hits = self._back, self._ending, self._hit
        state: i64 = 0
        place: i64 = 0
        length: i64 = len(data)
        while place < length:
            column = classes[data[place]]
            place += 1
            row = rows[state]
            while row < 0 and sole[state] != column:
                state = back[state]
                row = rows[state]
            state = table[row + column] if row >= 0 else after[state]
            hit = hits[state]
            while hit >= 0:
                found.append(int(ending[hit]))
                found.append(int(place))
                hit = hits[back[hit]]
        return int(length)
