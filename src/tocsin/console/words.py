"""What can be typed at the console: the commands of 003 section 3 and a few words beside them; completion."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from glob import escape, glob
from os.path import isdir
from typing import Final

from tocsin.algebra.rules import ALL_RULES, ATTRIBUTE_TYPES
from tocsin.console.partner import Partner
from tocsin.monitor.texts import TOPICS


@dataclass(frozen=True)
class Word:
    """Something to type: the word it begins with, the form, what it does, and where 003 has it."""

    word: str
    form: str
    meaning: str
    section: str = ""


GEM: Final = (
    Word("event", "event NAME [(TYPE ATTRIBUTE, ...)]", "declares a class of events", "3.1"),
    Word("rule", "rule NAME [PERIOD] { EXPRESSION ==> ACTION; ... }", "defines a rule, which starts disabled", "3.2"),
    Word("", 'NAME ["SOURCE"] [[TIME]] [(VALUE, ...)]', "triggers an event of a declared class", "3.3"),
    Word("enable", "enable RULE | enable *", "lets a rule, or every rule, see events", "3.3"),
    Word("disable", "disable RULE | disable *", "stops rules and discards what they hold", "3.3"),
    Word("~", "~ EVENT | ~ rule RULE", "removes a class that no rule refers to, or a rule", "3.3"),
    Word("load", 'load "FILE"', "does the commands of a file", "3.3"),
    Word("stop", "stop", "halts the monitor, discards what it holds", "3.3"),
)
"""The commands of GEM."""

OWN: Final = (
    Word("", '{"type": "NAME", "data": {...}, ...}', "takes an event, written as in an event file"),
    Word("show", "show rules | events | rule NAME | event NAME", "what is defined and declared, and what it holds"),
    Word("show", "show firings | statistics | clock", "what happened last, and the counts; the time"),
    Word("advance", "advance [PERIOD] | advance to [TIME]", "lets time pass, where events bring their own"),
    Word("next", "next [N | all]", "takes so many events of the file, with --speed virtual"),
    Word("help", "help", "shows this"),
    Word("quit", "quit", "ends the session; so does the end of the input"),
)
"""What the console has besides. A declared class of the same name hides a word that stands alone."""

_ACTIONS: Final = ("notify", "forward", "trigger", "enable", "disable")
_LAST_NAME: Final = re.compile(r"\w*\Z")
_LOADING: Final = re.compile(r'\bload\s+"([^"\n]*)\Z')
_BEFORE: Final = re.compile(r"(~\s*rule|show\s+rule|show\s+event|[~]|\w+|==>|[{(,;])\s*\Z")


def help_lines() -> Iterator[str]:
    """All that can be typed."""
    width = max(len(word.form) for word in (*GEM, *OWN))
    yield "GEM:"
    yield from (f"  {word.form:{width}}  {word.meaning}" for word in GEM)
    yield "and:"
    yield from (f"  {word.form:{width}}  {word.meaning}" for word in OWN)
    yield "Actions of a rule: notify EVENT (...); forward EVENT; EVENT (...); enable [RULE]; disable [RULE]"


def begun(text: str) -> str:
    """The part of a text that completion replaces: the name, or the path, that is being written."""
    path = _LOADING.search(text)
    found = path[1] if path is not None else _LAST_NAME.search(text)
    return found if isinstance(found, str) else "" if found is None else found[0]


def completions(text: str, monitor: Partner) -> list[str]:
    """What may stand where a text ends, beginning with what is there of it already."""
    path = _LOADING.search(text)
    if path is not None:
        return _paths(path[1])
    start = begun(text)
    return sorted(
        dict.fromkeys(
            each
            for each in _candidates(text[: len(text) - len(start)], monitor)
            if each.startswith(start) and each != start
        )
    )


def _candidates(before: str, monitor: Partner) -> Iterable[str]:
    """What may follow a text, whatever it begins with."""
    rules, events = list(monitor.rules), list(monitor.declared)
    line = before.rpartition("\n")[2]
    inside = before.count("{") > before.count("}")
    found = _BEFORE.search(before if inside else line)
    match re.sub(r"\s+", " ", found[1]) if found is not None else "":
        case "":
            return [*(word.word for word in (*GEM, *OWN) if word.word.isalpha()), *events]
        case "enable" | "disable":
            return rules if inside else [*rules, ALL_RULES]
        case "~ rule" | "~rule" | "show rule":
            return rules
        case "~":
            return ["rule", *events]
        case "show":
            return TOPICS
        case "show event" | "notify" | "forward" | "trigger":
            return events
        case "==>" | ";" if inside and "==>" in before.rpartition("{")[2]:
            return [*_ACTIONS, *events]
        case "(" | "," if re.match(r"\s*event\b", line):
            return ATTRIBUTE_TYPES
        case _ if inside:
            return [*events, *rules, "when", "at", "every"]
    return []


def _paths(start: str) -> list[str]:
    """Files and folders whose names begin so."""
    found = sorted(glob(escape(start) + "*"))
    return [f"{path}/" if isdir(path) else path for path in found]
