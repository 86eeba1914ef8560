"""Who is there and who is not: what sites say of themselves, and what they remember of those that have gone silent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from tocsin.sites.overview import GUEST, Said


class Survey(NamedTuple):
    """What each site says, or has said last; and those of them that are silent, with for how long, in microseconds."""

    said: dict[str, Mapping[str, Any]]
    silent: dict[str, int]


def surveyed(hellos: Said, answers: Mapping[str, Mapping[str, Any]]) -> Survey:
    """`hellos`: what sites said to everybody; `answers`: what they answered to "status", by site.

    A site that does not answer is silent, for as long as those who do have not heard of it.
    """
    said: dict[str, Mapping[str, Any]] = {site: dict(hellos.get(site, {})) | dict(one) for site, one in answers.items()}
    silent: dict[str, int] = {}
    remembered: dict[str, Mapping[str, Any]] = {}
    for one in answers.values():
        for name, peer in one.get("peers", {}).items():
            if name in answers or name.startswith(GUEST):
                continue
            silent[name] = min(peer["for"], silent.get(name, peer["for"]))
            if peer["said"] is not None:
                remembered[name] = peer["said"]
    for name in {*silent, *hellos} - answers.keys():
        known = hellos.get(name) or remembered.get(name)
        if known is None:
            silent.pop(name, None)  # it was heard a moment ago, and will be again
        else:
            said[name] = known
            silent.setdefault(name, 0)
    return Survey(said, silent)
