"""Every refusal has a code, and `docs/service-codes.md` lists each of them once: the page is held to the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import tocsin.service
from tocsin.service.access.refusals import STATUS
from tocsin.service.request_documents import ALL_KEYS

PAGE = Path(__file__).parents[2] / "docs" / "service-codes.md"
CODES = {
    "refused": 1,
    "refusal": 0,
    "Refusal": 0,
    "RequestFault": 0,
    "TargetFault": 0,
    "NotTaken": 1,
    "NotDeclared": 0,
    "_fault": 0,
    "refuse": 1,
    "RefusedEvent": 1,
}
"""What makes a refusal, and which of its arguments is the code."""
_CODE = re.compile("[a-z]+(-[a-z0-9]+)*")


def made() -> set[str]:
    """The codes that stand in the package."""
    found = set(STATUS) | {f"{key}-invalid" for key in (*ALL_KEYS, "rule")} | {"not-found", "method-not-allowed"}
    for path in Path(tocsin.service.__file__).parent.rglob("*.py"):
        found |= set(_of(ast.parse(path.read_text())))
    return found


def _of(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            place = CODES.get(name)
            if place is not None and place < len(node.args):
                yield from _text(node.args[place])
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "code":
                    yield from _text(value)


def _text(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and _CODE.fullmatch(each.value):
            yield each.value


def test_every_code_is_listed_once() -> None:
    listed = re.findall(r"^\| `([a-z0-9_-]+)` \|", PAGE.read_text(), re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert set(listed) == made()
    assert listed == sorted(listed)
