"""What is known of types of events: from declarations, from rules that name them, from a sample of events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class KnownType:
    """A type of events, its attributes with what is known of each, and who knows of it."""

    attributes: dict[str, str] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)


@dataclass
class Vocabulary:
    """Every type and every rule that is known, by name."""

    types: dict[str, KnownType] = field(default_factory=dict)
    rules: dict[str, str] = field(default_factory=dict)
    """The meaning of each rule."""

    def record(self) -> dict[str, Any]:
        """As plain values."""
        types = {name: {"attributes": known.attributes, "told": known.told} for name, known in self.types.items()}
        return {"types": types, "rules": self.rules}


def vocabulary_of(outlines: Iterable[Mapping[str, Any]], sample: Mapping[str, Any]) -> Vocabulary:
    """All that outlines of files and a sample of events tell. What is declared is told first."""
    found = Vocabulary()
    known = list(outlines)
    for each in sorted(
        (event for one in known for event in one["events"]), key=lambda event: event["how"] != "declared"
    ):
        _add(found, each["name"], each["attributes"], _where(each))
    for kind, seen in sample.get("types", {}).items():
        examples = {name: f"as in {example}" for name, example in seen["attributes"].items()}
        _add(found, kind, examples, f"{seen['count']:,} in the sample")
    for rule in (rule for one in known for rule in one["rules"]):
        found.rules.setdefault(rule["name"], rule.get("meaning", ""))
        _add(found, rule["name"], {}, f"detected by the rule in {_place(rule)}")
    return found


def _add(found: Vocabulary, kind: str, attributes: Mapping[str, str], told: str) -> None:
    known = found.types.setdefault(kind, KnownType())
    for name, said in attributes.items():
        known.attributes[name] = ", ".join(filter(None, dict.fromkeys((known.attributes.get(name, ""), said))))
    if told not in known.told:
        known.told.append(told)


def _where(event: Mapping[str, Any]) -> str:
    how = str(event["how"])
    return f"declared in {_place(event)}" if how == "declared" else how


def _place(record: Mapping[str, Any]) -> str:
    return f"{Path(record['file']).name}:{record['line']}"
