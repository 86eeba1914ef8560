"""A site's figures for Prometheus, by link and by part: read when somebody asks for them.

tocsin site --name A --broker URL --metrics 9465        then: curl http://127.0.0.1:9465/metrics
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from tocsin.errors import MissingDependency, UsageError
from tocsin.sites.tables import has_ended

if TYPE_CHECKING:
    from tocsin.sites.site import Site

_TRIES: Final = 20
Sample = tuple[tuple[str, ...], float]


class Family:
    """A figure: its name, what it means, what it is told apart by, and its values."""

    def __init__(
        self, name: str, meaning: str, labels: tuple[str, ...], samples: Sequence[Sample], *, counts: bool
    ) -> None:
        self.name, self.meaning, self.labels, self.samples, self.counts = name, meaning, labels, samples, counts


def families_of(site: Site) -> Iterator[Family]:
    """Every figure of a site as it is now."""

    def counter(name: str, meaning: str, samples: Sequence[Sample], *labels: str) -> Family:
        return Family(f"tocsin_site_{name}", meaning, labels, samples, counts=True)

    def gauge(name: str, meaning: str, samples: Sequence[Sample], *labels: str) -> Family:
        return Family(f"tocsin_site_{name}", meaning, labels, samples, counts=False)

    sources = list(site.birthplace.births.sources.values())
    yield counter("events", "Events that were born here.", [((), sum(source.count for source in sources))])
    yield counter(
        "late", "Events that were sent back, since their source had got further.", [((), site.birthplace.births.late)]
    )
    yield counter("repeated", "Events whose source and id had come before.", [((), site.birthplace.births.repeats)])
    links = list(site.meters.links.items())
    yield counter("link_messages", "Messages to another site.", [((to,), one.messages) for to, one in links], "to")
    sent = [((to,), float(one.outputs)) for to, one in links]
    yield counter("link_outputs", "Outputs of streams to another site, those sent again too.", sent, "to")
    yield counter("link_bytes", "Bytes to another site.", [((to,), one.bytes) for to, one in links], "to")
    boxes = [(stream, box) for stream, box in list(site.links.outboxes.items()) if "/" in stream]
    given = [((stream,), float(box.last)) for stream, box in boxes if not stream.startswith(("from/", "control/"))]
    yield counter("stream_outputs", "Outputs of a stream that is given out here.", given, "stream")
    unreported = [((stream,), float(len(box.kept))) for stream, box in boxes]
    yield gauge("stream_unreported", "Outputs that are not known to be safe where they go.", unreported, "stream")
    yield from _parts(site, gauge)
    held_back = [((key,), float(sieve.held_back)) for key, sieve in list(site.birthplace.sieves.items())]
    yield counter("filter_held_back", "Events beyond the limit of a filter.", held_back, "stream")
    silence = [((name,), max(site.now - peer.heard, 0) / 1e6) for name, peer in list(site.neighbours.peers.items())]
    yield gauge("peer_silence_seconds", "Since when another site was not heard of.", silence, "site")
    yield gauge(
        "clock_precision_seconds", "How far apart the clocks may be.", [((), site.neighbours.clocks.precision / 1e6)]
    )
    yield gauge("log_entries", "Entries of the audit log.", [((), site.audit.count)])
    yield gauge("log_bytes", "Bytes of the audit log, packed.", [((), site.audit.size)])
    yield gauge("staying_events", "Events whose attributes stay here.", [((), len(site.birthplace.staying))])


def _parts(site: Site, gauge: Callable[..., Family]) -> Iterator[Family]:
    hosts = [(key, ",".join(rule.name for rule in host.part.rules), host) for key, host in list(site.hosts.items())]
    labels = "part", "rules"
    behind = [
        ((key, rules), max(site.now - host.frontier, 0) / 1e6)
        for key, rules, host in hosts
        if not has_ended(host.frontier) and host.frontier > 0
    ]
    yield gauge("part_behind_seconds", "How far a part's time is behind the clock.", behind, *labels)
    held = [((key, rules), float(len(host.events))) for key, rules, host in hosts]
    yield gauge("part_events", "Events that a part holds.", held, *labels)
    waiting = [((key, rules), float(host.waiting)) for key, rules, host in hosts]
    yield gauge("part_waiting", "Outputs that came and cannot be evaluated yet.", waiting, *labels)
    blocked = [((key, stream), (site.now - since) / 1e6) for (key, stream), (since, _) in list(site.blocked.items())]
    yield gauge("blocked_seconds", "For how long a part has waited for a stream.", blocked, "part", "stream")


class Endpoint:
    """A server that tells a site's figures."""

    def __init__(self, place: str, site: Site) -> None:
        host, _, port = place.rpartition(":")
        if not port.isascii() or not port.isdigit() or int(port) > 65535:
            raise UsageError(f"'{place}' is nowhere to listen: PORT or HOST:PORT")
        try:
            from prometheus_client import CollectorRegistry, start_http_server
        except ImportError:
            raise MissingDependency("prometheus-client", "brokers") from None
        registry = CollectorRegistry()
        registry.register(_Collector(site))
        try:
            self._server, self._thread = start_http_server(int(port), host.strip("[]") or "127.0.0.1", registry)
        except OSError as error:
            raise UsageError(f"'{place}': nobody can listen there: {error.strerror or error}") from None

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.server_address[1])

    def close(self) -> None:
        """Lets the port go."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Collector:
    """What Prometheus' library asks, in a thread of its own, while the site goes on."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def collect(self) -> Iterator[Any]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        for family in self._families():
            made = (CounterMetricFamily if family.counts else GaugeMetricFamily)(
                family.name, family.meaning, labels=family.labels
            )
            for labels, value in family.samples:
                made.add_metric(labels, value)
            yield made

    def _families(self) -> list[Family]:
        """All figures; anew where the site has changed something while it was looked at."""
        for _ in range(_TRIES):
            try:
                return list(families_of(self._site))
            except RuntimeError:
                continue
        return []
