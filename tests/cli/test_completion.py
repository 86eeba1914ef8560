"""`tocsin completion`: the scripts, asked by the shells themselves."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tocsin.cli import VERBS
from tocsin.commands.completion import SHELLS
from tocsin.commands.service import ROLES, STATES
from tocsin.formats import FORMATS
from tocsin.languages import languages
from tocsin.translation import targets

ASKED = {
    "tocsin ": set(VERBS),
    "tocsin com": {"completion"},
    "tocsin detect --on-error ": {"refuse", "skip"},
    "tocsin detect --lang ": set(languages()),
    "tocsin why --input-format ": set(FORMATS),
    "tocsin translate --to ": set(targets()),
    "tocsin completion ": set(SHELLS),
    "tocsin ser": {"serve", "service"},
    "tocsin service re": {"redrive", "refused", "requests", "restore"},
    "tocsin service keys --role ": set(ROLES),
    "tocsin service notifications --state ": set(STATES),
    "tocsin serve --config pip": {"pipeline.yaml"},
    "tocsin serve --store pip": {"pipeline.yaml"},
    "tocsin send ev": {"events.jsonl"},
    "tocsin mcp --folder rep": {"report"},
    "tocsin lsp --events ev": {"events.jsonl"},
    "tocsin run --qu": {"--quiet"},
    "tocsin run pip": {"pipeline.yaml"},
    "tocsin detect --events ev": {"events.jsonl"},
    "tocsin backtest --report rep": {"report"},
}
"""What is typed before the tabulator is pressed, and what must then be offered."""

BASH = """
source ./script
read -ra COMP_WORDS <<< "$1"
[ "${1: -1}" = " " ] && COMP_WORDS+=("")
COMP_LINE=$1 COMP_POINT=${#1} COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
name=$(complete -p tocsin | sed 's/.*-F \\([^ ]*\\).*/\\1/')
"$name" tocsin "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
FISH = 'source ./script; complete --do-complete "$argv[1]"'


@pytest.fixture
def script(tocsin: Run, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A shell's script, beside files that could be meant."""
    shell = request.param
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    done = tocsin("completion", shell)
    assert (done.code, done.err) == (0, "")
    (tmp_path / "script").write_text(done.out)
    for name in ("pipeline.yaml", "events.jsonl"):
        (tmp_path / name).touch()
    (tmp_path / "report").mkdir()
    return tmp_path


def answer(folder: Path, *command: str) -> set[str]:
    """What a shell offers, without descriptions and the marks of folders."""
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    assert done.stderr == ""
    return {line.partition("\t")[0].rstrip("/ ") for line in done.stdout.splitlines()}


@pytest.mark.parametrize("script", ["bash"], indirect=True)
@pytest.mark.parametrize("typed", ASKED)
def test_bash_offers_what_fits(script: Path, typed: str) -> None:
    assert answer(script, "bash", "--norc", "-c", BASH, "bash", typed) == ASKED[typed]


@pytest.mark.parametrize("script", ["fish"], indirect=True)
@pytest.mark.parametrize("typed", ASKED)
def test_fish_offers_what_fits(script: Path, typed: str) -> None:
    assert answer(script, "fish", "--no-config", "-c", FISH, typed) >= ASKED[typed]


@pytest.mark.parametrize("script", ["zsh"], indirect=True)
def test_zsh_takes_its_script(script: Path) -> None:
    answer(script, "zsh", "-n", "script")
    assert (script / "script").read_text().startswith("#compdef tocsin")


def test_a_shell_without_a_script_is_refused(tocsin: Run) -> None:
    done = tocsin("completion", "cmd")
    assert done.code == 2
    assert "choose from" in done.err
