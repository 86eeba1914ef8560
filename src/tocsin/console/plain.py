"""Lines from a file, a pipe, or a terminal without line editing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator

from tocsin.console.session import Console
from tocsin.languages.gem_scripts import is_unfinished

PROMPT = "gem> "
MORE = "...> "
"""Before a line that goes on with a command."""


def commands(lines: Iterable[str]) -> Iterator[str]:
    """Lines put together to commands: one that is not finished takes in the lines after it, up to an empty one."""
    held: list[str] = []
    for line in lines:
        text = line.rstrip("\r\n")
        held.append(text)
        whole = "\n".join(held)
        is_event = whole.lstrip().startswith("{")
        if is_event or not text.strip() or not is_unfinished(whole):
            held = []
            yield whole
    if held:
        yield "\n".join(held)


def talk(console: Console, lines: Iterable[str], echo: Callable[[str], None] | None = None) -> None:
    """Does what stands on the lines, up to the end or to what ends the session."""
    for text in commands(lines):
        if echo is not None and text.strip():
            echo("\n".join(f"{MORE if place else PROMPT}{line}" for place, line in enumerate(text.split("\n"))))
        if text.strip() and not console.enter(text):
            return


def typed() -> Iterator[str]:
    """Lines from a terminal, with a prompt and no more; the prompt is not in what programs read."""
    try:
        while True:
            if sys.stdout.isatty():
                yield input(PROMPT)
            else:
                print(PROMPT, end="", file=sys.stderr, flush=True)
                yield input()
    except EOFError:
        print(file=sys.stdout if sys.stdout.isatty() else sys.stderr)
