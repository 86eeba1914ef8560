"""docs/service.md is true: its five minutes are lived through as they are written, with a real service and a real receiver.

Everything runs in one bash, block after block, and what it shows is compared (`...` stands for anything). Put in the place
of what is written are only: two free ports for 8750 and 9000, so that tests do not get in each other's way, and the
`tocsin` and `python3` of these tests, which come first in PATH. Between two blocks it is waited, as a reader would, until
the service or the receiver has said what the page shows of it.
"""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tocsin.service.deliveries.records import Health, State
from tocsin.service.deliveries.retries import HOUR, MINUTE, PAUSES, SECOND
from tocsin.service.request_documents import ALL_KEYS, OWN_KEYS
from tocsin.service.setting_kinds import each_setting
from tocsin.service.settings import Settings
from tocsin.service.web.app import ENDPOINTS
from tocsin.service.web.intake import KINDS
from tocsin.service.web.streams import SOCKETS

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "service.md"
TEXT = PAGE.read_text(encoding="utf-8")
TOUR = TEXT.partition("## Requests")[0]
BLOCK = re.compile(r"^```(\w+) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PATIENCE = 60.0
DONE = "--- done ---"


class Shell:
    """One bash that is given commands, as somebody types them."""

    def __init__(self, home: Path) -> None:
        programs = home / "programs"
        programs.mkdir()
        for name, start in (("tocsin", "-m tocsin.cli"), ("python3", "")):
            program = programs / name
            program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {start} "$@"\n')
            program.chmod(0o755)
        path = f"{programs}:{os.environ['PATH']}"
        self._bash = subprocess.Popen(
            ["bash", "--norc", "--noprofile"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=home,
            start_new_session=True,
            env=os.environ | {"PATH": path, "PYTHONPATH": os.pathsep.join(each for each in sys.path if each)},
        )

    def run(self, command: str) -> str:
        """What a command shows."""
        assert self._bash.stdin is not None
        assert self._bash.stdout is not None
        self._bash.stdin.write(f"{command}\necho; echo '{DONE}'\n")
        self._bash.stdin.flush()
        lines: list[str] = []
        for line in self._bash.stdout:
            if line == f"{DONE}\n":
                break
            lines.append(line)
        return "".join(lines).removesuffix("\n")

    def close(self) -> None:
        """Ends it, with all that it has started."""
        os.killpg(self._bash.pid, 9)
        self._bash.wait()
        for stream in (self._bash.stdin, self._bash.stdout):
            assert stream is not None
            stream.close()


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    made = Shell(tmp_path)
    yield made
    made.close()


def free_ports(count: int) -> list[int]:
    """Ports that nobody has; all of them are asked for before one is given back."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def commands(block: str) -> Iterator[tuple[str, str]]:
    """The commands of a block, each with what it shows; what follows a `<<END` belongs to it."""
    for each in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        lines = each.splitlines()
        count = lines.index("END") + 1 if "<<END" in lines[0] else 1
        while lines[count - 1].endswith("\\"):
            count += 1
        yield "\n".join(lines[:count]), "\n".join(lines[count:])


def shows(told: str, expected: str) -> bool:
    """Whether something is what the page shows; `...` is anything, and blanks do not count."""
    parts = ["".join(part.split()) for part in expected.split("...")]
    return re.fullmatch(".*?".join(map(re.escape, parts)), "".join(told.split())) is not None


def is_question(command: str) -> bool:
    """Whether asking again changes nothing: what it shows may still be to come."""
    return command.startswith(("cat ", "tocsin service ")) or (
        "ask " in command and "-X" not in command and "--json" not in command
    )


@pytest.mark.slow
def test_the_five_minutes(shell: Shell) -> None:
    service, receiver = free_ports(2)
    text = TOUR.replace("8750", str(service)).replace("9000", str(receiver))
    text = text.replace("tocsin serve >", f"tocsin serve --port {service} >")
    shown = 0
    for kind, name, block in BLOCK.findall(text):
        if name:
            shell.run(f"cat > {name} <<'END OF FILE'\n{block}END OF FILE")
        if kind != "console":
            continue
        for command, expected in commands(block):
            deadline = time.monotonic() + PATIENCE
            while not shows(told := shell.run(command), expected):
                assert is_question(command), f"{command}\nshows:\n{told}\nthe page shows:\n{expected}"
                assert time.monotonic() < deadline, f"{command}\nshows:\n{told}\nthe page shows:\n{expected}"
                time.sleep(0.05)
            shown += 1
    assert shown > 25


def table(head: str) -> list[list[str]]:
    """The code in each cell of the rows of the table that follows a line."""
    rows = TEXT.partition(head)[2].lstrip("\n").partition("\n\n")[0].splitlines()[2:]
    return [[" ".join(re.findall(r"`([^`]+)`", cell)) for cell in row.split("|")[1:-1]] for row in rows]


def test_every_key_of_a_request_is_told() -> None:
    told = {name for row in table("Only `name`, `language` and `expression` are required.") for name in row[0].split()}
    assert told == set(ALL_KEYS) - {"reported"}
    assert set(OWN_KEYS) <= told


def test_every_content_type_is_told() -> None:
    assert [row[0] for row in table("The `Content-Type` determines the format:")] == list(KINDS)


def test_every_path_is_told_and_no_other() -> None:
    """The monitor's are on the page about the console."""
    there = {f"{each.method} {each.path}" for each in ENDPOINTS if not each.path.startswith("/v1/monitor")}
    there |= {"POST /v1/events", "GET /openapi.json"}
    told = {" ".join(each.split()) for each in re.findall(r"`((?:GET|POST|PUT|DELETE)\s+/[^`?]*)", TEXT)}
    assert told == there
    assert all(f"`{path}`" in TEXT or f" {path}`" in TEXT for path in SOCKETS)


def test_states_and_codes_are_those_of_the_code() -> None:
    for state in (*State, *Health):
        assert f"`{state.value}`" in TEXT
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "src/tocsin/service").rglob("*.py"))
    for code in ("event-mismatch", "type-undeclared", "tocsin_rules_", '"late": true'):
        assert code in TEXT
        assert code in sources


def test_the_settings_that_are_named_are_there() -> None:
    settings = {each.path for each in each_setting(Settings)}
    for name in (
        "remember",
        "undeclared",
        "subscriptions",
        "limits.queue",
        "deliveries.allowed_networks",
        "tracing",
        "log",
    ):
        assert name in settings
        assert name in TEXT
    assert [
        name for name in re.findall(r"`((?:limits|deliveries|access)\.[a-z_]+)`", TEXT) if name not in settings
    ] == []


def test_the_limits_and_pauses_are_those_of_the_code() -> None:
    limits = Settings().limits
    text = TEXT.replace("\n", " ")
    assert f"at most {limits.body // 10**6} MB and {limits.batch:,} events" in text
    assert f"an expression {limits.expression:,} characters, an owner {limits.rules_per_owner:,} requests" in text
    told = re.findall(r"(\d+) (s|min|h)\b", TEXT.partition("| retried after ")[2].partition(", each")[0])
    assert [int(number) * {"s": SECOND, "min": MINUTE, "h": HOUR}[unit] for number, unit in told] == list(PAUSES)
