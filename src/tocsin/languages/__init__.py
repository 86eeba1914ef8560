"""The languages: texts in the notation of a paper <-> the one algebra.

    lexer, parser, depth, times, guards     what all of them read alike
    guard_text, writer                      what all of them write alike
    borrowed                                words of other engines, and how they are said here
    gem, eps, ...                           one language each, found by itself: a module with NAME and `parse`

A language is imported when it is first asked for.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Protocol, cast

from tocsin.algebra.patterns import WRITERS, Pattern
from tocsin.errors import RuleError, Source, UsageError, choices, nearest
from tocsin.languages.borrowed import advised

__all__ = ["languages", "parse", "render"]


class Language(Protocol):
    """What a module of a language offers."""

    NAME: str

    def parse(self, source: Source) -> Pattern:
        """The pattern that the whole text is."""

    def render(self, pattern: Pattern) -> str:
        """The pattern as a text of this language."""


@cache
def languages() -> tuple[str, ...]:
    """The names of all languages."""
    return tuple(sorted(module.NAME for module in _modules()))


def parse(text: str | Source, language: str) -> Pattern:
    """The pattern that `text` stands for in `language`."""
    source = text if isinstance(text, Source) else Source(text)
    try:
        return _language(language).parse(source)
    except RuleError as error:
        raise advised(error, source.text, language) from None


def render(pattern: Pattern, language: str) -> str:
    """`pattern` as a text of `language`; a RuleError names the construct that the language lacks."""
    return _language(language).render(pattern)


PYTHON = "python"
PREFERRED = ("gem", "eps", "sel", "global", "core")
"""The languages in which `str(pattern)` is tried."""


def written(pattern: Pattern) -> str:
    """The pattern in the first language that can say it, or its shape."""
    for name in PREFERRED:
        if name in languages():
            try:
                return render(pattern, name)
            except RuleError:
                continue
    return repr(pattern)


WRITERS.append(written)


def _language(name: str) -> Language:
    # A module is called like its language, with an underscore where that is a word of Python.
    for candidate in (name, f"{name}_"):
        if candidate in _candidates() and (module := _loaded(candidate)) is not None and name == module.NAME:
            return module
    for module in _modules():
        if name == module.NAME:
            return module
    known = languages()
    hint = nearest(name, known) or f"the languages are {choices(known, 'and')}"
    raise UsageError(f"unknown language '{name}': {hint}")


@cache
def _candidates() -> frozenset[str]:
    return frozenset(module.name for module in pkgutil.iter_modules(__path__))


def _modules() -> Iterator[Language]:
    for candidate in sorted(_candidates()):
        if (module := _loaded(candidate)) is not None:
            yield module


def _loaded(candidate: str) -> Language | None:
    """The module, if it is a language."""
    module = import_module(f"{__name__}.{candidate}")
    return cast(Language, module) if hasattr(module, "NAME") and hasattr(module, "parse") else None
