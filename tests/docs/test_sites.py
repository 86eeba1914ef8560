"""docs/sites.md is true: its commands are given as they are written, to real sites over a real NATS.

Put in the place of what is written are only a free port for 4222, and the `tocsin` of these tests. Where something is
still to come, it is looked again, as a reader would.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.test_service import BLOCK, DONE, Shell, commands, free_ports, shows
from tocsin.bench.brokers.servers import Nats
from tocsin.bench.peers.jars import Unavailable
from tocsin.sites.placement.policies import POLICIES
from tocsin.sites.shell.topics import SCHEMES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "sites.md"
TEXT = PAGE.read_text(encoding="utf-8")
PATIENCE = 60.0


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    try:
        server = Nats(tmp_path / "unused").command()[0]
    except Unavailable as error:
        pytest.skip(str(error))
    made = Shell(tmp_path)
    made.run(f"PATH=$PATH:{Path(server).parent}")
    yield made
    made.close()


def is_question(command: str) -> bool:
    """Whether asking again changes nothing."""
    return command.startswith(("cat ", "tocsin sites "))


@pytest.mark.slow
def test_three_sites_one_is_cut_off_and_heals(shell: Shell) -> None:
    (port,) = free_ports(1)
    shown = 0
    for kind, _, block in BLOCK.findall(TEXT.replace("4222", str(port))):
        if kind == "python":
            program = block.replace("found.rule ==", "print('found', found and found.events) or found.rule ==")
            assert "found (" in shell.run(f"python3 - <<'END OF PROGRAM' 2>&1\n{program}END OF PROGRAM")
        if kind != "console":
            continue
        for command, expected in commands(block):
            begun = time.monotonic()
            while not shows(told := shell.run(command), expected):
                says = f"{command}\nshows:\n{told}\nthe page shows:\n{expected}\n{shell.run('cat *.log')}"
                assert is_question(command) and time.monotonic() - begun < PATIENCE, says  # noqa: PT018 - one question
                time.sleep(0.05)
            if command.startswith("nats-server"):
                shell.run(f"until bash -c 'echo > /dev/tcp/127.0.0.1/{port}' 2>/dev/null; do :; done")
            if command.startswith("kill -9"):
                shell.run("wait $B 2>/dev/null")
            shown += 1
    assert shown > 15
    assert DONE


def test_every_policy_and_broker_is_told() -> None:
    for name in POLICIES:
        assert f"| `{name}` |" in TEXT
    for scheme in SCHEMES:
        assert f"{scheme}:" in TEXT


def test_links_lead_somewhere() -> None:
    heads = {line.lstrip("# ").lower().replace(" ", "-") for line in TEXT.splitlines() if line.startswith("#")}
    assert {each.partition(")")[0] for each in TEXT.split("](#")[1:]} <= heads
