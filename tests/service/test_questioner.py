"""The process that answers questions: whoever goes away, at whatever moment, leaves it fit for the next."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tocsin.service.questioner import Questioner
from tocsin.service.store import open_store

RULE = {"name": "r", "language": "gem", "expression": "x:a", "window": "1 min"}
GIVEN: dict[str, Any] = {"document": RULE, "defaults": {}, "requests": {}}


@pytest.fixture
def place(tmp_path: Path) -> str:
    path = str(tmp_path / "tocsin.db")
    store = open_store(path)
    store.acquire()
    store.close()
    return path


async def gone(asking: asyncio.Task[Any]) -> None:
    asking.cancel()
    with suppress(asyncio.CancelledError):
        await asking


def test_whoever_goes_away_while_it_begins(place: str) -> None:
    async def tried() -> dict[str, Any]:
        questioner = Questioner(place)
        asking = asyncio.create_task(questioner.ask("backtest", 60, **GIVEN))
        while not questioner.is_warm:
            await asyncio.sleep(0)
        await gone(asking)
        answer = await questioner.ask("backtest", 60, **GIVEN)
        await questioner.close()
        return answer

    assert asyncio.run(tried())["detections"] == 0


def test_whoever_goes_away_while_it_answers_leaves_the_process(place: str) -> None:
    async def tried() -> tuple[dict[str, Any], bool]:
        questioner = Questioner(place)
        await questioner.warm()
        process = questioner._process
        asking = asyncio.create_task(questioner.ask("backtest", 60, **GIVEN))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await gone(asking)
        answer = await questioner.ask("backtest", 60, **GIVEN)
        is_same = questioner._process is process
        await questioner.close()
        return answer, is_same

    answer, is_same = asyncio.run(tried())
    assert answer["detections"] == 0
    assert is_same
