"""The broker as sites need it, and nothing more assumed (001 section 4.1): one file for each broker.

    wire = opened(address, name)        somebody listens to its own topic, and to the administration topic
    wire.publish(to, data)              to somebody's topic, or with None to the administration topic
    wire.receive(seconds)               what has come, as soon as there is something

Messages may be late, doubled, out of order or lost: streams are numbered end to end. So each broker is used in its
cheapest way. A wire that fails raises `Unreachable`, and is of no use any more.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

from tocsin.sites.shell.wires.contract import Wire
from tocsin.transports import Address

__all__ = ["Wire", "opened"]

_HOMES: Final = {
    "kafka": "kafka",
    "memory": "memory",
    "mqtt": "mqtt",
    "mqtts": "mqtt",
    "nats": "nats",
    "nats+tls": "nats",
}


def opened(address: Address, name: str) -> Wire:
    """A wire for somebody, by the scheme of the address."""
    made: Wire = import_module(f"{__name__}.{_HOMES[address.scheme]}").opened(address, name)
    return made
