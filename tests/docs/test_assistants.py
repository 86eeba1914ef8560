"""docs/assistants.md is true: its calls are made as they stand there, and must be answered as it says."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from mcp import Client

from tests.assistants.test_mcp_server import asked, spoken
from tocsin.cli import VERBS
from tocsin.commands import lsp, mcp

PAGE = (Path(__file__).parents[2] / "docs" / "assistants.md").read_text(encoding="utf-8")
CALL = re.compile(r"call of `(\w+)`:\n\n```json\n(.*?)```\n\nIts answer:\n\n```json\n(.*?)```", re.DOTALL)
BLOCK = re.compile(r"^```(json|toml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_calls_are_answered_as_the_page_says() -> None:
    calls = CALL.findall(PAGE)
    assert [tool for tool, _, _ in calls] == ["check", "test"]

    async def talk(client: Client) -> list[object]:
        return [await asked(client, tool, **json.loads(given)) for tool, given, _ in calls]

    assert spoken(talk) == [json.loads(answer) for _, _, answer in calls]


def test_the_page_has_every_tool() -> None:
    async def talk(client: Client) -> list[str]:
        return [each.name for each in (await client.list_tools()).tools]

    assert re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE) == spoken(talk)


@pytest.mark.parametrize(("kind", "text"), BLOCK.findall(PAGE))
def test_configuration_can_be_read(kind: str, text: str) -> None:
    found = json.loads(text) if kind == "json" else tomllib.loads(text)
    for server in found.get("mcpServers", {}).values():
        assert server["command"] == "tocsin"
        assert server["args"][0] == "mcp"
    if kind == "toml":
        assert found["language-server"]["tocsin"] == {"command": "tocsin", "args": ["lsp"]}


def test_the_verbs_are_there() -> None:
    for name, module in (("mcp", mcp), ("lsp", lsp)):
        assert name in VERBS
        assert f"tocsin {name}" in PAGE
        assert f"tocsin {name}" in module.EXAMPLES
