"""What was found, written into a test file as what is expected. Only that is touched; comments elsewhere stay."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import yaml

from tocsin.errors import TocsinError
from tocsin.events import Detection
from tocsin.formats import TimeStyle
from tocsin.formats.writers import timely, to_json
from tocsin.testing.cases import Case, CaseFile
from tocsin.testing.files import EXPECTED
from tocsin.testing.marked import Marked

_PLAIN = re.compile(r"[A-Za-z_][\w.-]*( [\w.-]+)*")
_RESERVED = {"true", "false", "null", "yes", "no", "on", "off", "none", "nothing", "y", "n"}


def updated(file: CaseFile, found: Mapping[str, Sequence[Detection]]) -> str:
    """The text of a test file in which the named cases expect what was found."""
    marked = Marked(file.text, file.path, EXPECTED)
    text, edits = file.text, []
    for number, case in enumerate(file.cases):
        if case.name in found:
            node = marked.node(("cases", number))
            assert isinstance(node, yaml.MappingNode)
            edits.append(_edit(file.text, node, case, found[case.name]))
    for begin, end, written in sorted(edits, reverse=True):
        text = text[:begin] + written + text[end:]
    _check(file, text, found)
    return text


def expectation(one: Detection, case: Case) -> str:
    """A detection as it is written in a test file, on one line."""
    style = case.style
    fields = {"rule": _scalar(one.rule)}
    if one.type != one.rule:
        fields["type"] = _scalar(one.type)
    fields["events"] = "[" + ", ".join(_id(name) for name in one.events) + "]"
    fields["time"] = _time(one.time_us, style)
    if one.start_us != one.time_us and not one.events:
        fields["start"] = _time(one.start_us, style)
    if one.data:
        fields["data"] = to_json(timely(one.data, style)) if one.data else "{}"
    if one.notification is not None:
        fields["notification"] = json.dumps(one.notification, ensure_ascii=False)
    return "{" + ", ".join(f"{name}: {value}" for name, value in fields.items()) + "}"


def _edit(text: str, node: yaml.MappingNode, case: Case, found: Sequence[Detection]) -> tuple[int, int, str]:
    """Where the file is changed, and what stands there then."""
    lines = [expectation(one, case) for one in found]
    indent = " " * node.start_mark.column
    is_flow = node.flow_style is True
    if not lines:
        value = "none"
    elif is_flow:
        value = "[" + ", ".join(lines) + "]"
    else:
        value = "\n" + "\n".join(f"{indent}  - {line}" for line in lines)
    for key, old in node.value:
        if key.value == "expect":
            begin = text.index(":", key.end_mark.index) + 1
            return begin, max(begin, _end(old, text)), value if value.startswith("\n") else f" {value}"
    last = _end(node.value[-1][1], text)
    if is_flow:
        return last, last, f", expect: {value}"
    return last, last, f"\n{indent}expect:" + (value if value.startswith("\n") else f" {value}")


def _end(node: yaml.Node, text: str) -> int:
    """Where a node's own text ends, without the blank lines and comments that follow it."""
    end: int = node.end_mark.index
    if isinstance(node, yaml.ScalarNode):
        return len(text[:end].rstrip()) if node.style in ("|", ">") else end
    if not isinstance(node, yaml.CollectionNode) or node.flow_style or not node.value:
        return end
    last = node.value[-1]
    return _end(last[1] if isinstance(last, tuple) else last, text)


def _check(file: CaseFile, text: str, found: Mapping[str, Sequence[Detection]]) -> None:
    """A file is only written if all but what was to be changed is as it was."""

    def rest(value: object) -> object:
        assert isinstance(value, dict)
        cases = [
            {key: each for key, each in case.items() if key != "expect" or str(case.get("name")) not in found}
            for case in value["cases"]
        ]
        return value | {"cases": cases}

    before = rest(Marked(file.text, file.path, EXPECTED).value)
    try:
        after = rest(Marked(text, file.path, EXPECTED).value)
    except TocsinError:
        after = None
    if before != after:
        raise TocsinError(f"{file.path} cannot be updated without changing more than what is expected: do it by hand")


def _time(instant: int, style: TimeStyle) -> str:
    return style.text(instant)


def _id(name: str) -> str:
    return name if name.isdecimal() and str(int(name)) == name else _scalar(name)


def _scalar(text: str) -> str:
    """A text as YAML: as it stands where that is read as this text, else in quotes."""
    if _PLAIN.fullmatch(text) and text.lower() not in _RESERVED:
        return text
    return json.dumps(text, ensure_ascii=False)


def written(file: CaseFile, text: str) -> CaseFile:
    """The file with its new text, on disk too."""
    with open(file.path, "w", encoding="utf-8") as stream:
        stream.write(text)
    return replace(file, text=text)
