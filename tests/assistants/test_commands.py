"""`tocsin mcp` and `tocsin lsp` on the command line: what they need, and what they refuse."""

from __future__ import annotations

import subprocess

import pytest

from tests.assistants.commands import COMMAND, environment


def ran(*arguments: str, without: str = "") -> tuple[int, str]:
    """The exit code and what is said of a command, in a Python that may lack a library."""
    hidden = f"import sys; sys.modules[{without!r}] = None; from tocsin.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [COMMAND[0], "-c", hidden] if without else COMMAND
    done = subprocess.run(
        [*command, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment(), check=False
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr + done.stdout


@pytest.mark.parametrize(("verb", "library", "extra"), [("mcp", "mcp", "mcp"), ("lsp", "pygls", "lsp")])
def test_a_library_that_is_missing_is_named_with_what_installs_it(verb: str, library: str, extra: str) -> None:
    code, said = ran(verb, without=library)
    assert code == 1
    assert said == f"tocsin: this needs {library}, which is not installed: pip install 'tocsin[{extra}]'\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--folder", "nowhere"], "there is no folder 'nowhere'"),
        (["--seconds", "0"], "--seconds is a number above 0, of at most 3600"),
        (["--seconds", "nan"], "--seconds is a number above 0, of at most 3600"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: list[str], says: str) -> None:
    assert ran("mcp", *arguments) == (1, f"tocsin: {says}\n")


@pytest.mark.parametrize("verb", ["mcp", "lsp"])
def test_it_ends_when_nobody_is_there(verb: str) -> None:
    assert ran(verb) == (0, "")


@pytest.mark.parametrize(("verb", "option"), [("mcp", "--folder"), ("lsp", "--events")])
def test_help_has_an_example(verb: str, option: str) -> None:
    code, said = ran(verb, "--help")
    assert code == 0
    assert f"tocsin {verb}\n" in said or f"tocsin {verb} " in said
    assert option in said
