"""`tocsin completion`: scripts by which shells complete verbs, options and values, made of the parsers themselves."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import Any, Final

import shtab

from tocsin.formats import FORMATS
from tocsin.languages import languages
from tocsin.origins import origins
from tocsin.translation import targets

SHELLS: Final = ("bash", "zsh", "fish")

EXAMPLES = """\
examples:
  eval "$(tocsin completion bash)"                                            in ~/.bashrc
  tocsin completion bash > ~/.local/share/bash-completion/completions/tocsin  once, with the package bash-completion
  tocsin completion zsh > ~/.zfunc/_tocsin                                    if fpath contains ~/.zfunc
  tocsin completion fish > ~/.config/fish/completions/tocsin.fish
"""

FILES: Final = frozenset({"FILE", "PATH", "RULES", "SCRIPT", "WHERE"})
FOLDERS: Final = frozenset({"DIR"})
"""What options and arguments stand for that are files or folders, as help calls them."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The argument of `completion`."""
    parser.add_argument("shell", choices=SHELLS, help="the shell to print a script for")


def run(options: argparse.Namespace) -> int:
    """Prints the script of a shell."""
    known = _words()
    for action in _actions(options.command_line):
        if FILES.intersection(str(action.metavar).split("|")):
            _set_completion(action, shtab.FILE)
        elif action.metavar in FOLDERS:
            _set_completion(action, shtab.DIRECTORY)
        else:
            action.choices = known.get(f"{''.join(action.option_strings[-1:])} {action.metavar}", action.choices)
    print(shtab.complete(options.command_line, options.shell))
    return 0


def _words() -> Mapping[str, tuple[str, ...]]:
    """What may stand where the parser lists no values, because a wrong one is refused later, at its place."""
    return {
        "--lang LANGUAGE": languages(),
        "--from ENGINE": origins(),
        "--to LANG": targets(),
        "--input-format NAME": tuple(sorted(FORMATS)),
        "--order ORDER": ("best-effort", "delay:", "guaranteed", "probabilistic:"),
        "--time-model MODEL": ("point", "interval", "2g:"),
        "--run RUN": ("every", "again", "once"),
    }


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The options and arguments of a parser and of all below it."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from _actions(below)
        else:
            yield action


def _set_completion(action: Any, how: Mapping[str, Any]) -> None:
    """Says how a value is completed, where shtab looks for it."""
    action.complete = how
