"""The command as a process: exit codes, help, pipes, interrupts, and a terminal in any language."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tocsin.cli import VERBS

COMMAND = [sys.executable, "-m", "tocsin.cli"]
PLAIN = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    chosen = {"capture_output": True, "text": True, "timeout": 60, "check": False, "encoding": "utf-8", **options}
    return subprocess.run([*COMMAND, *arguments], **chosen)  # type: ignore[call-overload,no-any-return]  # options of run


def test_help_and_version(tocsin: Run) -> None:
    done = tocsin("--help")
    assert (done.code, done.err) == (0, "")
    assert all(f"    {verb}" in done.out and summary[:30] in done.out for verb, summary in VERBS.items())
    assert "example:" in done.out
    assert tocsin("--version").out.startswith("tocsin 0.")


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_an_example(tocsin: Run, verb: str) -> None:
    done = tocsin(verb, "--help")
    assert (done.code, done.err) == (0, "")
    assert f"  tocsin {verb}" in done.out
    assert "example" in done.out


def test_no_verb_or_a_wrong_one_is_wrong_usage(tocsin: Run) -> None:
    assert tocsin().code == tocsin("detct").code == tocsin("--colour").code == 2
    assert "usage: tocsin" in tocsin().out
    assert "invalid choice: 'detct'" in tocsin("detct").err


def test_help_comes_at_once_and_imports_nothing_heavy() -> None:
    heavy = "pyarrow,yaml,pandas,polars,numpy,pyspark,tocsin.languages,tocsin.algebra,tocsin.formats"
    code = f"""
import sys
from tocsin.cli import main
main(["--help"])
found = [name for name in {heavy.split(",")!r} if name in sys.modules]
print("imported", found)
"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.stdout.splitlines()[-1] == "imported []"
    assert (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime) < 0.25


def test_exit_codes_of_the_process(tmp_path: Path) -> None:
    assert run("--version").returncode == 0
    assert run("check", "-e", "a ;", "--lang", "eps").returncode == 1
    assert run("detect").returncode == 2


def test_output_is_utf_8_whatever_the_terminal_speaks(tmp_path: Path) -> None:
    event = json.dumps({"type": "a", "time": 1, "data": {"ort": "Zürich 名前"}}, ensure_ascii=False)
    for style in ("jsonl", "table"):
        done = run("detect", "-e", "a", "--lang", "eps", "--events", "-", "--format", style, input=event, env=PLAIN)
        assert (done.returncode, done.stderr) == (0, "")
        assert "Zürich 名前" in done.stdout


def test_a_fault_in_any_script_is_shown_on_any_terminal(tmp_path: Path) -> None:
    path = tmp_path / "r.gem"
    path.write_text("event größe\nevent )\nrule 名前 { größ ==> notify größe }", encoding="utf-8")
    done = run("check", str(path), env=PLAIN)
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert f"{path}:2:7: unexpected ')'" in done.stderr


@pytest.mark.parametrize("count", [1, 5_000])
def test_a_reader_that_has_had_enough_is_no_failure(tmp_path: Path, count: int) -> None:
    path = tmp_path / "e.jsonl"
    path.write_text('{"type": "a", "time": 1}\n' * count)
    command = [*COMMAND, "detect", "-e", "a", "--lang", "eps", "--events", str(path), "--window", "1 sec"]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_disk_is_told_in_one_line() -> None:
    with open("/dev/full", "w") as full:
        command = [*COMMAND, "check", "-e", "a", "--lang", "eps"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False, text=True)
    assert (done.returncode, done.stderr) == (1, "tocsin: No space left on device\n")


def test_an_interrupt_ends_with_130(tmp_path: Path) -> None:
    output = tmp_path / "found.jsonl"
    command = [*COMMAND, "detect", "-e", "a", "--lang", "eps", "--events", "-", "--output", str(output)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        for _ in range(600):
            if output.exists():  # it is made just before the first event is waited for
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 130
        assert process.stderr.read() == b"tocsin: interrupted\n"
