"""Deliveries as rows of the store, and who sends them as the settings say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tocsin.service.deliveries.records import Delivery, Record, TargetHealth
from tocsin.service.deliveries.senders import Sender
from tocsin.service.deliveries.targets import File, Topic, Webhook
from tocsin.service.setting_kinds import is_loopback
from tocsin.service.settings import Settings

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


class Senders(Mapping[Any, Sender]):
    """Who sends to which kind of target: each is made when it is first needed, for what it stands on takes its time."""

    def __init__(self, settings: Settings) -> None:
        # A service that only its own machine can reach may call that machine.
        own = LOOPBACK if is_loopback(settings.listen.host) else ()
        self._allowed = (*own, *map(str, settings.deliveries.allowed_networks))
        self._settings = settings.deliveries
        self._made: dict[Any, Sender] = {}

    def __getitem__(self, kind: Any) -> Sender:
        if kind not in self._made:
            self._made[kind] = self._sender(kind)
        return self._made[kind]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)

    def _sender(self, kind: Any) -> Sender:
        from tocsin.service.deliveries.addresses import Addresses
        from tocsin.service.deliveries.brokers import Brokers
        from tocsin.service.deliveries.local import Files, Programs
        from tocsin.service.deliveries.webhooks import WebhookLimits, Webhooks

        settings = self._settings
        if kind is Webhook:
            limits = WebhookLimits(settings.connect_time / _SECOND, settings.answer_time / _SECOND)
            return Webhooks(Addresses(self._allowed), limits)
        if kind is Topic:
            return Brokers(Addresses(self._allowed))
        if kind is File:
            return Files({name: Path(path) for name, path in settings.files.items()})
        return Programs(settings.programs, settings.answer_time / _SECOND)
