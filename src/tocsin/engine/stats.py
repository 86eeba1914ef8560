"""What an engine tells of itself: what it holds and has done, in all and for each rule that runs."""

from __future__ import annotations

from collections.abc import Mapping

from tocsin.algebra.detectors import Detector
from tocsin.engine.network.allowance import Allowance, held_bytes
from tocsin.engine.network.firings import Firing
from tocsin.engine.network.network import Network
from tocsin.engine.rule_set import Native


def stats_of(network: Network, running: Mapping[str, Detector], now: int | None, arrivals: int) -> dict[str, object]:
    """What the engine holds and has done.

    A rule's `seen` and `late` are events of the types it names, `held` the rows of those types that are kept
    (shared with other rules), `cpu` its share of the time spent searching, as far as a sample tells.
    """
    arenas = [gate.arena for gate in network.all_gates()]
    told: dict[str, object] = {
        "now": now,
        "events": arrivals,
        "held": sum(int(arena.arrived - arena.head) for arena in arenas),
        "bytes": held_bytes(arenas),
    }
    if network.total is not None:
        told["budget"] = _used(network.total)
    rules: dict[str, object] = {}
    for name, one in running.items():
        firing = one.firing if isinstance(one, Native) else None
        rules[name] = {"refused": one.refused, "engine": "replay"} if firing is None else _rule(name, firing, network)
    return {**told, "rules": rules}


def _rule(name: str, firing: Firing, network: Network) -> dict[str, object]:
    own = [gate for gate in network.event_gates() if firing in gate.wanting]
    before = [firing.seen_before.get(gate.arena.name, (0, 0)) for gate in own]
    total = sum(each.cpu for each in network.firings) or 1.0
    told: dict[str, object] = {
        "seen": sum(int(gate.arena.arrived) - seen for gate, (seen, _) in zip(own, before, strict=True)),
        "late": sum(gate.lates - late for gate, (_, late) in zip(own, before, strict=True)),
        "held": sum(int(gate.arena.arrived - gate.arena.head) for gate in own),
        "detections": firing.found_for(name),
        "bytes": held_bytes([gate.arena for gate in own]),
        "refused": firing.refused,
        "cpu": round(firing.cpu / total, 4),
        "engine": "network",
    }
    if firing.allowance is not None:
        told["budget"] = _used(firing.allowance)
    return told


def _used(allowance: Allowance) -> dict[str, object]:
    """A budget, and what it has cost."""
    budget = allowance.budget
    limits = {"rows": budget.rows, "bytes": budget.bytes, "policy": budget.policy.value}
    return {**limits, "refused": allowance.refused, "dropped": allowance.dropped}
