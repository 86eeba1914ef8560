"""What a site is asked by people: one message, one answer, and whoever asks asks again when none comes.

    {"is": "query", "number": 7, "what": ["status"]}      from whoever asks
    {"is": "answer", "number": 7, "found": ...}           or "fault": a line that says why not

    ["status"]                           what the site says of itself, with its log, what it noted, and since when it
                                         has not heard of others
    ["move", part or rule, site, stays]  begins to move a part, or all that belong to a rule, and says which
    ["drain", {part: site}]              begins to move everything where it is to go
    ["parts"]                            what runs here, whole: filters, joins, rules
    ["log", since, most]                 the audit log, the newest first
    ["detection", id]                    what the log says of detections whose ids begin so
    ["gave", streams, events]            how events went out: as which outputs of which streams, when
    ["took", [[stream, number]]]         when outputs came here
    ["born", events]                     which events were born here, and what stays here of them
    ["fetch", source, id]                the attributes of an event that stay here

Asking twice does no harm: a part that is on its way is not sent again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from tocsin.algebra.event_records import plain
from tocsin.errors import TocsinError
from tocsin.sites.parts import TOLD, part_record

if TYPE_CHECKING:
    from tocsin.sites.links import Message
    from tocsin.sites.site import Site

MOST_ANSWERED: Final = 1_000
"""Entries in an answer."""


def answered(site: Site, message: Message) -> Message:
    """The answer to a question. One that is not understood is answered, too."""
    answer: Message = {"is": "answer", "number": message.get("number")}
    match message.get("what"):
        case [str(what), *rest] if what in _QUESTIONS:
            try:
                return answer | {"found": _QUESTIONS[what](site, *rest)}
            except TocsinError as error:
                return answer | {"fault": str(error)}
            except (TypeError, ValueError, KeyError, IndexError):
                return answer | {"fault": f"'{what}' was not asked as site '{site.name}' understands it"}
    known = ", ".join(_QUESTIONS)
    return answer | {"fault": f"site '{site.name}' does not understand this question; it knows {known}"}


def _status(site: Site) -> Mapping[str, Any]:
    audit = site.audit
    log = {"entries": audit.count, "bytes": audit.size, "oldest": audit.oldest, "forgotten": audit.forgotten}
    staying = {"events": len(site.birthplace.staying)}
    more = {"links": site.meters.described(), "log": log, "staying_events": staying}
    peers = {
        name: {"for": site.now - peer.heard, "said": peer.said if site.now - peer.heard > site.pace.silence else None}
        for name, peer in site.neighbours.peers.items()
    }
    return site.described() | more | {"notes": site.notes[-20:], "peers": peers}


def _move(site: Site, name: str, to: str, stays: bool = False) -> list[str]:
    if to != site.name and to not in site.neighbours.peers:
        raise TocsinError(f"site '{site.name}' has never heard of a site '{to}'")
    keys = [key for key, host in site.hosts.items() if name == key or name in [rule.name for rule in host.part.rules]]
    for key in keys:
        site.moves.move(key, to, stays=stays)
    return [key for key in keys if to != site.name]


def _drain(site: Site, targets: Mapping[str, str]) -> list[str]:
    found: list[str] = []
    for key, to in targets.items():
        if key in site.hosts:
            found += _move(site, key, to)
    return found


def _parts(site: Site) -> list[Any]:
    parts = [sieve.part for sieve in site.birthplace.sieves.values()] + [host.part for host in site.hosts.values()]
    return [part_record(part) for part in parts]


def _log(site: Site, since: int | None = None, most: int = 100) -> list[Any]:
    found: list[Any] = []
    for entry in site.audit.entries(since):
        if len(found) >= min(most, MOST_ANSWERED):
            break
        found.append(entry)
    return found


def _detection(site: Site, identity: str) -> list[Any]:
    entries = site.audit.of(["detected"], lambda entry: str(entry[4]["id"]).startswith(identity))
    return [[entry, _part(site, entry[2].removesuffix(TOLD))] for entry, _ in zip(entries, range(10), strict=False)]


def _gave(site: Site, streams: Sequence[str], events: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """How events left: `[stream, number, time, events]`; and what is known of the streams' parts."""
    wanted, numbers = set(streams), {(source, number) for source, _, number in events}
    by_source: dict[str, list[int]] = {}
    for source, number in sorted(numbers):
        by_source.setdefault(source, []).append(number)
    found: list[Any] = []
    for entry in site.audit.of(["gave", "passed", "detected"]):
        match entry:
            case [time, "gave", stream, output, source, first, count] if stream in wanted:
                numbered = [number for number in by_source.get(source, ()) if first <= number < first + count]
                found += [[stream, output + number - first, time, [[source, number]]] for number in numbered]
            case [time, "passed", stream, output, made_of] if stream in wanted:
                ours = [[source, number] for source, _, number in made_of if (source, number) in numbers]
                if ours:
                    found.append([stream, output, time, ours])
            case [time, "detected", told, output, one] if told.removesuffix(TOLD) in wanted:
                ours = [[source, number] for _, source, _, _, number in one["made_of"]]
                if all((source, number) in numbers for source, number in ours):
                    found.append([told.removesuffix(TOLD), output, time, ours, one])
        if len(found) >= MOST_ANSWERED:
            break
    return {"gave": found, "parts": {stream: part for stream in streams if (part := _part(site, stream)) is not None}}


