"""The map of a sites deployment: what `tocsin sites status` and `blocked` say, and what is to be drawn besides.

That is which sites are silent, what streams go from one site to another, and what was detected last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from tocsin.sites.overview import Record, Said, blocked_of, giver_of, status_of
from tocsin.sites.surveys import Survey

Detected: TypeAlias = Mapping[str, Sequence[Any]]
"""What sites answer to `["detection", ""]`: their last detections, by site."""
MOST_DETECTIONS: Final = 30


def map_of(found: Survey, ages: Mapping[str, int], detected: Detected) -> Record:
    """All of it, as records. Times are microseconds, those of a site by its own clock, as `tocsin sites` has them."""
    record = status_of(found.said, dict(ages))
    rates = {name: one.get("rates", {}).get("links", {}) for name, one in found.said.items()}
    for site in record["sites"]:
        site["is_silent"] = site["site"] in found.silent
    for link in record["links"]:
        link["rate"], link["bytes_rate"] = rates.get(link["site"], {}).get(link["to"], (None, None))
    return record | {
        "streams": list(_streams(found.said)),
        "blocked": blocked_of(found.said, found.silent),
        "detections": _detections(detected),
    }


def _streams(said: Said) -> Iterator[Record]:
    """What each part takes, and which site gives it out."""
    for name, one in sorted(said.items()):
        for key, part in sorted(one.get("parts", {}).items()):
            for stream in part["inputs"]:
                yield {"stream": stream, "site": giver_of(said, stream), "to": name, "part": key}


def _detections(detected: Detected) -> list[Record]:
    """The last ones, the newest first; one that several sites have found, once."""
    found: dict[str, Record] = {}
    for site, rows in sorted(detected.items()):
        for entry, _ in rows:
            time, one = entry[0], entry[4]
            told = {"id": one["id"], "rule": one["rule"], "time": one["time_us"], "site": site, "detected": time}
            if one["id"] not in found or time < found[one["id"]]["detected"]:
                found[one["id"]] = told
    return sorted(found.values(), key=lambda each: (-each["detected"], each["id"]))[:MOST_DETECTIONS]
