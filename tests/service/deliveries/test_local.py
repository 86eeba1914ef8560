"""Notifications to files and programs: only those that have a name, whole lines, in time."""

from __future__ import annotations

import asyncio
import os
import select
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tocsin.service.deliveries.local import MOST_SHOWN, Files, Programs
from tocsin.service.deliveries.senders import TAKEN, Outcome, Result, message_of
from tocsin.service.deliveries.targets import File, Program

MESSAGE = message_of("r", b'{"id": "d1"}')
LINE = '{"id": "d1"}\n'


def to_file(path: Path, times: int = 1) -> list[Outcome]:
    async def send() -> list[Outcome]:
        sender = Files({"alarms": path})
        try:
            return list(await asyncio.gather(*[sender.send(File("alarms"), MESSAGE) for _ in range(times)]))
        finally:
            await sender.close()

    return asyncio.run(send())


def to_program(words: Sequence[str], seconds: float = 20.0) -> Outcome:
    async def send() -> Outcome:
        sender = Programs({"siren": words}, seconds)
        try:
            return await sender.send(Program("siren"), MESSAGE)
        finally:
            await sender.close()

    return asyncio.run(send())


def python(text: str) -> list[str]:
    return [sys.executable, "-c", text]


def test_a_line_for_each(tmp_path: Path) -> None:
    path = tmp_path / "alarms.jsonl"
    assert to_file(path, 3) == [TAKEN] * 3
    assert path.read_text() == LINE * 3


def test_a_line_that_was_torn_is_ended_first(tmp_path: Path) -> None:
    path = tmp_path / "alarms.jsonl"
    path.write_text('{"id": "d0"}\n{"id":')
    to_file(path)
    assert path.read_text() == '{"id": "d0"}\n{"id":\n' + LINE


def test_a_full_disk_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "alarms.jsonl"
    path.write_text("before\n")
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:5]))
    assert to_file(path) == [Outcome(Result.FAILED, "the disk is full")]
    assert path.read_text() == "before\n"


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert to_file(tmp_path / "pipe")[0] == Outcome(
        Result.FAILED, "this is no file that lines can be put at the end of"
    )
    assert to_file(tmp_path)[0] == Outcome(Result.FAILED, "Is a directory")
    assert to_file(tmp_path / "no" / "such")[0] == Outcome(Result.FAILED, "No such file or directory")


def test_names_that_the_operator_has_taken_away() -> None:
    async def send() -> list[Outcome]:
        files, programs = Files({}), Programs({})
        return [await files.send(File("x"), MESSAGE), await programs.send(Program("x"), MESSAGE)]

    assert [each.result for each in asyncio.run(send())] == [Result.REFUSED] * 2


def test_a_program_gets_it_on_its_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOCSIN_KEY", "tk_secret")
    out = tmp_path / "out"
    text = f"import os, sys; open({str(out)!r}, 'w').write(sys.stdin.read() + os.environ['TOCSIN_NOTIFICATION'] + str(sys.argv[1:]) + str('TOCSIN_KEY' in os.environ))"
    assert to_program([*python(text), "$(id)"]) == TAKEN
    assert out.read_text() == f"{LINE}{MESSAGE.id}['$(id)']False", "no shell, and none of our secrets"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (python("import sys; print('no bell'); sys.exit(3)"), "it ended with 3: no bell"),
        (python("import os; os.kill(os.getpid(), 9)"), "signal 9 ended it"),
        (["/no/such/program"], "it cannot be run: No such file or directory"),
        (["a\0b"], "it cannot be run: embedded null byte"),
    ],
)
def test_programs_that_fail(words: list[str], reason: str) -> None:
    assert to_program(words) == Outcome(Result.FAILED, reason)


def test_a_program_that_takes_too_long_is_stopped_with_what_it_has_started(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "held")
    held = os.open(tmp_path / "held", os.O_RDONLY | os.O_NONBLOCK)
    words = ["sh", "-c", f"sleep 100 3> {tmp_path}/held & wait"]
    assert to_program(words, 1.0) == Outcome(Result.FAILED, "it took longer than 1 s and was stopped")
    watch = select.poll()
    watch.register(held, 0)
    assert watch.poll(50_000) == [(held, select.POLLHUP)], "who held it is no more"
    os.close(held)


def test_of_what_a_program_writes_a_little_is_kept() -> None:
    text = "import sys; sys.stdout.write('x' * 5_000_000); sys.exit(1)"
    outcome = to_program(python(text))
    assert outcome == Outcome(Result.FAILED, "it ended with 1: " + "x" * MOST_SHOWN)


def test_nobody_waits_for_what_a_program_leaves_behind() -> None:
    text = "import subprocess; subprocess.Popen(['sleep', '5'])"
    assert to_program(python(text), 4.0) == TAKEN


def test_a_program_that_closes_its_output_may_go_on() -> None:
    assert to_program(python("import os, time; os.close(1); os.close(2); time.sleep(0.2)")) == TAKEN


def test_a_program_that_hangs_keeps_no_other_waiting() -> None:
    async def send() -> list[str]:
        sender = Programs({"hangs": ["sleep", "3"], "quick": ["true"]}, 1.0)
        ended: list[str] = []

        async def one(name: str) -> None:
            await sender.send(Program(name), MESSAGE)
            ended.append(name)

        await asyncio.gather(one("hangs"), one("quick"))
        await sender.close()
        return ended

    assert asyncio.run(send()) == ["quick", "hangs"]
