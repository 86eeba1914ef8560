"""Detection spread over sites: parts of rules run near the sources, and the answer is that of one all-seeing detector.

records      what travels: events, and the outputs of parts
parts        what a site hosts: a filter, a join or a whole rule, with the streams that it takes
births       the events that are born at a site: numbers, repeats, how far each source has got
inboxes      streams taken in, in the order of their numbers, and merged instant by instant
outboxes     streams given out, kept until whoever takes them has reported
hosts        a part at work
site         a site: hosts, streams, progress, moves. No clock, no network, no disk: these are its shell's
prefilters   attributes that stay where events are born, conditions on them tested there, limits
references   attributes that stayed, fetched by whoever has the event
audit        what a site remembers of what happened at it
questions    what people ask a site, and what it answers
trail_texts  ... as text, and trail_pictures: as a picture
trails       where a detection comes from: a thread through the logs of all sites
overview     what all sites say of themselves, put together: status, and what is blocked
targets      which parts are to move, and where to
explanations how a rule can be cut, and where its parts run
surveys      who is there, and what is remembered of those that are silent
tables       tables of text
meters       what goes over the links of a site
placement    on which site each part runs
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tocsin.sites.connection import Connection, EventType, Subscribed, connect

__all__ = ["Connection", "EventType", "Subscribed", "connect"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'tocsin.sites' has no attribute '{name}'")
    return getattr(import_module("tocsin.sites.connection"), name)
