"""Who may be called what, and which topics of the broker belong to whom (001 sections 4.1 and 7).

A deployment has a name, the path of the broker's address: under it there is an administration topic that everybody
listens to, and a topic for each who is there, at which it listens alone.
"""

from __future__ import annotations

import re
from typing import Final
from uuid import uuid4

from tocsin.errors import UsageError
from tocsin.transports import Address, address_of, scheme_of
from tocsin.transports.address import KEYS, shown

SCHEMES: Final = ("kafka", "memory", "mqtt", "mqtts", "nats", "nats+tls")
DEPLOYMENT: Final = "tocsin"
ADMINISTRATION: Final = "admin"
GUEST: Final = "_"
"""What the names of those begin with who are at no site: they come and go, and nobody waits for them for ever."""
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_PATH: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


def site_name(text: str) -> str:
    """The name of a site, checked."""
    if not _NAME.fullmatch(text):
        raise UsageError(f"{text!r} is no name of a site: letters, digits, '_' and '-', at most 64, the first no '_'")
    return text


def guest_name(kind: str) -> str:
    """The name of somebody who is at no site, like nobody else's."""
    return f"{GUEST}{kind}-{uuid4().hex[:12]}"


def is_guest(name: str) -> bool:
    """Whether somebody is at no site."""
    return name.startswith(GUEST)


def broker_of(url: str) -> Address:
    """The broker that sites talk over; the path of its address is the deployment's name."""
    if scheme_of(url) not in SCHEMES:
        raise UsageError(
            f"{shown(url)}: sites talk over NATS, MQTT or Kafka: nats://HOST:4222, mqtt://HOST, kafka://HOST"
        )
    address = address_of(url, KEYS)
    if address.path and not _PATH.fullmatch(address.path):
        raise UsageError(f"{address}: {address.path!r} is no name of a deployment: letters, digits, '_' and '-'")
    return address


def deployment_of(address: Address) -> str:
    """The name of the deployment at an address."""
    return address.path or DEPLOYMENT
