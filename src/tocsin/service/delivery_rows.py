"""Deliveries as rows of the store, and who sends them as the settings say."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tocsin.service.deliveries.addresses import Addresses
from tocsin.service.deliveries.brokers import Brokers
from tocsin.service.deliveries.local import Files, Programs
from tocsin.service.deliveries.records import Delivery, Record, TargetHealth
from tocsin.service.deliveries.senders import Senders
from tocsin.service.deliveries.targets import File, Program, Topic, Webhook
from tocsin.service.deliveries.webhooks import WebhookLimits, Webhooks
from tocsin.service.setting_kinds import is_loopback
from tocsin.service.settings import Deliveries, Settings

HEALTH: Final = "health"
"""The state of a row that tells how a target does: it is of no detection, and its number is 0."""
LOOPBACK: Final = ("127.0.0.0/8", "::1/128")
_SECOND: Final = 1_000_000


def record_of(row: Record) -> dict[str, Any]:
    """A row, as the store keeps it."""
    told = row.to_json()
    return told if isinstance(row, Delivery) else told | {"number": 0, "state": HEALTH}


def health_of(record: Mapping[str, Any]) -> TargetHealth:
    """How a target did when it was last heard of."""
    return TargetHealth.of_json({key: record[key] for key in record if key not in ("number", "state")})


def senders_of(settings: Settings, tls: ssl.SSLContext | None = None) -> Senders:
    """Who sends to which kind of target. A service that only its own machine can reach may call that machine."""
    own = LOOPBACK if is_loopback(settings.listen.host) else ()
    return _senders(settings.deliveries, Addresses((*own, *map(str, settings.deliveries.allowed_networks))), tls)


def _senders(settings: Deliveries, addresses: Addresses, tls: ssl.SSLContext | None) -> Senders:
    limits = WebhookLimits(settings.connect_time / _SECOND, settings.answer_time / _SECOND)
    return {
        Webhook: Webhooks(addresses, limits, tls=tls),
        Topic: Brokers(addresses),
        File: Files({name: Path(path) for name, path in settings.files.items()}),
        Program: Programs(settings.programs, settings.answer_time / _SECOND),
    }
