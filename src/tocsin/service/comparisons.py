"""Requests that are tried out beside others: their detections go nowhere but into a comparison."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tocsin.events import Detection
from tocsin.runtime.shadow import Shadow
from tocsin.service.requests import Request


class Comparisons:
    """Each shadow with what it and the request beside it have found: the same, and what only one of them found."""

    def __init__(self) -> None:
        self._shadows: dict[str, Shadow] = {}
        self._beside: dict[str, list[str]] = {}
        """The shadows of each request that has some."""

    def note(self, requests: Iterable[Request]) -> None:
        """Which requests are tried out beside which, after a change; a comparison that goes on keeps what it has."""
        shadows = {each.id: each.shadows for each in requests if each.shadows and each.is_enabled}
        self._shadows = {id: self._shadows.get(id) or Shadow() for id in shadows}
        self._beside = {}
        for id, live in shadows.items():
            self._beside.setdefault(live, []).append(id)

    def sifted(self, found: list[Detection], owners: Mapping[str, str]) -> list[Detection]:
        """What is told of what was found."""
        if not self._shadows:
            return found
        told = []
        for one in found:
            request, events = owners.get(one.rule, ""), "\0".join(one.events)
            if request in self._shadows:
                self._shadows[request].add([(request, events, True)])
                continue
            told.append(one)
            for shadow in self._beside.get(request, ()):
                self._shadows[shadow].add([(shadow, events, False)])
        return told

    def difference(self, id: str) -> dict[str, int]:
        """What a shadow and the request beside it have found."""
        shadow = self._shadows.get(id) or Shadow()
        none = {"both": 0, "live only": 0, "candidate only": 0}
        return none | shadow.difference().get(id, {}) | {"given up": shadow.given_up}

    def state(self) -> dict[str, Any]:
        """All of it, as plain values."""
        return {id: shadow.state() for id, shadow in self._shadows.items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Goes on from what `state` told."""
        for id, each in state.items():
            if id in self._shadows:
                self._shadows[id].restore(each)
