"""A pipeline at work in this process: receive, write the step down, acknowledge, evaluate, send; again and again."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from tocsin.errors import UsageError
from tocsin.events import Detection, Heartbeat
from tocsin.formats.fields import Fields
from tocsin.formats.instants import TimeStyle
from tocsin.formats.intake import Intake
from tocsin.formats.writers import event_line
from tocsin.pipelines.description import Pipeline, Source
from tocsin.pipelines.live_rules import LiveRules
from tocsin.pipelines.metrics import PROMETHEUS, Endpoint
from tocsin.pipelines.versions import BEFORE_ALL, VersionLog, news_of
from tocsin.planner.lanes import Version
from tocsin.rules.declared_events import conformer
from tocsin.rules.options import context_of, order_of, window_of
from tocsin.runner.checkpoint import Checkpoint, Step
from tocsin.runner.outflow import Outflow, write_lines
from tocsin.runner.work import Work
from tocsin.runtime.clocks import by_order
from tocsin.runtime.options import Options
from tocsin.stores.pieces import joined, parted
from tocsin.time.calendar import render_instant
from tocsin.time.spans import HOUR, parse_period
from tocsin.transports import SOURCE, TRANSPORTS, Address, Delivery, Position, Subscription, address_of, subscribe
from tocsin.transports.events import Decoder

WAITING: Final = 0.5
"""Seconds for which a step is waited for, where the pipeline does not say how often it looks."""
MOST_TOGETHER: Final = 100_000
"""Messages of several partitions that are one step, unless the address says `per_batch`."""
_STYLE: Final = TimeStyle(False)


class LocalRun:
    """A pipeline, and what it has done so far in this run. `told` is called after every step."""

    shadow: None = None

    def __init__(self, pipeline: Pipeline, told: Callable[[LocalRun], None]) -> None:
        self.pipeline, self._told = pipeline, told
        self.detections: Counter[str] = Counter()
        self.published: Counter[str] = Counter()
        self.events = self.late = self.batches = self.retries = self.dead = self.refused = 0
        self.reason, self.news = "", list[str]()
        self.begun, self._last = time.monotonic(), 0.0
        self._options = options_of(pipeline)
        self._address = source_address(pipeline.source)
        self._delay = round(_seconds(pipeline.watermark) * 1e6)
        self._bad: list[dict[str, object]] = []
        self._intake = Intake(
            str(self._address),
            "skip",
            self._refuse,
            remember=HOUR if pipeline.remember is None else pipeline.remember,
            fields=Fields(dict(pipeline.columns)),
        )
        self._decoder = Decoder(self._address, self._intake)
        self._position: Position | None = None
        self._checkpoint = Checkpoint(pipeline.checkpoint)
        self._outflows = [Outflow(sink, pipeline.checkpoint) for sink in pipeline.sinks]
        self._endpoints: list[Endpoint] = []
        self._subscription: Subscription | None = None
        try:
            self._work = self._recovered()
            self.rules = LiveRules(pipeline, self._options, self._delay // 1000, self)
            for entry in self.rules.entries[self._known :]:
                self._begin(entry.version)
            self._follow_refused()
            # Where a broker can go back to a position, that in the checkpoint is enough.
            name = "" if TRANSPORTS[self._address.scheme].REPLAYS else session_name(pipeline.checkpoint)
            self._subscription = subscribe(self._address, self._position, name)
            self._endpoints = [Endpoint(url, self.metrics) for url in pipeline.metrics if url.startswith(PROMETHEUS)]
        except BaseException:
            self.close()
            raise

    @property
    def bad(self) -> int:
        """Messages that held no event."""
        return self._intake.skipped

    @property
    def repeated(self) -> int:
        """Events that had come before."""
        return self._intake.repeated

    # -- the beginning ---------------------------------------------------------------------------------------------

    def _recovered(self) -> Work | None:
        """What was at work when the last run ended: from its last whole state on, the steps are taken again."""
        versions = [entry.version for entry in VersionLog(self.pipeline.checkpoint).entries()]
        self._known = len(versions)
        if not versions:
            return None
        self._conform(versions[-1])
        work, first, saved = Work(versions, self._options, self._delay), 0, self._checkpoint.state()
        self._work = work
        if saved is not None:
            first, self._position, whole = saved
            intake, rules = parted(whole)
            self._intake.restore(json.loads(intake))
            work.restore(rules)
        for number, step in enumerate(self._checkpoint.steps(first), first):
            self._position = step.position
            self._take(step, number, is_known=number < self._checkpoint.done)
        return work

    def _begin(self, version: Version) -> None:
        if self._work is None:
            self._work = Work([version], self._options, self._delay)
        else:
            self._work.add(version)
        self._conform(version)

    def _conform(self, version: Version) -> None:
        self._intake.conform = conformer(version.program.declarations)

    # -- rules that change: what `LiveRules` asks of where they run ------------------------------------------------

    def latest_read(self, delay: int) -> int:
        """The latest time of all events that were read."""
        latest = None if self._work is None else self._work.latest
        return BEFORE_ALL if latest is None else latest

    def check(self, versions: Sequence[Version], options: Options) -> None:
        """One order for all rules: an order is a clock of its own."""
        groups = by_order(versions[-1].program, options.order)
        if [group.order for group in groups] != [options.order]:
            raise UsageError("the local engine runs all rules of a pipeline under its 'order'; a rule here has another")

    def _follow(self) -> None:
        following = self.rules.turned()
        self._follow_refused()
        if following is not None:
            before = self.rules.versions[-1]
            entry = self.rules.begin(following)
            self._begin(entry.version)
            self.news.append(news_of(entry, before))
            self._told(self)

    def _follow_refused(self) -> None:
        self.news += [f"refused, the rules go on as they were: {reason}" for reason in self.rules.refused]
        self.rules.refused = []

    # -- steps -----------------------------------------------------------------------------------------------------

    def wait(self, is_stopped: Callable[[], bool]) -> None:
        """Runs until someone stops it; without a trigger, until all that there is was read."""
        trigger = self.pipeline.trigger
        waiting = WAITING if trigger is None else min(_seconds(trigger), WAITING)
        quiet = _seconds(self._address.options.get("quiet", "2 s")) if self._address.scheme.startswith("mqtt") else 0.0
        heard, subscription = time.monotonic(), self._subscription
        assert subscription is not None
        while not is_stopped():
            delivery = self._gathered(subscription, waiting)
            if delivery:
                heard = time.monotonic()
                step, number = Step(list(delivery.messages), delivery.position), self._checkpoint.count
                self._checkpoint.note(step)
                self._position = delivery.position
                subscription.acknowledge(delivery.position)
                self._take(step, number, is_known=False)
                self._told(self)
            elif trigger is None and not subscription.lag() and time.monotonic() - heard >= quiet:
                break
            self._follow()
        self._save()

    def _gathered(self, subscription: Subscription, waiting: float) -> Delivery:
        """The next messages. Of several partitions, all that wait: else one that is read later would be late."""
        delivery = subscription.receive(waiting)
        messages = list(delivery.messages)
        most = int(self._address.options.get("per_batch", MOST_TOGETHER))
        while messages and len(delivery.position) > 1 and len(messages) < most and subscription.lag():
            more = subscription.receive(waiting)
            if not more:
                break
            messages += more.messages
            delivery = more
        return Delivery(messages, delivery.position)

    def _take(self, step: Step, number: int, is_known: bool) -> None:
        """Evaluates a step and sends what it found, unless that is known to have been done."""
        begun = time.monotonic()
        assert self._work is not None
        self._bad = []
        with self._intake.seen.together():
            arrivals = self._decoder.arrivals(step.messages)
        found = self._work.step(arrivals)
        if is_known:
            return
        self._send(found.detections, number)
        kept = [*self._bad, *({"reason": "later than the watermark", **_plain(each)} for each in found.late)]
        if kept and self.pipeline.quarantine is not None:
            write_lines(Path(self.pipeline.quarantine), number, kept)
        self._checkpoint.finish(number + 1)
        self.batches += 1
        self.events += sum(1 for each in arrivals if not isinstance(each, Heartbeat)) + len(self._bad)
        self.late += len(found.late)
        self._last = time.monotonic() - begun
        if self._checkpoint.is_due():
            self._save()

    def _send(self, found: list[tuple[int, Detection]], number: int) -> None:
        for outflow in self._outflows:
            outcome = outflow.write(found, number)
            if outcome is not None:
                self.published[str(outflow.sink)] += outcome.taken
                self.retries += outcome.retries
                self.dead += len(outcome.dead)
                self.reason = outcome.dead[0].reason if outcome.dead else self.reason
        self.detections.update(one.rule for _, one in found)

    def _refuse(self, number: int, text: str, reason: str) -> None:
        self._bad.append({"reason": reason, "data": text})

    def _save(self) -> None:
        """Writes the whole state."""
        if self._work is not None and self._checkpoint.done == self._checkpoint.count:
            whole = joined([json.dumps(self._intake.state()).encode(), self._work.snapshot()])
            self._checkpoint.save(whole, self._position)

    def close(self) -> None:
        """Lets go of connections, ports and files."""
        for outflow in self._outflows:
            outflow.close()
        for endpoint in self._endpoints:
            endpoint.close()
        if self._subscription is not None:
            self._subscription.close()
        self._checkpoint.close()
        self._endpoints = []

    # -- figures ---------------------------------------------------------------------------------------------------

    def metrics(self) -> dict[str, Any]:
        """All of it as figures."""
        seconds = time.monotonic() - self.begun
        watermark = None if self._work is None else self._work.watermark
        return {
            "events": self.events,
            "events_per_second": round(self.events / max(seconds, 1e-9), 1),
            "batches": self.batches,
            "detections": dict(self.detections),
            "late": self.late,
            "bad": self.bad,
            "refused": self.refused,
            "repeated": self.repeated,
            "published": dict(self.published),
            "retries": self.retries,
            "dead_letters": self.dead,
            "batch_seconds": round(self._last, 3),
            "watermark": None if watermark is None else render_instant(watermark),
            "seconds": round(seconds, 3),
            "version": self.rules.versions[-1].number,
        }

    def write_metrics(self) -> None:
        """Puts the figures where the pipeline wants them; whoever reads them never finds half of them."""
        for path in self.pipeline.metrics:
            if not path.startswith(PROMETHEUS):
                Path(f"{path}.tmp").write_text(json.dumps(self.metrics(), indent=2), encoding="utf-8")
                os.replace(f"{path}.tmp", path)


def options_of(pipeline: Pipeline) -> Options:
    """What holds for every rule; what the local engine has not is refused."""
    if pipeline.shadow is not None:
        raise UsageError("the local engine runs no shadow: leave it out, or run the pipeline on Spark")
    if pipeline.watch is not None and pipeline.watch.table is not None:
        raise UsageError("a table of rules is Spark's: with the local engine, rules are in files, {watch: DIRECTORY}")
    if "://" in pipeline.checkpoint:
        raise UsageError(f"{pipeline.checkpoint}: the local engine keeps its checkpoint in a directory of files")
    return Options(
        context=None if pipeline.context is None else context_of(pipeline.context),
        order=order_of(pipeline.order),
        window=None if pipeline.window is None else window_of(pipeline.window),
    )


def source_address(source: Source) -> Address:
    """Where events come from: an address, or a directory of lines."""
    if source.address is not None:
        return source.address
    if source.format != "jsonl":
        known = ", ".join(sorted(scheme for scheme, each in TRANSPORTS.items() if SOURCE in each.USES))
        raise UsageError(f"the local engine reads jsonl, and addresses ({known}), not {source.format}")
    return replace(address_of(f"file:{source.path}", SOURCE), path=source.path)


def session_name(checkpoint: str) -> str:
    """What the broker knows a pipeline by: the same after every restart."""
    return f"tocsin-{hashlib.sha256(str(Path(checkpoint).resolve()).encode()).hexdigest()[:16]}"


def _seconds(text: str) -> float:
    return parse_period(text).length() / 1e6


def _plain(event: Any) -> dict[str, object]:
    record: dict[str, object] = json.loads(event_line(event, _STYLE))
    return record
