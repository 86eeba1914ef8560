"""Which of many texts occur in one: the automaton of Aho and Corasick, as a table of states and bytes.

It reads a text once, however many are looked for. Texts are looked for as UTF-8, in which no character is a part of
another, so that what is found among bytes is found among characters.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tocsin.engine.vectors import filled

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
        self._shorter = filled(len(children), NOTHING)
        """By state: the longest text that its own ends with, as a state; NOTHING if there is none."""
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
        """The table: where a state goes with each column. What does not go on begins again as late as it can."""
        width = self._width
        table = filled(len(children) * width, 0)
        back = filled(len(children), 0)
        waiting = [0]
        for state in waiting:  # from the root outwards: it grows as it is gone through
            failed: i64 = back[state]
            row: i64 = state * width
            from_row: i64 = failed * width
            if state:
                column: i64 = 0
                while column < width:
                    table[row + column] = table[from_row + column]
                    column += 1
                self._shorter[state] = failed if self._ending[failed] >= 0 else self._shorter[failed]
            for place, child in children[state].items():
                back[child] = table[from_row + place] if state else 0
                table[row + place] = child
                waiting.append(child)
        return table

    def find(self, text: str, found: list[int]) -> int:
        """Notes what occurs: for each place where one of the texts ends, its number, and how many bytes that is in.

        `found` is written over: pairs of a number and an end. How long the text is, in bytes.
        """
        found.clear()
        data = encoded(text)
        classes, table, ending, shorter, width = self._classes, self._table, self._ending, self._shorter, self._width
        state: i64 = 0
        place: i64 = 0
        length: i64 = len(data)
        while place < length:
            state = table[state * width + classes[data[place]]]
            place += 1
            hit = state
            if ending[hit] < 0:
                hit = shorter[hit]
            while hit >= 0:
                found.append(int(ending[hit]))
                found.append(int(place))
                hit = shorter[hit]
        return int(length)
