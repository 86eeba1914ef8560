"""`tocsin run` with rules that change while it runs: on a real Spark, against the plain meaning with the same changes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.brokers.test_webhook import Hook, hook
from tests.spark.events import as_given, closing, mixed_up, rows, written
from tests.spark.test_kills import KILLS, process_of
from tocsin.algebra.notes import Notes
from tocsin.algebra.order import Release
from tocsin.algebra.replay import Replay
from tocsin.events import Event
from tocsin.formats.instants import to_instant

__all__ = ["hook"]

pytest.importorskip("pyspark", reason="tocsin run needs pyspark")

PAIR = '- {name: pair, language: eps, expression: "x:a ; y:b", condition: "x.host == y.host", context: unrestricted, window: 1 min}\n'
QUIET = '- {name: quiet, language: sel, expression: "(x:a -> !(y:b if y.host == x.host)) in 5 s"}\n'
BIG = '- {name: big, language: eps, expression: "x:b", condition: "x.load > 7", select: {much: "x.load * 2"}}\n'
BIGGER = BIG.replace("> 7", "> 4")
OVER = '- {name: over, language: eps, expression: "x:a ; y:c", condition: "x.load == y.load", context: unrestricted, window: 40 s}\n'
CHAIN = '- {name: chain, language: core, expression: "[x:a] ; [y:c(host = x.host)]", window: 1 min}\n'
PIPELINE = """\
source: {format: jsonl, path: in, schema: "type string, time timestamp, id string, source string, host string, load int"}
rules: {watch: rules, every: 100 msec}
watermark: 4 seconds
shards: 2
sinks: [{format: parquet, path: found}]
checkpoint: checkpoint
metrics: metrics.json
trigger: 100 milliseconds
"""


def meaning(given: list[dict[str, Any]], checkpoint: Path) -> set[tuple[str, int]]:
    """What the plain meaning finds with the versions that were written down, and which version found it."""
    from tocsin.pipelines.versions import VersionLog

    versions = [entry.version for entry in VersionLog(str(checkpoint)).entries()]
    judge = Replay(versions[0].program, None, Notes())
    found: set[tuple[str, int]] = set()
    number, ahead = versions[0].number, versions[1:]
    for row in given:
        told = as_given(row)
        when = to_instant(told["time"], "time")
        while ahead and ahead[0].since is not None and when > ahead[0].since:
            if judge.now is not None:
                judge.step(Release(ahead[0].since, None))
            found |= {(one.id, number) for one in judge.drain()}
            number = ahead[0].number
            judge.change(ahead.pop(0).program)
        judge.step(Release(when, Event(told["type"], when, when, told["id"], told["source"], told["data"], when)))
    judge.finish(None)
    return found | {(one.id, number) for one in judge.drain()}


class Session:
    """A pipeline that is fed step by step: each step is done once all before it has been read."""

    def __init__(self, home: Path, steps: list[Callable[[], int]]) -> None:
        self.home, self.steps = home, steps
        self.expected = self.version = 0
        self.running: Any = None
        self.news: list[str] = []

    def run(self, spark: Any) -> None:
        from tocsin.pipelines.description import read_pipeline
        from tocsin.spark.pipeline_run import SparkRun

        self.running = SparkRun(spark, read_pipeline(str(self.home / "pipeline.yaml")), lambda each: None)
        self.running.wait(self.is_done)
        self.news += self.running.news

    def is_done(self) -> bool:
        assert time.monotonic() - self.running.begun < 200, self.running.metrics()
        if self.running.events < self.expected or self.running.rules.versions[-1].number < self.version:
            return False
        if len(self.running.news) < len(self.news):
            return False
        if not self.steps:
            return True
        self.expected += self.steps.pop(0)()
        return False


def finished(spark: Any, home: Path) -> Any:
    """The rest of a pipeline's work: all there is, and then the end."""
    from tocsin.pipelines.description import read_pipeline
    from tocsin.spark.pipeline_run import SparkRun

    text = (home / "pipeline.yaml").read_text().replace("trigger: 100 milliseconds\n", "")
    (home / "pipeline.yaml").write_text(text)
    running = SparkRun(spark, read_pipeline(str(home / "pipeline.yaml")), lambda each: None)
    running.wait(lambda: False)
    return running


