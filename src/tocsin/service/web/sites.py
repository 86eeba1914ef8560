"""The sites of a deployment beside the service, and the way of their detections: for the map."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from tocsin.errors import TocsinError
from tocsin.service.access.permissions import Action
from tocsin.service.site_observer import SiteObserver
from tocsin.service.web.endpoints import Call, Endpoint, refused
from tocsin.transports import Unreachable


class Traced(msgspec.Struct):
    """Which detection is followed: its id, or how that begins."""

    detection: str


class SiteMap(msgspec.Struct):
    """What `tocsin sites status --json` and `blocked --json` say, with what is drawn besides.

    Times are microseconds, those of a site by its own clock. `trouble` says why nothing is known, or nothing new.
    """

    broker: str
    trouble: str
    sites: list[dict[str, Any]]
    clocks: list[dict[str, Any]]
    sources: list[dict[str, Any]]
    parts: list[dict[str, Any]]
    filters: list[dict[str, Any]]
    links: list[dict[str, Any]]
    streams: list[dict[str, Any]]
    blocked: list[dict[str, Any]]
    detections: list[dict[str, Any]]
    notes: list[dict[str, Any]]


def _observer(call: Call) -> SiteObserver:
    if call.service.sites is None:
        raise refused(404, "sites-unset", "this service looks at no sites", "tocsin serve --sites nats://HOST:4222")
    return call.service.sites


async def site_map(call: Call) -> SiteMap:
    """Which sites there are, what runs at each, what goes from one to another, what is blocked and on whom."""
    return SiteMap(**await _observer(call).map())


async def trail(call: Call) -> dict[str, Any]:
    """Where a detection of the sites comes from: down through its parts to its events, as `tocsin trace --json`."""
    observer, asked = _observer(call), call.query(Traced)
    if not asked.detection:
        raise refused(422, "query-invalid", "'detection' is empty", "the id of a detection, or how it begins")
    try:
        return await observer.trail(asked.detection)
    except Unreachable as error:
        raise refused(503, "sites-unreachable", str(error)) from None
    except TocsinError as error:
        raise refused(404, "detection-unknown", str(error)) from None


ENDPOINTS: Final = (
    Endpoint("GET", "/v1/sites", Action.READ_SITES, site_map, "The map of sites", SiteMap, errors=(404,)),
    Endpoint(
        "GET",
        "/v1/sites/trace",
        Action.READ_SITES,
        trail,
        "A detection's way over the sites",
        dict[str, Any],
        query=Traced,
        errors=(404, 503),
    ),
)
