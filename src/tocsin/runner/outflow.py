"""What a step found, to a pipeline's sinks. A step that is taken again writes the same file, and sends again."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tocsin.errors import MissingDependency
from tocsin.events import Detection
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import detection_line, to_json
from tocsin.pipelines.dead_letters import keep
from tocsin.pipelines.description import Sink
from tocsin.sinks import Outcome, sink_of
from tocsin.transports import Publisher, codec_for, publisher

_STYLE = TimeStyle(False)


class Outflow:
    """A sink of a pipeline, open as long as it runs."""

    def __init__(self, sink: Sink, checkpoint: str) -> None:
        self.sink, self._checkpoint = sink, checkpoint
        self._publisher: Publisher | None = None

    def write(self, found: Sequence[tuple[int, Detection]], number: int) -> Outcome | None:
        """Writes what a step found; returns when it lasts, or was taken."""
        sink, records = self.sink, [record_of(one, version) for version, one in found]
        if sink.address is not None:
            return self._sent(records, number) if records else None
        if sink.format == "console":
            for record in records:
                print(to_json(record), file=sys.stdout, flush=True)
        elif sink.format == "json":
            write_lines(Path(sink.path), number, records)
        else:
            _write_parquet(Path(sink.path), number, records)
        return None

    def close(self) -> None:
        """Lets go of the connection."""
        if self._publisher is not None:
            self._publisher.close()

    def _sent(self, records: list[dict[str, Any]], number: int) -> Outcome:
        address = self.sink.address
        assert address is not None
        codec = codec_for(address)
        messages = [codec.encode(record) for record in records]
        if address.scheme in ("http", "https"):
            outcome = sink_of(address).publish(address, messages)
            home = address.options.get("dead_letters") or f"{self._checkpoint}/dead-letters"
            keep(outcome.dead, Path(home), f"batch={number}-0.jsonl")
            return outcome
        if self._publisher is None:
            self._publisher = publisher(address)
        for message in messages:
            self._publisher.publish(message)
        return self._publisher.flush()


def record_of(one: Detection, version: int) -> dict[str, Any]:
    """A detection as `tocsin detect` writes it, and the version of the rules that made it."""
    record: dict[str, Any] = json.loads(detection_line(one, _STYLE))
    return record | {"version": version}


def write_lines(home: Path, number: int, records: Sequence[dict[str, Any]]) -> None:
    """A file of a step's records: all of them, or none; nothing, if there are none."""
    path = _file(home, number, "json")
    if not records:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path.with_name(f".{path.name}"), "w", encoding="utf-8") as file:
        file.writelines(to_json(record) + "\n" for record in records)
        file.flush()
        os.fsync(file.fileno())
    os.replace(file.name, path)


def _write_parquet(home: Path, number: int, records: Sequence[dict[str, Any]]) -> None:
    """The same with the columns that Spark writes: `data` is a text of JSON."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingDependency("pyarrow", "arrow") from None
    path = _file(home, number, "parquet")
    if not records:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = ("id", "rule", "type", "notification", "source", "severity")
    moments = pa.timestamp("us", "UTC")
    columns: dict[str, Any] = {name: pa.array([each.get(name) for each in records], pa.string()) for name in texts}
    for name in ("start", "time", "detected"):
        columns[name] = pa.compute.cast(pa.array([each[name] for each in records], pa.string()), moments)
    for name in ("events", "tags"):
        columns[name] = pa.array([each.get(name) for each in records], pa.list_(pa.string()))
    for name in ("data", "stamp"):
        columns[name] = pa.array([to_json(each[name]) if name in each else None for each in records], pa.string())
    for name in ("suppressed", "version"):
        columns[name] = pa.array([each.get(name) for each in records], pa.int32())
    pq.write_table(pa.table(columns), path.with_name(f".{path.name}"))
    os.replace(path.with_name(f".{path.name}"), path)


def _file(home: Path, number: int, extension: str) -> Path:
    return home / f"batch={number}" / f"part-00000.{extension}"
