"""How Spark would spread rules over shards, in words and as a graph."""

from __future__ import annotations

from tocsin.algebra.rules import Rule
from tocsin.draw.graph import Graph, Sketch
from tocsin.planner.equalities import shown
from tocsin.planner.placement import ANYWHERE, KEYED, Placement, types_of
from tocsin.time.spans import SECOND


def described(placement: Placement) -> dict[str, object]:
    """A placement in words."""
    types = placement.types
    every = types is None or placement.wants_all
    return {
        "kind": placement.kind,
        "shards": _shards(placement),
        "key": {kind: shown(name) for kind, name in placement.key},
        "events": "all events" if every else "events of type " + ", ".join(sorted(types or ())),
        "rules": {name: {"reason": reason} for name, reason in placement.reasons},
    }


def _shards(placement: Placement) -> str:
    if placement.kind == KEYED:
        key = ", ".join(f"{kind}.{shown(name)}" for kind, name in placement.key)
        return f"many shards, by {key}"
    if placement.kind == ANYWHERE:
        return "many shards, events anywhere"
    if placement.overlap is not None:
        seconds = placement.overlap / SECOND
        return f"one shard; in batch one for each slice of time, which begins {seconds:g} s early"
    return "one shard"


def short_shards(placement: Placement, rule: Rule) -> str:
    """Where a rule runs, in a few words, for a picture."""
    if placement.kind == KEYED:
        types = types_of([rule]) or frozenset()
        names = dict.fromkeys(shown(name) for kind, name in placement.key if kind in types)
        return f"many, by {', '.join(names)}"
    if placement.kind == ANYWHERE:
        return "many, anywhere"
    return "one a slice of time" if placement.overlap is not None else "one"


def shards_text(found: list[Placement]) -> list[str]:
    """Each group of shards with its rules."""
    lines = []
    for number, placement in enumerate(found, 1):
        told = described(placement)
        lines += [f"{number}. {told['shards']}", f"   sent there: {told['events']}"]
        lines += [f"   rule {name}: {reason}" for name, reason in placement.reasons]
    return lines


def shards_graph(found: list[Placement]) -> Graph:
    """Event types, the shards that they are sent to, and the rules that run there."""
    sketch = Sketch("Shards on Spark")
    for number, placement in enumerate(found, 1):
        what, _, more = _shards(placement).partition("; ")
        lines = (more,) if more else ()
        shard = sketch.node(("shards", number), "g", "shards", what, lines, [name for name, _ in placement.reasons])
        types = placement.types
        every = types is None or placement.wants_all
        for name, reason in placement.reasons:
            rule = sketch.node(("rule", name), "r", "rule", name, (reason,), [name])
            sketch.edge(shard, rule)
        for kind in [None] if every else sorted(types or ()):
            source = sketch.node(("type", kind), "t", "type", "all events" if kind is None else kind, ())
            attribute = dict(placement.key).get(kind or "")
            sketch.edge(source, shard, label="" if attribute is None else f"by {shown(attribute)}")
    return sketch.finished()
