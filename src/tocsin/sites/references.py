"""Attributes that stayed where an event was born, fetched by whoever has the event (002 section 5: network objects)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tocsin.errors import UsageError


def birthplaces(source: str, said: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The sites to which a source reports."""
    return sorted(site for site, one in said.items() if source in one.get("sources", {}))


def fetched(
    source: str, identity: str, said: Mapping[str, Mapping[str, Any]], ask: Callable[[str, list[Any]], Any]
) -> dict[str, Any]:
    """The attributes of an event that stay where it was born, or an error in one line that says why there are none.

    `said`: what the sites say of themselves; `ask` asks one of them, and raises an error where it does not answer.
    """
    sites = birthplaces(source, said) or sorted(said)  # of sources that have ended sites do not speak
    answers = {site: ask(site, ["fetch", source, identity]) for site in sites}
    known = {site: found for site, found in answers.items() if found is not None}
    for found in known.values():
        if found["kept"] is not None:
            return dict(found["kept"])
    for site, found in known.items():
        if found["born"]:
            raise UsageError(
                f"of event '{source}/{identity}' nothing is kept at site '{site}': either all of it travelled,"
                " or it is forgotten since so many came after it"
            )
    if not known:
        raise UsageError(f"no site that is there has a source '{source}'; asked: {', '.join(sites) or 'none'}")
    raise UsageError(f"no event '{identity}' of source '{source}' is known at site '{', '.join(known)}' any more")