@pytest.mark.slow
def test_rules_change_between_micro_batches(spark: Any, tmp_path: Path, hook: Hook) -> None:
    """One is changed, one comes with a new key, one is wrong for a while, one goes; a candidate runs beside."""
    given = rows(120, seed=11)
    arriving = mixed_up(given, 5, 3)
    (tmp_path / "rules").mkdir()
    (tmp_path / "in").mkdir()
    (tmp_path / "rules" / "one.yaml").write_text("rules:\n" + PAIR + QUIET + BIG)
    (tmp_path / "candidate.yaml").write_text("rules:\n" + BIG.replace("> 7", "> 2"))
    pipeline = PIPELINE.replace("path: found}]", f'path: found}}, "{hook.url}"]')
    (tmp_path / "pipeline.yaml").write_text(pipeline + "shadow: {rules: candidate.yaml, path: shadow}\n")
    session = Session(tmp_path, [])

    def feed(start: int, stop: int) -> Callable[[], int]:
        def put() -> int:
            written(tmp_path / f"more{start}", [arriving[start:stop]])
            (tmp_path / f"more{start}" / "0000.json").rename(tmp_path / "in" / f"{start:04}.json")
            return stop - start

        return put

    def rule(name: str, text: str | None, versions: int = 1) -> Callable[[], int]:
        def change() -> int:
            path = tmp_path / "rules" / name
            if text is None:
                path.unlink()
            else:
                path.write_text(text)
            session.version = session.running.rules.versions[-1].number + versions
            session.news = list(session.running.news) + ["another"] * (versions == 0)
            return 0

        return change

    session.steps = [
        feed(0, 30),
        rule("one.yaml", "rules:\n" + PAIR + QUIET + BIGGER),
        feed(30, 55),
        rule("two.yaml", "rules:\n" + OVER + CHAIN),
        feed(55, 80),
        rule("one.yaml", "rules:\n- {name: pair, language: eps, expression: 'x:a ;'}\n", 0),
        feed(80, 100),
        rule("one.yaml", "rules:\n" + QUIET + BIGGER),
        feed(100, 120),
    ]
    session.run(spark)
    written(tmp_path / "more", [[closing()]])
    (tmp_path / "more" / "0000.json").rename(tmp_path / "in" / "9999.json")
    running = finished(spark, tmp_path)
    found = spark.read.parquet(str(tmp_path / "found")).collect()
    should = meaning(given, tmp_path / "checkpoint")
    assert len(found) == len(should)
    assert Counter(row["rule"] for row in found).keys() == {"pair", "quiet", "big", "over", "chain"}
    assert {(row["id"], row["version"]) for row in found} == should
    posted = [each for _, body in hook.requests for each in json.loads(body)]
    assert sorted((each["id"], each["version"]) for each in posted) == sorted(should), "what is sent tells it, too"
    (refused,) = (one for one in session.running.news if "refused" in one)
    assert f"{tmp_path}/rules/one.yaml:2:" in refused
    assert "expected an event" in refused
    versions = [json.loads(path.read_text()) for path in sorted((tmp_path / "checkpoint" / "rules").iterdir())]
    assert [each["changes"] for each in versions[1:]] == [
        {"added": [], "changed": ["big"], "removed": []},
        {"added": ["chain", "over"], "changed": [], "removed": []},
        {"added": [], "changed": [], "removed": ["pair"]},
    ]
    assert running.rules.versions[-1].number == 4
    sides = spark.read.parquet(str(tmp_path / "shadow")).collect()
    one, other = ({row["id"] for row in sides if row["candidate"] == side} for side in (False, True))
    assert one < other, "the candidate asks for less"
    told = Counter[str]()
    for each in (session.running, running):
        told.update(each.shadow.difference().get("big", {}))
    assert told == {"both": len(one & other), "live only": 0, "candidate only": len(other - one)}


# -- killed ---------------------------------------------------------------------------------------------------------

VARIANTS = [PAIR + QUIET + BIG, QUIET + BIGGER + OVER, PAIR + CHAIN + BIG, OVER + CHAIN + QUIET, PAIR + BIGGER]


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_pipeline_that_is_killed_while_its_rules_change(spark: Any, tmp_path: Path) -> None:
    """`tocsin run`, killed at random moments, and its rules changed at others: what it finds is what the versions say."""
    random = Random(KILLS)
    given = rows(KILLS * 100, seed=13)
    arriving = mixed_up(given, 6, 3)
    pieces = [*(arriving[start : start + 25] for start in range(0, len(given), 25)), [closing()]]
    waiting = sorted(written(tmp_path / "more", pieces).iterdir())
    (tmp_path / "in").mkdir()
    (tmp_path / "rules").mkdir()
    rules = tmp_path / "rules" / "one.yaml"
    rules.write_text("rules:\n" + VARIANTS[0])
    text = PIPELINE.replace("path: in,", "path: in, files_per_trigger: 1,")
    (tmp_path / "pipeline.yaml").write_text(text)
    for number in range(KILLS):
        with _pipeline(tmp_path) as process:
            _feed(tmp_path, waiting, 2)  # a micro-batch each, so that there is something to wait for
            _pass_commits(tmp_path, process, random.randint(1, 2))
            rules.write_text("rules:\n" + VARIANTS[(number + 1) % len(VARIANTS)])
            _feed(tmp_path, waiting, 2)
            _pass_commits(tmp_path, process, random.randint(0, 1))
            time.sleep(random.random())
            assert process.poll() is None, (tmp_path / "errors").read_text()[-4000:]
    _feed(tmp_path, waiting, len(waiting))
    finished(spark, tmp_path)
    found = spark.read.parquet(str(tmp_path / "found")).collect()
    should = meaning(given, tmp_path / "checkpoint")
    assert sorted((row["id"], row["version"]) for row in found) == sorted(should)
    versions = len(list((tmp_path / "checkpoint" / "rules").iterdir()))
    print(f"{KILLS} kills of a pipeline, {versions} versions of its rules, {len(found)} detections")
    assert versions > 1


@contextmanager
def _pipeline(home: Path) -> Iterator[subprocess.Popen[str]]:
    """`tocsin run` in a session of its own, killed at the end with all that it has started."""
    command = [sys.executable, "-m", "tocsin.cli", "run", str(home / "pipeline.yaml"), "--quiet"]
    with process_of(command, home, os.environ) as process:
        yield process


def _feed(home: Path, waiting: list[Path], count: int) -> None:
    """Gives a pipeline so many files more."""
    for path in waiting[:count]:
        path.rename(home / "in" / path.name)
    del waiting[:count]


def _pass_commits(home: Path, process: subprocess.Popen[str], count: int) -> None:
    """Waits until so many more micro-batches are done."""
    commits = home / "checkpoint" / "commits"

    def done() -> int:
        return max((int(path.name) for path in commits.glob("[0-9]*")), default=-1)

    before = done()
    while process.poll() is None and done() < before + count:
        time.sleep(0.01)
