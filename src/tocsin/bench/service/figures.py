"""The figures by name, and their running one after the other, each in a folder that is gone afterwards."""

from __future__ import annotations

import tempfile
from collections.abc import Coroutine, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar

import uvloop

from tocsin.bench.records import Record
from tocsin.bench.service import steady
from tocsin.bench.service.intake import ingest, single
from tocsin.bench.service.subscribers import subscribers
from tocsin.bench.service.webhook import webhook

T = TypeVar("T")
FIGURES: Final = ("ingest", "single", "steady", "webhook", "subscribers")


def measured(names: Iterable[str], scale: float, *, long: bool = False) -> Iterator[Record]:
    """The figures of some names; `long`: five minutes of `steady`."""
    for name in names:
        with tempfile.TemporaryDirectory(prefix="tocsin-service-") as home:
            yield from _of(name, Path(home), scale, long)


def _of(name: str, home: Path, scale: float, long: bool) -> Iterator[Record]:
    match name:
        case "ingest":
            yield _run(ingest(home, scale))
        case "single":
            yield _run(single(home, scale))
        case "steady":
            seconds = steady.LONG if long else steady.SECONDS * scale
            for standing in steady.RATES:
                yield _run(steady.steady(home, seconds, standing))
        case "webhook":
            yield _run(webhook(home, scale))
        case "subscribers":
            yield from _run(subscribers(home, scale))


def _run(work: Coroutine[Any, Any, T]) -> T:
    return uvloop.run(work)
