"""Why a rule runs as it does: what could be cut off it and what not, where its parts are and what they take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tocsin.algebra.rules import Program, Rule, shown_name
from tocsin.errors import UsageError, nearest
from tocsin.planner.cuts import cuts
from tocsin.sites.deployment import Deployment, Placed
from tocsin.sites.overview import Record, Said, giver_of
from tocsin.sites.parts import TOLD, Role, part_of


def running(parts: Mapping[str, list[Mapping[str, Any]]], sink: str) -> Deployment:
    """What is at work, from the parts that each site has: as a deployment for those at one sink."""
    placed = [Placed(part_of(record), site) for site, records in sorted(parts.items()) for record in records]
    distinct = {each.part.key: each for each in placed}
    told = {
        rule.name: each.part.key + TOLD
        for each in distinct.values()
        if each.part.role is Role.RULE
        for rule in each.part.rules
        if not rule.hidden
    }
    return Deployment(sink, tuple(distinct.values()), told)


def cuts_of(program: Program, rule: Rule) -> Record:
    """What can be cut off a rule, and why not more."""
    cutting = cuts(program, rule)
    return {
        "rule": shown_name(rule.name),
        "cuts": [{"text": cut.text, "types": sorted(cut.types)} for cut in cutting.cuts],
        "uncut": [{"text": each.text, "why": each.why} for each in cutting.uncut],
    }


def explained(said: Said, at_work: Deployment, names: list[str]) -> list[Record]:
    """The rules that run, all or those that are named: where, with what below them, and how they can be cut."""
    known = sorted(at_work.told)
    for name in names:
        if name not in known:
            hint = nearest(name, known)
            rules = f"; rules that run: {', '.join(known) or 'none'}"
            raise UsageError(f"no rule '{name}' runs at any site{rules}{f'; {hint}' if hint else ''}")
    by_key = {each.part.key: each for each in at_work.placed}
    found: list[Record] = []
    for name in names or known:
        key = at_work.told[name].removesuffix(TOLD)
        part, site = by_key[key]
        rule = next(each for each in part.rules if each.name == name)
        found.append(cuts_of(part.program, rule) | {"site": site, "part": key, "takes": _takes(said, by_key, key)})
    return found


def _takes(said: Said, by_key: Mapping[str, Placed], key: str) -> list[Record]:
    found: list[Record] = []
    for stream in by_key[key].part.inputs:
        there = by_key.get(stream)
        below = [] if there is None or there.part.role is Role.FILTER else _takes(said, by_key, stream)
        rules = [] if there is None else [shown_name(rule.name) for rule in there.part.rules]
        record = {"stream": stream, "site": giver_of(said, stream) if there is None else there.site, "rules": rules}
        found.append(record | {"takes": below, "limit": None if there is None else there.part.limit})
    return found


def explanation_lines(records: list[Record]) -> Iterator[str]:
    """What `explained` or `cuts_of` gave, as text."""
    for record in records:
        where = f" runs at {record['site']} as {record['part']}" if "site" in record else ""
        yield f"rule {record['rule']}{where}"
        if "takes" in record:
            yield from _taken_lines(record["takes"], "  ")
        if record["cuts"]:
            yield "  can be cut off, and run elsewhere:"
            yield from (f"    {cut['text']}" for cut in record["cuts"])
        if record["uncut"]:
            yield "  cannot be cut off:"
            yield from (f"    {each['text']}: {each['why']}" for each in record["uncut"])
        if not record["cuts"] and not record["uncut"]:
            yield "  it has no part that could run elsewhere"


def _taken_lines(takes: list[Record], lead: str) -> Iterator[str]:
    for each in takes:
        limit = "" if each["limit"] is None else f", no more than {each['limit'][0]} in {each['limit'][1] / 1e6:g} s"
        yield f"{lead}takes {each['stream']} from {each['site'] or 'nowhere'}{limit}"
        yield from _taken_lines(each["takes"], lead + "  ")
