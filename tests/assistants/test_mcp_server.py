"""The server for assistants: a real `tocsin mcp`, spoken to by the protocol's own client."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from tests.assistants.commands import COMMAND, environment
from tests.assistants.services import Service
from tests.assistants.test_tools import CASES, EVENTS, RULES

GIVEN = {"text": RULES}
RULE = {"name": "pair", "language": "gem", "expression": "a ; b", "window": "5 min"}


def spoken(talk: Callable[[Client], Awaitable[Any]], *arguments: str, **more: str) -> Any:
    """What comes of talking to a server."""

    async def run() -> Any:
        asked = StdioServerParameters(
            command=COMMAND[0], args=[*COMMAND[1:], "mcp", *arguments], env=environment(**more)
        )
        async with Client(asked) as client:
            return await talk(client)

    return asyncio.run(run())


def asked(client: Client, tool: str, **given: object) -> Awaitable[Any]:
    """The structured answer of a tool."""

    async def ask() -> Any:
        found = await client.call_tool(tool, given)
        assert not found.is_error, found.content
        assert json.loads(found.content[0].text) == found.structured_content
        return found.structured_content

    return ask()


def refused(client: Client, tool: str, **given: object) -> Awaitable[str]:
    """The text with which a tool refuses."""

    async def ask() -> str:
        found = await client.call_tool(tool, given)
        assert found.is_error
        return str(found.content[0].text)

    return ask()


def test_every_tool_answers() -> None:
    async def talk(client: Client) -> None:
        tools = {each.name: each for each in (await client.list_tools()).tools}
        assert list(tools) == ["check", "explain", "translate", "test", "why", "backtest", "save"]
        assert all(each.description for each in tools.values())
        assert [name for name, each in tools.items() if each.annotations and not each.annotations.read_only_hint] == [
            "save"
        ]
        assert (await asked(client, "check", rules=GIVEN))["ok"]
        assert "outage" in (await asked(client, "explain", rules=GIVEN))["text"]
        assert (await asked(client, "explain", rules=GIVEN, view="plan"))["title"].startswith("Search plans")
        assert "tc.event" in (await asked(client, "translate", rules=GIVEN, to="python"))["text"]
        assert (await asked(client, "test", rules=GIVEN, cases=CASES))["passed"]
        assert (await asked(client, "why", rules=GIVEN, events=EVENTS, with_events=["3"]))["rules"][0][
            "detections"
        ] == 1
        found = await asked(client, "backtest", rules=GIVEN, events=EVENTS, against={**GIVEN, "window": "1 h"})
        assert found["detections"]["outage"]["count"] == 1

    spoken(talk)


def test_it_says_what_it_will_not_do() -> None:
    async def talk(client: Client) -> str:
        return client.instructions or ""

    told = spoken(talk)
    for word in (
        "will not do",
        "writes no file",
        "runs no code",
        "(none)",
        "`save` refuses",
        "callbacks are set by people",
    ):
        assert word in told
    told = spoken(talk, "--folder", str(Path(__file__).parent), TOCSIN_URL="http://127.0.0.1:1", TOCSIN_KEY="tk_x")
    assert str(Path(__file__).parent) in told
    assert "http://127.0.0.1:1" in told
    assert "tk_x" not in told


def test_refusals_teach() -> None:
    async def talk(client: Client) -> None:
        said = await refused(client, "check", rules={"expression": "a ; b"})
        assert "an expression needs its language: core, eps, gem" in said
        said = await refused(client, "why", rules={"expression": "a ; ; b", "language": "gem"}, events=EVENTS)
        assert "<expression>:1:5: unexpected ';'\n  a ; ; b\n      ^\n  expected an event" in said
        said = await refused(client, "why", rules=GIVEN, events=[{"type": "a"}])
        assert "<stream>:1" in said or "time" in said
        said = await refused(client, "check", rules={"expression": "a", "lang": "gem"})
        assert "rules.lang" in said
        said = await refused(client, "check", rules={"files": ["/etc/passwd"]})
        assert "no folder is opened" in said
        said = await refused(client, "explain", rules=GIVEN, view="x")
        assert "'graph', 'plan', 'automaton' or 'shards'" in said
        assert "callback" in await refused(client, "save", rule={**RULE, "callback": "http://x"})

    spoken(talk)


STOPPED = "took longer than 6 s and was stopped", "needs more memory than there is"
"""Which of the two comes first depends on how fast the machine is."""


def test_a_hostile_rule_does_not_stop_it() -> None:
    endless = {"expression": "a & b & c & d & e & f & g & h", "language": "sel"}
    events = [{"type": kind, "time": time} for time in range(60) for kind in "abcdefgh"]

    async def talk(client: Client) -> None:
        waiting = asyncio.ensure_future(refused(client, "backtest", rules=endless, events=events))
        await client.list_tools()
        assert not waiting.done()
        said = await waiting
        assert any(reason in said for reason in STOPPED)
        assert (await asked(client, "check", rules=GIVEN))["ok"]
        assert not (await asked(client, "check", rules={"expression": "(" * 200_000, "language": "sel"}))["ok"]

    spoken(talk, "--seconds", "6")


def test_files_are_read_from_its_folders_alone(tmp_path: Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    (folder / "rules.yaml").write_text(RULES)
    (tmp_path / "secret.yaml").write_text(RULES)

    async def talk(client: Client) -> None:
        assert (await asked(client, "check", rules={"files": ["rules.yaml"]}))["ok"]
        for name in ("../secret.yaml", str(tmp_path / "secret.yaml")):
            assert "lies outside of" in await refused(client, "check", rules={"files": [name]})

    spoken(talk, "--folder", str(folder))
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["open", "rules.yaml", "secret.yaml"]


# -- saving ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("more", [{}, {"TOCSIN_URL": "http://127.0.0.1:1"}, {"TOCSIN_KEY": "tk_x"}])
def test_without_a_key_nothing_is_saved(more: dict[str, str]) -> None:
    said = spoken(lambda client: refused(client, "save", rule=RULE), **more)
    assert "rules are saved at an event processing service, with a key that allows it" in said
    for name in ("TOCSIN_URL", "TOCSIN_KEY"):
        assert (name in said) is (name not in more)


def test_a_rule_is_saved_at_the_service() -> None:
    with Service() as service:

        async def talk(client: Client) -> None:
            made = await asked(client, "save", rule=RULE)
            assert made == {"id": "r1", "version": 1, "document": RULE}
            assert "not saved" in await refused(client, "save", rule={**RULE, "expression": "bad"})

        spoken(talk, TOCSIN_URL=service.url, TOCSIN_KEY=service.key)
        assert [each[:2] for each in service.asked] == [("POST", "/v1/requests"), ("POST", "/v1/requests")]
        assert service.requests["r1"]["document"] == RULE


def test_whoever_answers_has_no_key_and_writes_no_file() -> None:
    """What runs a rule must not be able to save one."""
    from tocsin.assistants.answering_process import AnsweringProcess

    os.environ["TOCSIN_KEY"] = "tk_x"
    process = AnsweringProcess(seconds=60)
    try:
        process.ask("check", rules=GIVEN)
        assert process._process is not None
        assert b"TOCSIN_KEY" not in Path(f"/proc/{process._process.pid}/environ").read_bytes()
        limits = Path(f"/proc/{process._process.pid}/limits").read_text()
        (line,) = [each for each in limits.splitlines() if each.startswith("Max file size")]
        assert line.split()[3:5] == ["0", "0"]
    finally:
        process.close()
        del os.environ["TOCSIN_KEY"]
