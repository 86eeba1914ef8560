"""Rules that people change while they run: texts that are read again, of which only what is right takes effect.

A text is a file of rules, or stands for one. If a new text is wrong, what it said before goes on, and the mistake is
told; so it is if the rules are right each by itself but not together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tocsin.algebra.checks import check
from tocsin.algebra.rules import Program
from tocsin.errors import TocsinError, UsageError
from tocsin.rules.loader import READERS, is_rules_file, read_text

Texts = Mapping[str, str]
"""Texts by the names of the files that they are in."""


@dataclass(frozen=True)
class Page:
    """What a rulebook says now: the program, the texts it is made of, and why other texts were refused."""

    program: Program
    texts: Texts
    refused: tuple[str, ...] = ()


class Rulebook:
    """Texts of rules from somewhere, and the last ones that were right."""

    def __init__(self, source: Callable[[], Texts], known: Texts | None = None) -> None:
        self._source = source
        self._seen: Texts | None = None
        self._good: Texts = dict(known or {})
        self._programs = {name: programmed(name, text) for name, text in self._good.items()}

    def opened(self) -> Page:
        """What it says at first: everything must be right."""
        self._seen = self._good = dict(self._source())
        self._programs = {name: programmed(name, text) for name, text in self._good.items()}
        check(together(self._programs.values()))
        return self._page(())

    def read(self) -> Page | None:
        """What it says, if the texts are not those of the last time."""
        try:
            texts = dict(self._source())
        except TocsinError as error:
            return self._page((str(error),)) if self._seen is None else None
        if texts == self._seen:
            return None
        self._seen = texts
        return self._turned(texts)

    def _turned(self, texts: Texts) -> Page:
        refused = []
        good, programs = dict[str, str](), dict[str, Program]()
        for name, text in texts.items():
            try:
                programs[name] = programmed(name, text)
                good[name] = text
            except TocsinError as error:
                refused.append(str(error))
                if name in self._good:
                    good[name], programs[name] = self._good[name], self._programs[name]
        try:
            check(together(programs.values()))
        except TocsinError as error:
            return self._page((*refused, str(error)))
        self._good, self._programs = good, programs
        return self._page(tuple(refused))

    def _page(self, refused: tuple[str, ...]) -> Page:
        return Page(together(self._programs.values()), self._good, refused)


def together(programs: Iterable[Program]) -> Program:
    """One program of several."""
    made = Program()
    for program in programs:
        made += program
    return made


def programmed(name: str, text: str) -> Program:
    """The program of a text, by the name that it has."""
    path = Path(name)
    return READERS[path.suffix.lower()](text, path)


def files_of(paths: Iterable[str]) -> Callable[[], Texts]:
    """The texts of rules files, and of those in directories: they are read again each time."""
    given = [Path(path) for path in paths]

    def read() -> Texts:
        found: dict[str, str] = {}
        for path in given:
            if path.is_dir():
                inside = sorted(each for each in path.iterdir() if is_rules_file(each))
            elif path.suffix.lower() in READERS:
                inside = [path]
            else:
                raise UsageError(f"'{path}' is not a rules file, nor a directory of them")
            found |= {str(each): read_text(each) for each in inside}
        return found

    return read
