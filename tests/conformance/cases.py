"""The conformance cases as data: a rule, events, and what must be detected, with options as on the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.conformance.gallery import needs

FOLDER = Path(__file__).parent.parent / "cases"
OPTIONS = ("context", "order", "window", "condition", "time-model", "run", "until")


@dataclass(frozen=True)
class Case:
    """One case. `file` tells whose cases they are: a paper's, or our own rulings."""

    file: str
    fields: dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.file}/{self.fields['name']}"

    @property
    def languages(self) -> set[str]:
        """The languages its rules are written in."""
        if "script" in self.fields:
            return {"gem"}
        if "python" in self.fields:
            return {"python"}
        if "rules" in self.fields:
            return {rule["language"] for rule in self.fields["rules"]}
        return {self.fields["lang"]}

    @property
    def is_difference(self) -> bool:
        """Whether it shows where notations of the gallery differ: a matter of languages, not of runtimes."""
        return ".differ-" in self.name

    @property
    def options(self) -> dict[str, str]:
        return {key: str(self.fields[key]) for key in OPTIONS if key in self.fields}

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events as the readers take them."""
        return [_event(row) for row in self.fields.get("events", [])]

    @property
    def expected(self) -> list[dict[str, Any]]:
        return [each if isinstance(each, dict) else {"events": each} for each in self.fields.get("expect", [])]

    @property
    def error(self) -> str | None:
        return self.fields.get("error")


def _event(row: list[Any]) -> dict[str, Any]:
    record = {"id": str(row[0]), "type": row[1], "time": row[2]}
    if len(row) > 3:
        record["data"] = row[3]
    return record | (row[4] if len(row) > 4 else {})


def all_cases() -> list[Case]:
    """Every case of every file, and every notation of the gallery."""
    found = []
    for path in sorted(FOLDER.glob("*.yaml")):
        found += [Case(path.stem, fields) for fields in yaml.safe_load(path.read_text())["cases"]]
    return found + [Case("gallery", fields) for need in needs() for fields in need.cases()]


def mismatch(case: Case, found: list[dict[str, Any]]) -> str | None:
    """What is missing or too much among the detections, or None if they are as the case says."""
    left = list(found)
    for wanted in case.expected:
        hit = next((one for one in left if _fits(wanted, one)), None)
        if hit is None:
            return f"missing {wanted}; found {found}"
        left.remove(hit)
    return f"unexpected {left}" if left else None


def _fits(wanted: dict[str, Any], one: dict[str, Any]) -> bool:
    for key, value in wanted.items():
        if key == "events":
            if [str(each) for each in value] != one["events"]:
                return False
        elif isinstance(value, float | int) and isinstance(one.get(key), float | int):
            if abs(one[key] - value) > 1e-6:
                return False
        elif one.get(key) != value:
            return False
    return True
