"""Who is there besides a site: the directory is what everybody says of himself, now and then and when it changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tocsin.sites.births import FAR
from tocsin.sites.clocks import Clocks
from tocsin.sites.links import Message

if TYPE_CHECKING:
    from tocsin.sites.site import Site

VERSION: Final = 1
"""Of the messages between sites: sites of another version are not understood, and told so."""
EVERYBODY: Final = "*"
"""Whoever listens to the administration topic."""


@dataclass
class Peer:
    """What is known of another site, as it says itself."""

    incarnation: str
    heard: int
    said: Message


class Neighbours:
    """The other sites, as they say themselves, and their clocks."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.peers: dict[str, Peer] = {}
        self.clocks = Clocks()
        self.clocks_are_off = False
        """Whether clocks are further apart than 2g stamps allow."""
        self.has_namesake = False
        """Whether another site of this name was heard."""
        self._said_hello: int | None = None
        self._also: dict[str, Any] = {}
        """What its shell says of it besides."""

    def hurry(self) -> None:
        """What is said of this site has changed: it is said again soon."""
        self._said_hello = None

    def greet(self) -> None:
        """Says now and then who is here and what is done here: the directory is what everybody says."""
        if self._said_hello is not None and self._site.now - self._said_hello < self._site.pace.beat:
            return
        self._said_hello = self._site.now
        self._site.send(EVERYBODY, {"is": "hello"} | self.introduction())
        other = self.clocks.next_of(sorted(self.peers))
        if other is not None:
            self._site.send(other, {"is": "ping", "sent": self._site.now})

    def introduction(self) -> dict[str, Any]:
        """What it says to everybody."""
        return {"version": VERSION} | self._also | self._site.described()

    def says(self, also: Mapping[str, Any]) -> None:
        """Says more of itself from now on, and soon."""
        if also != self._also:
            self._also = dict(also)
            self._said_hello = None

    def check_precision(self) -> None:
        """Says so when clocks are further apart than the granularity of 2g stamps allows (002: g > precision)."""
        coarsest = min((host.part.granularity or FAR for host in self._site.hosts.values()), default=FAR)
        is_off = self.clocks.precision >= coarsest
        if is_off and not self.clocks_are_off:
            precision = self.clocks.precision / 1e6
            self._site.remark(
                f"clocks are up to {precision:g} seconds apart, and 2g stamps of {coarsest / 1e6:g} seconds need less:"
                " what happened close together may be told in the wrong order"
            )
        self.clocks_are_off = is_off

    def meet(self, message: Message, sender: str) -> None:
        if sender == self._site.name:
            if message["incarnation"] != self._site.incarnation:
                self.has_namesake = True
            return
        if message["version"] != VERSION:
            self._site.remark(f"site '{sender}' speaks version {message['version']}, this one {VERSION}")
            return
        peer = self.peers.get(sender)
        if peer is not None and peer.incarnation != message["incarnation"]:
            self._site.lost(sender)
        self.peers[sender] = Peer(message["incarnation"], self._site.now, message)

    # -- state -------------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """What is known of others, as plain values."""
        peers = {name: [peer.incarnation, peer.heard, peer.said] for name, peer in self.peers.items()}
        return {"peers": peers, "clocks": self.clocks.saved()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """What `state` gave."""
        self.peers = {name: Peer(*peer) for name, peer in state["peers"].items()}
        self.clocks.restore(state["clocks"])