def _part(site: Site, key: str) -> dict[str, Any] | None:
    """What is known of a part that is or was here."""
    host = site.hosts.get(key)
    if host is not None:
        rules = [rule.name for rule in host.part.rules]
        return {"part": key, "role": host.part.role.value, "rules": rules, "inputs": list(host.part.inputs)}
    for entry in site.audit.of(["began", "comes"], lambda entry: bool(entry[2] == key)):
        _, _, _, role, rules, inputs, *_ = entry
        return {"part": key, "role": role, "rules": rules, "inputs": inputs}
    return None


def _took(site: Site, outputs: Sequence[Sequence[Any]]) -> list[Any]:
    """When outputs came: `[stream, number, time, from]`; one that came twice, the first time."""
    wanted: dict[str, list[int]] = {}
    for stream, number in outputs:
        wanted.setdefault(stream, []).append(number)
    found: dict[tuple[str, int], list[Any]] = {}
    for time, _, stream, first, last, sender in site.audit.of(["took"], lambda entry: entry[2] in wanted):
        for number in wanted[stream]:
            if first <= number <= last:
                found[stream, number] = [stream, number, time, sender]
    return list(found.values())


def _born(site: Site, events: Sequence[Sequence[Any]]) -> list[Any]:
    """The events that are known to be born here: `[source, id, the names of what stays]`."""
    found: list[Any] = []
    for source, identity, *_ in events:
        known = site.birthplace.births.sources.get(source)
        if known is not None and identity in known.ids:
            staying = site.birthplace.staying.get((source, identity))
            found.append([source, identity, sorted(staying or ())])
    return found


def _fetch(site: Site, source: str, identity: str) -> dict[str, Any] | None:
    """What stays here of an event; `kept` is None where that is forgotten, or never was. None for another's source."""
    known = site.birthplace.births.sources.get(source)
    if known is None:
        return None
    staying = site.birthplace.staying.get((source, identity))
    site.audit.note(site.now, "fetched", source, identity, "", staying is not None)
    return {"kept": None if staying is None else plain(staying), "born": identity in known.ids}


_QUESTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "status": _status,
    "move": _move,
    "drain": _drain,
    "parts": _parts,
    "log": _log,
    "detection": _detection,
    "gave": _gave,
    "took": _took,
    "born": _born,
    "fetch": _fetch,
}
