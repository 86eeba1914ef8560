"""What all sites say of themselves, put together: who is there, what runs where, how far it is, what waits for what.

Plain functions from the directory (what each site said last) to records; the tables show the records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from tocsin.sites.parts import TOLD
from tocsin.sites.tables import Table, has_ended, instant, lasting

Said: TypeAlias = Mapping[str, Mapping[str, Any]]
"""What sites say of themselves (`Site.described`, or their answers to "status"), by site."""
Record: TypeAlias = dict[str, Any]


GUEST = "_"
"""What the names of those begin with who are at no site."""


def status_of(said: Said, ages: Mapping[str, int] | None = None) -> Record:
    """Everything, as records. `ages`: for how long nothing was heard of a site, in microseconds."""
    return {
        "sites": [_site(name, one, (ages or {}).get(name)) for name, one in sorted(said.items())],
        "clocks": [
            {"site": name, "other": other, "ahead": probe["offset"], "error": probe["error"]}
            for name, one in sorted(said.items())
            for other, probe in sorted(one.get("clocks", {}).items())
        ],
        "sources": list(_sources(said)),
        "parts": list(_parts(said)),
        "filters": list(_filters(said)),
        "links": list(_links(said)),
        "notes": [{"site": name, "note": note} for name, one in sorted(said.items()) for note in one.get("notes", ())],
    }


def _site(name: str, one: Mapping[str, Any], age: int | None) -> Record:
    log = one.get("log", {})
    return {
        "site": name,
        "version": one.get("version"),
        "incarnation": one.get("incarnation"),
        "clock": one.get("clock"),
        "precision": one.get("precision"),
        "heard": age,
        "sources": len(one.get("sources", ())),
        "parts": len(one.get("parts", ())),
        "blocked": len({key for key, *_ in one.get("blocked", ())}),
        "log": log.get("entries"),
        "log_since": log.get("oldest"),
    }


def _sources(said: Said) -> Iterator[Record]:
    for name, one in sorted(said.items()):
        for source, known in sorted(one.get("sources", {}).items()):
            reached = known["reached"]
            behind = None if reached is None or has_ended(reached) else max(one["clock"] - reached, 0)
            yield {"site": name, "source": source, "types": known["types"], "reached": reached, "behind": behind}


def _parts(said: Said) -> Iterator[Record]:
    for name, one in sorted(said.items()):
        rates = one.get("rates", {}).get("streams", {})
        for key, part in sorted(one.get("parts", {}).items()):
            rate = rates.get(key)
            record = {"site": name, "part": key, "role": part["role"], "rules": part["rules"], "done": part["done"]}
            record |= {"inputs": part["inputs"], "outputs": part["outputs"], "held": part.get("held")}
            record |= {"waiting": part.get("waiting"), "rate": None if rate is None else rate[0]}
            yield record | {"bytes_rate": None if rate is None else rate[1]}


def _filters(said: Said) -> Iterator[Record]:
    for name, one in sorted(said.items()):
        for stream, last in sorted(one.get("filters", {}).items()):
            taken = sorted(
                {site for site, other in said.items() for part in other["parts"].values() if stream in part["inputs"]}
            )
            yield {"site": name, "stream": stream, "outputs": last, "taken_at": taken}


def _links(said: Said) -> Iterator[Record]:
    for name, one in sorted(said.items()):
        for other, sent in sorted(one.get("links", {}).items()):
            if other.startswith(GUEST):
                continue
            yield {"site": name, "to": other, "messages": sent["messages"], "bytes": sent.get("bytes")}


def status_tables(record: Record) -> Iterator[Table]:
    """What `status_of` gave, as tables."""
    yield Table(
        "sites",
        ("site", "version", "heard", "clock", "precision", "sources", "parts", "blocked", "log"),
        [
            (
                each["site"],
                None if each["version"] is None else str(each["version"]),
                None if each["heard"] is None else f"{lasting(each['heard'])} ago",
                instant(each["clock"]),
                lasting(each["precision"]),
                each["sources"],
                each["parts"],
                each["blocked"],
                each["log"],
            )
            for each in record["sites"]
        ],
    )
    yield Table(
        "clocks",
        ("site", "of", "is ahead by", "within"),
        [(each["site"], each["other"], lasting(each["ahead"]), lasting(each["error"])) for each in record["clocks"]],
    )
    yield Table(
        "sources",
        ("site", "source", "types", "reached", "behind"),
        [
            (
                each["site"],
                each["source"],
                "any" if each["types"] is None else each["types"],
                instant(each["reached"]),
                lasting(each["behind"]),
            )
            for each in record["sources"]
        ],
    )
    yield Table(
        "parts",
        ("site", "part", "rules", "done to", "out", "a second", "held", "waiting"),
        [
            (
                each["site"],
                each["part"],
                each["rules"],
                instant(each["done"]),
                each["outputs"],
                each["rate"],
                each["held"],
                each["waiting"],
            )
            for each in record["parts"]
        ],
    )
    yield Table(
        "filters",
        ("site", "stream", "out", "taken at"),
        [(each["site"], each["stream"], each["outputs"], each["taken_at"] or None) for each in record["filters"]],
    )
    yield Table(
        "links",
        ("from", "to", "messages", "bytes"),
        [(each["site"], each["to"], each["messages"], each["bytes"]) for each in record["links"]],
    )
    yield Table("notes", ("site", "note"), [(each["site"], each["note"]) for each in record["notes"]])


# -- what waits ------------------------------------------------------------------------------------------------------


def blocked_of(said: Said, silent: Mapping[str, int] | None = None) -> list[Record]:
    """Which rules wait, for which stream of which site, and since when; the longest first.

    `silent`: sites that are not heard of any more, and for how long, in microseconds. What a part waits for is followed
    down to where nothing is known: to a source that has not told how far it has got, or to a site that is silent. It is
    followed up, too: a rule above a part that waits, or that runs at a silent site, may have nothing in hand itself.
    """
    silent = silent or {}
    found: dict[tuple[str, str, str], Record] = {}
    all_stuck = (*_waiting(said, silent), *_silenced(said, silent))
    parts = {stuck.part for stuck in all_stuck}
    for stuck in all_stuck:
        is_lowest = stuck.about["stream"] not in parts - {stuck.part}  # what it waits for waits for nobody else
        for record in _rules_behind(said, silent, stuck) if is_lowest else _itself(said, silent, stuck):
            known = found.setdefault((record["site"], record["part"], record["stream"]), record)
            known |= record if record["for"] > known["for"] else {}
    return sorted(found.values(), key=lambda each: (-each["for"], each["site"], each["part"], each["stream"]))


class _Stuck(NamedTuple):
    """A part that does not go on: at which site, and what is said of whatever waits for it."""

    part: str
    site: str
    about: Record


def _waiting(said: Said, silent: Mapping[str, int]) -> Iterator[_Stuck]:
    """The parts that say themselves that they wait."""
    for name, one in sorted(said.items()):
        for key, stream, since, time in one.get("blocked", ()) if name not in silent else ():
            giver = giver_of(said, stream)
            about = {"stream": stream, "since": since, "for": max(one["clock"] - since, 0), "until": time}
            about |= {"waits_for": giver, "why": why_blocked(said, silent, stream, giver, time)}
            yield _Stuck(key, name, about)


def _silenced(said: Said, silent: Mapping[str, int]) -> Iterator[_Stuck]:
    """The parts that run at sites that are not heard of any more."""
    for name, age in sorted(silent.items()):
        one = said.get(name, {})
        for key in sorted(one.get("parts", {})):
            clock = one["clock"]
            about = {"stream": key, "since": clock, "for": age, "until": clock, "waits_for": name}
            yield _Stuck(key, name, about | {"why": f"site '{name}' has not been heard of for {lasting(age)}"})


def _itself(said: Said, silent: Mapping[str, int], stuck: _Stuck) -> Iterator[Record]:
    """A part that does not go on, if it is a rule."""
    part, about = said[stuck.site]["parts"].get(stuck.part), stuck.about
    if part is not None and part["role"] == "rule":
        why = f"it runs at '{stuck.site}': {about['why']}" if stuck.site in silent else about["why"]
        yield {"rules": part["rules"], "part": stuck.part, "site": stuck.site} | about | {"why": why}


def _rules_behind(said: Said, silent: Mapping[str, int], stuck: _Stuck) -> Iterator[Record]:
    """A part that does not go on, if it is a rule; and the rules above it that do not say so themselves."""
    yield from _itself(said, silent, stuck)
    above, seen = [stuck.part], {stuck.part}
    while above:
        stream = above.pop()
        for site, key, taker in _takers(said, silent, stream):
            is_rule = taker["role"] == "rule"
            if key in seen or (is_rule and any(pair[:2] == [key, stream] for pair in said[site].get("blocked", ()))):
                continue  # what a rule says of itself leads down to here
            seen.add(key)
            above.append(key)
            if is_rule:
                yield {"rules": taker["rules"], "part": key, "site": site} | stuck.about


def _takers(said: Said, silent: Mapping[str, int], stream: str) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """The parts that take a stream, at sites that are heard of."""
    for name, one in sorted(said.items()):
        for key, part in sorted(one.get("parts", {}).items()) if name not in silent else ():
            if stream in part["inputs"]:
                yield name, key, part


def giver_of(said: Said, stream: str) -> str | None:
    """The site that gives out a stream."""
    key = stream.removesuffix(TOLD)
    for name, one in sorted(said.items()):
        if key in one.get("parts", {}) or key in one.get("filters", {}):
            return name
    birthplace = key.split("/", 1)[0]
    return birthplace if birthplace in said else None


def why_blocked(
    said: Said, silent: Mapping[str, int], stream: str, giver: str | None, time: int, depth: int = 0
) -> str:
    """Why a stream has not got to a time, in a sentence."""
    if giver is None:
        return f"no site gives out {stream}"
    if giver in silent:
        return f"site '{giver}' has not been heard of for {lasting(silent[giver])}"
    one = said[giver]
    part = one.get("parts", {}).get(stream.removesuffix(TOLD))
    if part is not None:
        behind = [each[1] for each in one.get("blocked", ()) if each[0] == stream.removesuffix(TOLD)]
        if behind and depth < len(said) + 32:
            givers = {each: giver_of(said, each) for each in behind}
            worst = min(behind, key=lambda each: givers[each] not in silent)  # others will tell, a silent site may not
            return why_blocked(said, silent, worst, givers[worst], time, depth + 1)
        return f"part {stream} at '{giver}' has not got there yet"
    kind = stream.split("/")[1] if "/" in stream else ""
    late = [
        (-1 if known["reached"] is None else known["reached"], name)
        for name, known in one.get("sources", {}).items()
        if known["types"] is None or kind == "*" or kind in known["types"]
    ]
    waiting = [(reached, name) for reached, name in sorted(late) if reached <= time]
    if not waiting:
        return f"site '{giver}' has not said yet how far {stream} has got"
    reached, source = waiting[0]
    told = "has told nothing yet" if reached < 0 else f"has told of nothing since {instant(reached)}"
    return f"source '{source}' at '{giver}' {told}"


def blocked_tables(records: Iterable[Record]) -> Iterator[Table]:
    """What `blocked_of` gave, as a table."""
    yield Table(
        "blocked",
        ("rules", "at", "waits for", "of", "for", "since", "why"),
        [
            (
                each["rules"],
                each["site"],
                each["stream"],
                each["waits_for"],
                lasting(each["for"]),
                instant(each["since"]),
                each["why"],
            )
            for each in records
        ],
    )
