"""Large texts of many kinds, as functions of their size: what a parser must take in proportion to it."""

from __future__ import annotations

from collections.abc import Callable

RULE = "rule r [5*min] { x:e1 ; y:e2 when x.a > 5 && y.b == 'q' ==> notify z(x.a, 5) }\n"
REQUEST = "request r {\n  event: x:e1 ; y:e2\n  condition: x.a > 5 && y.b == 'q'\n}\n"

LARGE: dict[str, Callable[[int], str]] = {
    "blanks": lambda size: " " * size + "a",
    "newlines": lambda size: "\n" * size + "a",
    "comment": lambda size: "/*" + "*" * size + "*/a",
    "name": lambda size: "a" * size,
    "name beyond ASCII": lambda size: "é" * size,
    "digits": lambda size: "1" * size,
    "string": lambda size: '"' + "x" * size + '"',
    "escapes": lambda size: '"' + "\\n" * (size // 2) + '"',
    "slashes": lambda size: "/" * size,
}
"""Texts of few tokens, each of them large."""

MANY: dict[str, Callable[[int], str]] = {
    "comments": lambda size: "/**/" * (size // 4) + "a",
    "continued lines": lambda size: "\\\n" * (size // 2) + "a",
    "quotes": lambda size: "'" * size,
    "one quote a line": lambda size: "'x\n" * (size // 3),
    "parentheses": lambda size: "(" * size,
    "brackets": lambda size: "[" * size,
    "braces": lambda size: "{" * size,
    "backslashes": lambda size: "\\" * size,
    "illegal characters": lambda size: "\x00" * size,
    "blanks of another kind": lambda size: "a\u00a0" * (size // 2),
    "sum": lambda size: "1+" * (size // 2) + "1",
    "negations": lambda size: "!" * size,
    "time": lambda size: "[" + "1:" * (size // 2) + "]",
    "faults": lambda size: ")(\n" * (size // 3),
    "words": lambda size: "abc " * (size // 4),
    "rules": lambda size: RULE * (size // len(RULE)),
    "requests": lambda size: REQUEST * (size // len(REQUEST)),
}
"""Texts of very many tokens."""

CHAINS: dict[str, Callable[[int], str]] = {
    "sequence": lambda size: "a;" * (size // 2) + "a",
    "operators of all levels": lambda size: "a;b|c&d;" * (size // 8) + "a",
}
"""Expressions that are read whole and become as large as they are."""
