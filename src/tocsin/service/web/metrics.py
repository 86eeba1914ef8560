"""The service's figures for Prometheus, read when they are asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from starlette.responses import Response

from tocsin.service.access.permissions import Action
from tocsin.service.gem_monitor import GEM
from tocsin.service.server import Service
from tocsin.service.web.endpoints import Call, Endpoint
from tocsin.service.web.operations import told_of_rules


class Figures:
    """What a service counts."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def collect(self) -> Iterator[Metric]:
        """Every figure as it is now."""
        service, core = self._service, self._service.core
        outbox = service.deliverer.outbox
        yield CounterMetricFamily("tocsin_events", "Events that were taken.", core.admission.events)
        yield CounterMetricFamily("tocsin_duplicates", "Events that had come before.", core.duplicates)
        yield _labelled("tocsin_refused", "Events that were refused, by code.", "code", core.refused_counts.items())
        yield CounterMetricFamily("tocsin_detections", "Detections that were made.", core.number)
        names = {id: each.name for id, each in core.asked.requests.items()}
        found = Counter[str]()  # two requests may have one name, and one figure is told once
        for id, count in core.found_counts.items():
            if id in names or id == GEM:
                found[names.get(id, GEM)] += count
        yield _labelled("tocsin_request_detections", "Detections by request.", "request", found.items())
        results = ((result.value, count) for result, count in service.deliverer.counts.items())
        yield _labelled("tocsin_deliveries", "Attempts to deliver, by what came of them.", "result", results)
        counted = told_of_rules(core)
        for name, meaning in _OF_RULES.items():
            yield CounterMetricFamily(f"tocsin_rules_{name}", meaning, counted.get(name, 0))
        yield GaugeMetricFamily("tocsin_requests", "Requests that stand.", len(core.asked.requests))
        yield GaugeMetricFamily("tocsin_queued_bytes", "Bytes of events that wait to be evaluated.", core.queued)
        yield GaugeMetricFamily("tocsin_log_position", "The last entry of the log that lasts.", core.durable)
        yield GaugeMetricFamily("tocsin_processed_position", "The last entry that was evaluated.", core.processed)
        yield GaugeMetricFamily("tocsin_deliveries_waiting", "Notifications that wait.", outbox.waiting)
        yield GaugeMetricFamily("tocsin_deliveries_under_way", "Notifications under way.", outbox.in_flight)
        yield GaugeMetricFamily(
            "tocsin_stream_listeners", "Who follows detections as they come.", service.stream.listeners
        )
        behind = max(0, core.clock - service.clock()) / 1e6
        yield GaugeMetricFamily("tocsin_clock_behind_seconds", "How far the clock was set back.", behind)
        yield GaugeMetricFamily("tocsin_writable", "Whether events can be stored.", int(not service.trouble))
        if service.subscriptions is not None:
            followed = service.subscriptions.counts.items()
            yield _labelled("tocsin_followed_messages", "Messages of topics that are followed.", "name", followed)


_OF_RULES: Final = {
    "refused": "Events that rules refused: too old for their window, too late for their order, too many for a budget.",
    "dropped": "Events that rules let go of, since there were too many for a budget.",
    "ignored": "Events of which the rules know nothing.",
    "incomparable": "Values that could not be compared.",
    "suppressed": "Detections that were not told.",
    "late": "Events that came to a rule after one that is later.",
}


def _labelled(name: str, meaning: str, label: str, values: Iterable[tuple[str, int]]) -> Metric:
    family = CounterMetricFamily(name, meaning, labels=[label])
    for value, count in values:
        family.add_metric([value], count)
    return family


async def metrics(call: Call) -> Response:
    """Figures for Prometheus."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Figures(call.service))
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)


ENDPOINTS: Final = (
    Endpoint("GET", "/metrics", Action.READ_STATUS, metrics, "Figures for Prometheus", media="text/plain"),
)
