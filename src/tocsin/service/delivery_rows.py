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
from tocsin.service.settings import Deliveries

HEALTH: Final = "health"
"""The state of a row that tells how a target does: it is of no detection, and its number is 0."""
_SECOND: Final = 1_000_000


def record_of(row: Record) -> dict[str, Any]:
    """A row, as the store keeps it."""
    told = row.to_json()
    return told if isinstance(row, Delivery) else told | {"number": 0, "state": HEALTH}


def health_of(record: Mapping[str, Any]) -> TargetHealth:
    """How a target did when it was last heard of."""
    return TargetHealth.of_json({key: record[key] for key in record if key not in ("number", "state")})


def senders_of(settings: Deliveries, tls: ssl.SSLContext | None = None) -> Senders:
    """Who sends to which kind of target."""
    addresses = Addresses(map(str, settings.allowed_networks))
    limits = WebhookLimits(settings.connect_time / _SECOND, settings.answer_time / _SECOND)
    return {
        Webhook: Webhooks(addresses, limits, tls=tls),
        Topic: Brokers(addresses),
        File: Files({name: Path(path) for name, path in settings.files.items()}),
        Program: Programs(settings.programs, settings.answer_time / _SECOND),
    }
