"""The grammars of docs/languages, read from the pages, and random sentences of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from random import Random

PAGES = Path(__file__).parents[2] / "docs" / "languages"
FENCE = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RULE = re.compile(r"^(\w[\w ]*?) += ", re.MULTILINE)
TOKEN = re.compile(r"'[^']*'|\"[^\"]*\"|[\w][\w ]*\w|\w|[{}()\[\]|]")

Grammar = dict[str, "Choice"]


@dataclass(frozen=True)
class Choice:
    """One of several sequences. `least` and `most`: how often, as brackets say."""

    sequences: tuple[tuple[str | Choice, ...], ...]
    least: int = 1
    most: int = 1


def grammar(page: str, start: str) -> Grammar:
    """The rules of the block of a page that defines `start`. What a rule says after a comma is for people."""
    text = (PAGES / page).read_text(encoding="utf-8")
    block = next(each for each in FENCE.findall(text) if re.search(rf"^{start} += ", each, re.MULTILINE))
    places = [(found.start(), found.end(), found[1].strip()) for found in RULE.finditer(block)]
    ends = [start for start, _, _ in places[1:]] + [len(block)]
    return {name: _rule(block[begin:end]) for (_, begin, name), end in zip(places, ends, strict=True)}


def _rule(text: str) -> Choice:
    # A comma outside of quotes begins what only people read: `name, but none of the names: if in`.
    quoted = re.split(r"(\"[^\"]*\"|'[^']*')", text)
    kept = ""
    for place, piece in enumerate(quoted):
        if place % 2 == 0 and "," in piece:
            kept += piece.split(",")[0]
            break
        kept += piece
    tokens = TOKEN.findall(kept)
    found, rest = _choice(tokens)
    assert not rest, (text, rest)
    return found


def _choice(tokens: list[str]) -> tuple[Choice, list[str]]:
    sequences: list[tuple[str | Choice, ...]] = []
    current: list[str | Choice] = []
    while tokens and tokens[0] not in "})]":
        token, *tokens = tokens
        if token == "|":
            sequences.append(tuple(current))
            current = []
        elif token in "{([":
            inner, tokens = _choice(tokens)
            assert tokens, "a bracket is not closed"
            least, most = {"{": (0, 2), "[": (0, 1), "(": (1, 1)}[token]
            current.append(Choice(inner.sequences, least, most))
            tokens = tokens[1:]
        else:
            current += [token] if token[0] in "'\"" else token.split("  ")
    # A rule may begin with `|` on a line of its own.
    return Choice(tuple(each for each in [*sequences, tuple(current)] if each)), tokens


class Sentences:
    """Random sentences of a grammar. `leaves` gives texts for what the page tells in words."""

    def __init__(self, rules: Grammar, leaves: dict[str, list[str]], seed: str) -> None:
        self.rules, self.leaves, self.random = rules, leaves, Random(seed)

    def sentence(self, name: str, depth: int = 11) -> str:
        """Something that the rule of that name allows. Deep inside, the first and shortest way is taken."""
        if name in self.leaves:
            return self.random.choice(self.leaves[name])
        return self._choice(self.rules[name], depth)

    def _choice(self, choice: Choice, depth: int) -> str:
        times = choice.least if depth <= 0 else self.random.choice([choice.least, choice.least, choice.most])
        return " ".join(self._sequence(choice, depth) for _ in range(times))

    def _sequence(self, choice: Choice, depth: int) -> str:
        parts = choice.sequences[0] if depth <= 0 else self.random.choice(choice.sequences)
        return " ".join(self._part(part, depth) for part in parts)

    def _part(self, part: str | Choice, depth: int) -> str:
        if isinstance(part, Choice):
            return self._choice(part, depth)
        if part[0] in "'\"":
            return part[1:-1]
        words, found = part.split(" "), []
        while words:  # `span span` are two, `time point` is one
            length = next(n for n in range(len(words), 0, -1) if " ".join(words[:n]) in {*self.rules, *self.leaves})
            found.append(self.sentence(" ".join(words[:length]), depth - 1))
            words = words[length:]
        return " ".join(found)
