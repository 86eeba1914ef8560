"""`tocsin run`: a streaming pipeline, from a file that says what it is: on Spark, or in this process."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tocsin.commands.shared_options import say
from tocsin.errors import TocsinError
from tocsin.pipelines.description import Pipeline, check_addresses, read_pipeline

EXAMPLES = """\
a pipeline file:
  source:     {format: jsonl, path: events/, schema: "type string, time timestamp, host string"}
  rules:      [rules.yaml]
  watermark:  10 seconds
  sinks:      [{format: parquet, path: found/}, {format: console}]
  checkpoint: checkpoint/
  trigger:    5 seconds          # without it: process what is there, then stop
  quarantine: bad/
  metrics:    metrics.json

rules that change while it runs, with a candidate beside them:
  rules:      {watch: rules/, every: 2 seconds}     # or {table: catalog.rules}
  shadow:     {rules: [candidate.yaml], path: compared/}

from a broker to others, with metrics for Prometheus:
  source:     nats://127.0.0.1:4222/events?stream=events
  rules:      [rules.yaml]
  sinks:      ["mqtt://127.0.0.1/found", "kafka://127.0.0.1:9092/found?encoding=avro",
               {url: "https://example.org/hook", secret_env: HOOK_KEY, encoding: cloudevents}]
  checkpoint: checkpoint/
  trigger:    1 second
  metrics:    prometheus://127.0.0.1:9464

examples:
  tocsin run pipeline.yaml
  tocsin run pipeline.yaml --quiet
  tocsin run pipeline.yaml --engine local      in this process, without Spark and Java
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `run`."""
    parser.add_argument("pipeline", metavar="FILE", help="a pipeline file (YAML)")
    parser.add_argument(
        "--engine",
        choices=("spark", "local"),
        default="spark",
        help="local runs the pipeline in this process, without Spark",
    )
    parser.add_argument("--quiet", action="store_true", help="print only errors, and the counts at the end")


def run(options: argparse.Namespace) -> int:
    """Runs the pipeline to its end, or until it is interrupted."""
    pipeline = read_pipeline(options.pipeline)
    check_addresses(pipeline)
    return (_run_locally if options.engine == "local" else _run_on_spark)(pipeline, _Shown(options.quiet))


def _run_locally(pipeline: Pipeline, shown: _Shown) -> int:
    from tocsin.runner.pipeline_run import LocalRun

    return _run(lambda: LocalRun(pipeline, shown), shown)


def _run_on_spark(pipeline: Pipeline, shown: _Shown) -> int:
    from pyspark.errors import PySparkException

    from tocsin.spark.pipeline_run import SparkRun, session_settings
    from tocsin.spark.session import reason_of

    try:
        return _run(lambda: SparkRun(_session(session_settings(pipeline)), pipeline, shown), shown)
    except PySparkException as error:
        raise TocsinError(f"the pipeline has failed: {reason_of(error)}") from error


def _run(begun: Callable[[], Any], shown: _Shown) -> int:
    stopped: list[int] = []
    before = {each: signal.signal(each, lambda *_: stopped.append(1)) for each in (signal.SIGINT, signal.SIGTERM)}
    running: Any = None
    try:
        running = begun()
        running.wait(lambda: bool(stopped))
    finally:
        if running is not None:
            running.write_metrics()
            running.close()
        for each, handler in before.items():
            signal.signal(each, handler)
    shown.end(running, bool(stopped))
    return 0


@contextmanager
def _signals_kept() -> Iterator[None]:
    """Here PySpark starts Java, and takes SIGINT for itself: afterwards both signals are as they were.

    Java ignores what is ignored when it starts. So a SIGTERM to the whole group of processes does not end it before its
    work is done: it goes when nobody holds its input any more.
    """
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _session(settings: dict[str, str]) -> Any:
    """Spark, with what it has to get for the pipeline."""
    from pyspark.errors import PySparkRuntimeError

    from tocsin.spark.session import local_session

    wanted = settings.get("spark.jars.packages")
    if wanted is not None:
        say(f"Spark gets {wanted} from Maven's registries, if it does not have it")
    try:
        with _signals_kept():
            return local_session(**settings)
    except PySparkRuntimeError as error:
        if wanted is None:
            raise
        raise TocsinError(
            f"Spark does not start with {wanted}: the lines above say why. Name jars that are there"
            " ('spark: {spark.jars: \"a.jar,b.jar\"}'), or another version ('connector=...' in the URL)"
        ) from error


class _Shown:
    """What is told on standard error, one line that is written over on a terminal."""

    def __init__(self, quiet: bool) -> None:
        self._quiet, self._is_terminal = quiet, sys.stderr.isatty()
        self._last = 0.0

    def __call__(self, running: Any) -> None:
        running.write_metrics()
        self._tell_news(running)
        if self._quiet or (not self._is_terminal and time.monotonic() - self._last < 5):
            return
        self._last = time.monotonic()
        told = running.metrics()
        found = sum(running.detections.values())
        line = (
            f"batch {running.batches}: {told['events']:,} events, {told['events_per_second']:,.0f} a second, "
            f"{found:,} detections, {running.late:,} late, {running.bad:,} bad, watermark {told['watermark']}"
        )
        print(f"\r\033[K{line}" if self._is_terminal else line, end="" if self._is_terminal else "\n", file=sys.stderr)

    def _tell_news(self, running: Any) -> None:
        """What became of rules that were changed: on lines of their own, even if little is to be told."""
        while running.news:
            print("\r\033[K" if self._is_terminal else "", end="", file=sys.stderr)
            say(running.news.pop(0))

    def end(self, running: Any, was_stopped: bool) -> None:
        """The counts."""
        if self._is_terminal and not self._quiet:
            print(file=sys.stderr)
        self._tell_news(running)
        for rule, count in sorted(running.detections.items()):
            say(f"{rule}: {count:,} detection{'s' * (count != 1)}")
        for rule, sides in ({} if running.shadow is None else running.shadow.difference()).items():
            told = ", ".join(f"{count:,} {side}" for side, count in sides.items())
            say(f"{rule} and its candidate: {told}")
        for sink, count in sorted(running.published.items()):
            say(f"{count:,} detection{'s' * (count != 1)} to {sink}")
        if running.dead:
            say(f"{running.dead:,} detection{'s' * (running.dead != 1)} in dead letters: {running.reason}")
        if running.repeated:
            say(f"{running.repeated:,} event{'s' * (running.repeated != 1)} had come before")
        for count, what in ((running.late, "late"), (running.bad, "that could not be read")):
            if count:
                where = f", in {running.pipeline.quarantine}" if running.pipeline.quarantine else ""
                say(f"{count:,} event{'s' * (count != 1)} {what}{where}")
        say(f"{'stopped' if was_stopped else 'done'}: {running.events:,} events in {running.batches} micro-batches")
