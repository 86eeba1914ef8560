"""A subscription from outside: rules run at the sites, and whoever subscribed is told (001 sections 4.2 and 6.1)."""

from __future__ import annotations

from collections.abc import Callable

from tocsin.sites.births import FAR
from tocsin.sites.outboxes import REQUESTS
from tocsin.sites.shell.process import Hears, SiteProcess
from tocsin.sites.shell.requests import Request, request_record
from tocsin.sites.shell.topics import guest_name
from tocsin.sites.site import Site
from tocsin.transports import Address


class Subscription:
    """Somebody at no site who is told what rules detect."""

    def __init__(
        self,
        address: Address,
        *,
        hears: Hears,
        say: Callable[[str], None] = lambda text: None,
        began: Callable[[Site], None] = lambda site: None,
    ) -> None:
        self._process = SiteProcess(guest_name("subscriber"), address, hears=hears, say=say, began=began)
        self._process.claim()

    def add(self, name: str, request: Request) -> None:
        """Asks for rules."""
        self._process.do(request_record(name, request))

    def turn(self, seconds: float) -> None:
        """Lets things go on for so long."""
        self._process.turn(seconds)

    @property
    def waiting(self) -> list[str]:
        """Rules for which no source is there."""
        return sorted({rule for each in self._process.requests.all.values() for rule in each.waiting})

    @property
    def is_told(self) -> bool:
        """Whether every rule's detections come."""
        requests = self._process.requests.all.values()
        streams = [stream for each in requests for stream in each.told.values()]
        return bool(streams) and not self.waiting and all(stream in self._process.site.watched for stream in streams)

    def has_ended(self, until: int | None) -> bool:
        """Whether everything that happened until then has been told; without a time: whether all sources have ended."""
        if not self.is_told:
            return False
        site = self._process.site
        streams = [stream for each in self._process.requests.all.values() for stream in each.told.values()]
        reached = [site.links.inboxes[stream].frontier for stream in streams if stream in site.links.inboxes]
        if until is not None:
            site.links.needs(dict.fromkeys(streams, REQUESTS), until, self._process.clock())
        limit = FAR if until is None else until
        return all(each is not None and each >= limit for each in reached)

    def close(self) -> None:
        """Subscribes no more: what runs for nobody else ends at once."""
        self._process.leave()
        self._process.close()
