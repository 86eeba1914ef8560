"""A pipeline's figures for Prometheus: an endpoint that tells them when it is asked.

metrics: prometheus://127.0.0.1:9464        then: curl http://127.0.0.1:9464/metrics
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from tocsin.errors import MissingDependency, UsageError

PROMETHEUS: Final = "prometheus://"
PORT: Final = 9464
_PLACE: Final = re.compile(r"prometheus://(?P<host>\[[0-9a-fA-F:]+\]|[^/:]+)(?::(?P<port>[0-9]+))?/?")

COUNTERS: Final = {
    "events": "Events that were read.",
    "late": "Events that came later than the watermark, and were not evaluated.",
    "bad": "Messages, lines and rows that held no event.",
    "refused": "Events that a rule's window, or the order of arrival, had no more use for.",
    "repeated": "Events whose source and id had come before.",
    "batches": "Micro-batches.",
    "dead_letters": "Detections that a sink would not take.",
    "retries": "Requests to sinks that had to be made again.",
}
GAUGES: Final = {
    "events_per_second": "Events a second since the pipeline was started.",
    "lag_messages": "Messages that the source has and that were not read yet.",
    "shards_with_state": "Shards that remember something.",
    "state_bytes": "What the shards' states take in the state store.",
    "batch_seconds": "How long the last micro-batch took.",
}


def place_of(url: str) -> tuple[str, int]:
    """The host and the port of an endpoint."""
    found = _PLACE.fullmatch(url)
    if found is None or int(found["port"] or PORT) > 65535:
        raise UsageError(f"{url} is no endpoint: prometheus://HOST:{PORT}")
    return found["host"].strip("[]"), int(found["port"] or PORT)


def lag_of(sources: Any) -> int | None:
    """The messages that sources have and that were not read, as the progress of a query tells; None where none does."""
    found = [_lag(source) for source in sources]
    known = [each for each in found if each is not None]
    return sum(known) if known else None


def _lag(source: Any) -> int | None:
    latest, end = source["latestOffset"], source["endOffset"]
    if isinstance(latest, str) and isinstance(end, str):
        latest, end = (json.loads(each) for each in (latest, end))
    return _difference(latest, end)


def _difference(latest: Any, end: Any) -> int | None:
    """How much further one offset is than another: a number, or numbers by name, by topic and partition."""
    if isinstance(latest, int) and isinstance(end, int):
        return max(latest - end, 0)
    if isinstance(latest, dict) and isinstance(end, dict):
        parts = [
            _difference(value, end.get(name, 0 if isinstance(value, int) else {})) for name, value in latest.items()
        ]
        known = [each for each in parts if each is not None]
        return sum(known) if known else None
    return None


class Endpoint:
    """A server that tells the figures. It is up as long as the pipeline runs."""

    def __init__(self, url: str, figures: Callable[[], Mapping[str, Any]]) -> None:
        host, port = place_of(url)
        try:
            from prometheus_client import CollectorRegistry, start_http_server
        except ImportError:
            raise MissingDependency("prometheus-client", "brokers") from None
        registry = CollectorRegistry()
        registry.register(_Collector(figures))
        try:
            self._server, self._thread = start_http_server(port, host, registry)
        except OSError as error:
            raise UsageError(f"{url}: nobody can listen there: {error.strerror or error}") from None

    def close(self) -> None:
        """Lets the port go."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Collector:
    """What Prometheus' library asks when someone asks it."""

    def __init__(self, figures: Callable[[], Mapping[str, Any]]) -> None:
        self._figures = figures

    def collect(self) -> Iterator[Any]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        told = self._figures()
        for name, meaning in COUNTERS.items():
            yield CounterMetricFamily(f"tocsin_{name}", meaning, value=told.get(name) or 0)
        for name, meaning in GAUGES.items():
            if told.get(name) is not None:
                yield GaugeMetricFamily(f"tocsin_{name}", meaning, value=told[name])
        found = CounterMetricFamily("tocsin_detections", "Detections, by rule.", labels=["rule"])
        for rule, count in told["detections"].items():
            found.add_metric([rule], count)
        yield found
        sent = CounterMetricFamily("tocsin_published", "Detections that a sink has taken.", labels=["sink"])
        for sink, count in told["published"].items():
            sent.add_metric([sink], count)
        yield sent
        if told.get("watermark"):
            moment = datetime.fromisoformat(told["watermark"].replace("Z", "+00:00"))
            seconds = (moment - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()
            yield GaugeMetricFamily("tocsin_watermark_seconds", "How far event time has got.", value=seconds)
