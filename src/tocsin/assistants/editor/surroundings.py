"""What stands around the cursor: the rule's text, its language, the setting that is being written, its variables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from tocsin.assistants.editor.rule_texts import YAML
from tocsin.assistants.editor.terms import SETTINGS

MOST_LINES: Final = 400
"""Lines of a rule that are looked at, on each side of the cursor."""
MOST_CHARACTERS: Final = 1_000
"""Characters of a line that are looked at."""

_KEY: Final = re.compile(r"(\s*(?:-\s+)?)(\w+):(?:\s|\Z)")
_ITEM: Final = re.compile(r"(\s*)-\s")
_BEGINS: Final = re.compile(r"\s*(?:event|rule|request|enable|disable)\s")
# Each begins where a word does and is possessive, so that no text takes long.
_COLON: Final = re.compile(r"(?<!\w)([^\W\d]\w*+)\s*+:\s*+(?:\"([^\"\n]++)\"|'([^'\n]++)'|([^\W\d]\w*+))")
_AS: Final = re.compile(r"(?<!\w)([^\W\d]\w*+)\s++as\s++([^\W\d]\w*+)")
_EVENT: Final = re.compile(r"tc\.event\(\s*[\"']([^\"'\n]+)[\"'](?:\s*,\s*[\"']([^\"'\n]+)[\"'])?")


@dataclass(frozen=True)
class Surroundings:
    """The place of a cursor in a rule."""

    before: str
    """What stands before it on its line, behind the key if there is one."""
    text: str
    """The expressions and guards of the rule, without the keys."""
    language: str
    key: str
    is_value: bool
    """Whether it is the value of the key that is written here."""

    def variables(self) -> dict[str, str]:
        """The variables of the rule, each with the type of its events."""
        if self.language == "python":
            return dict(_python_variables(self.text))
        if self.language == "pretty":
            return {found[2]: found[1] for found in _AS.finditer(self.text)}
        found = {each[1]: each[2] or each[3] or each[4] for each in _COLON.finditer(self.text)}
        return {name: kind for name, kind in found.items() if self.language != "eps" or name not in _CLAUSES}


_CLAUSES: Final = ("event", "condition", "notification", "callback", "window", "context", "order")


def surroundings_of(text: str, suffix: str, line: int, column: int) -> Surroundings:
    """What stands around a place (from 1)."""
    lines = text.split("\n")
    here = lines[line - 1] if line <= len(lines) else ""
    before = here[: column - 1][-MOST_CHARACTERS:]
    return _in_yaml(lines, line - 1, before) if suffix in YAML else _in_script(lines, line - 1, before, suffix)


def _in_yaml(lines: list[str], row: int, before: str) -> Surroundings:
    first = next((number for number in _up(row) if _ITEM.match(lines[number]) and _KEY.match(lines[number])), row)
    last = next(
        (number for number in _down(row, lines) if _ITEM.match(lines[number]) and _KEY.match(lines[number])), len(lines)
    )
    block = lines[first : min(last, first + 2 * MOST_LINES)]
    key, own = "", _KEY.match(before)
    if own is not None:
        key, is_value = own[2], True
    if key not in SETTINGS:  # a line of a text, or a value of a mapping, that goes on from a setting above
        above = next(
            (found for number in _up(row - 1) if (found := _key_above(lines[number], before)) is not None), None
        )
        key, is_value = (above, True) if above else (key, False)
    if own is not None:
        before = before[own.end(2) + 1 :]
    texts: dict[str, list[str]] = {}
    current = ""
    for each in block:
        line, begins = each[:MOST_CHARACTERS], _KEY.match(each[:MOST_CHARACTERS])
        if begins is not None and begins[2] in SETTINGS:
            current, line = begins[2], line[begins.end(2) + 1 :]
        texts.setdefault(current, []).append(line.strip(" \"'"))
    language = " ".join(texts.get("language", [])).split("#")[0].strip(" \"'")
    text = "\n".join(texts.get("expression", []))
    return Surroundings(before.lstrip(" \"'"), text, language, key, is_value)


def _key_above(line: str, before: str) -> str | None:
    """The key of a line above, if what is written further in belongs to its value; `""` where it does not."""
    if not line.strip():
        return None
    found = _KEY.match(line)
    indent = len(line) - len(line.lstrip())
    own = len(before) - len(before.lstrip())
    if found is None or found[2] not in SETTINGS:
        return None
    return found[2] if own > len(found[1]) and own > indent and _holds_text(line[found.end(2) + 1 :]) else ""


def _holds_text(value: str) -> bool:
    """Whether a value goes on in the lines below: a block of text, or a mapping."""
    return value.strip()[:1] in ("", "|", ">")


def _in_script(lines: list[str], row: int, before: str, suffix: str) -> Surroundings:
    first = next((number for number in _up(row) if _BEGINS.match(lines[number])), row)
    last = next((number for number in _down(row, lines) if _BEGINS.match(lines[number])), len(lines))
    block = [each[:MOST_CHARACTERS] for each in lines[first : min(last, first + 2 * MOST_LINES)]]
    if suffix != ".eps":
        return Surroundings(before, "\n".join(block), "gem", "", True)
    found = _KEY.match(before)
    key = found[2] if found is not None and found[2] in _CLAUSES else ""
    plain = [re.sub(rf"^\s*(?:{'|'.join(_CLAUSES)})\s*:", "", each) for each in block]
    return Surroundings(before[found.end() :] if key and found else before, "\n".join(plain), "eps", key, bool(key))


def _up(row: int) -> Iterator[int]:
    yield from islice(range(row, -1, -1), MOST_LINES)


def _down(row: int, lines: list[str]) -> Iterator[int]:
    yield from islice(range(row + 1, len(lines)), MOST_LINES)


def _python_variables(text: str) -> Iterator[tuple[str, str]]:
    for line in text.split("\n"):
        events = _EVENT.findall(line)
        yield from ((name or kind, kind) for kind, name in events)
        assigned, sign, value = line.partition("=")
        if sign and value.lstrip().startswith("tc.event"):
            names = [name.strip() for name in assigned.split(",")]
            yield from ((name, kind) for name, (kind, _) in zip(names, events, strict=False) if name.isidentifier())
