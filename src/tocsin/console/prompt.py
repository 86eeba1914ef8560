"""Lines from a terminal: history, completion, commands over several lines, firings above the prompt."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from tocsin.console.partner import Partner
from tocsin.console.plain import MORE, PROMPT
from tocsin.console.session import Console
from tocsin.console.words import begun, completions
from tocsin.errors import MissingDependency
from tocsin.languages.gem_scripts import is_unfinished

try:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.application import get_app
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.filters import Condition
    from prompt_toolkit.history import FileHistory, History, InMemoryHistory
    from prompt_toolkit.input import create_input
    from prompt_toolkit.patch_stdout import patch_stdout
except ImportError:
    raise MissingDependency("prompt_toolkit", "console") from None

GREETING = "A GEM monitor. Type commands; 'help' lists them, Tab completes, 'stop' or Ctrl-D ends the session."


def talk(console: Console, history: str | None, from_terminal: bool, greeting: str = GREETING) -> None:
    """Does what is typed, up to the end of the input or to what ends the session.

    `from_terminal`: standard input is for events, so that what is typed is read from the terminal itself.
    """
    session: PromptSession[str] = PromptSession(
        PROMPT,
        history=_history(history),
        completer=_Words(console.monitor),
        complete_while_typing=False,
        multiline=Condition(_goes_on),
        prompt_continuation=MORE,
        input=create_input(always_prefer_tty=from_terminal),
    )
    print(greeting)
    with patch_stdout():
        while True:
            try:
                text = session.prompt()
            except KeyboardInterrupt:  # the line is given up, not the session
                continue
            except EOFError:
                return
            if text.strip() and not console.enter(text):
                return


def _goes_on() -> bool:
    """Whether the end of a line is not the end of the command; an empty line always is."""
    text = get_app().current_buffer.text
    return not text.endswith("\n") and not text.lstrip().startswith("{") and is_unfinished(text)


def _history(path: str | None) -> History:
    if path is None:
        return InMemoryHistory()
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    return FileHistory(path)


def usual_history() -> str | None:
    """The file that remembers what was typed, where such files belong; None where there can be none."""
    home = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    folder = Path(home) / "tocsin"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return str(folder / "console-history")


class _Words(Completer):  # type: ignore[misc]  # the library is optional, and seen as untyped
    """Completion by what is declared and defined just now."""

    def __init__(self, monitor: Partner) -> None:
        self._monitor = monitor

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        text = document.text_before_cursor
        back = -len(begun(text))
        return (Completion(each, back) for each in completions(text, self._monitor))
