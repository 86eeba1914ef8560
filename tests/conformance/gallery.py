"""The gallery (docs/gallery/*.yaml) as conformance cases: one for each need and notation.

need, story         what it is called, and what shall be detected
events, expect      as in the files of cases
notations           by language: an expression, or a mapping with the settings of a rule beside it; `script` is a whole
                    GEM script, `time-model` an option of the run; Python is code that makes a `rule`
cannot              by language: why it has no way to say it
differ              where the notations would not agree: what it `says`, and other `events` with what is to `expect` of
                    which languages
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

import tocsin as tc
from tocsin.algebra.rules import Rule

FOLDER = Path(__file__).parents[2] / "docs" / "gallery"
NOTATIONS = ("gem", "eps", "sel", "core", "global", "pretty", "python")
RUN_OPTIONS = ("time-model",)


@dataclass(frozen=True)
class Need:
    """A real need: what shall be detected, and how each notation says it."""

    name: str
    fields: dict[str, Any]

    @property
    def notations(self) -> dict[str, dict[str, str]]:
        """By language: `expression` with settings, `script` or `code`."""
        found = {}
        for language, written in self.fields["notations"].items():
            how = (
                written if isinstance(written, dict) else {("code" if language == "python" else "expression"): written}
            )
            found[language] = {key: text.strip() for key, text in how.items()}
        return found

    @property
    def cannot(self) -> dict[str, str]:
        """By language: why it has no way to say it."""
        return dict(self.fields.get("cannot", {}))

    @property
    def differences(self) -> list[dict[str, Any]]:
        """Where the notations would not agree."""
        return list(self.fields.get("differ", []))

    def cases(self) -> Iterator[dict[str, Any]]:
        """The fields of the conformance cases: of each notation, on the events of all and where it differs."""
        for language in self.notations:
            yield self._case(language, language, self.fields["events"], self.fields["expect"])
        for number, each in enumerate(self.differences, 1):
            for languages, expected in each["expect"].items():
                for language in languages.split():
                    yield self._case(f"differ-{number}.{language}", language, each["events"], expected)

    def _case(self, name: str, language: str, events: list[Any], expected: list[Any]) -> dict[str, Any]:
        written = self.notations[language]
        fields = {"name": f"{self.name}.{name}", "events": events, "expect": expected}
        if "code" in written:
            return fields | {"python": written["code"]}
        if "script" in written:
            return fields | {"script": written["script"]}
        options = {key: written[key] for key in RUN_OPTIONS if key in written}
        rule = {key: text for key, text in written.items() if key not in options}
        return fields | options | {"rules": [{"name": self.name, "language": language, **rule}]}


def needs() -> list[Need]:
    """All needs of the gallery."""
    return [Need(path.stem, yaml.safe_load(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("*.yaml"))]


def python_rule(code: str) -> Rule:
    """The rule that a piece of Python makes, as a reader would who has imported tocsin as tc."""
    names: dict[str, Any] = {"tc": tc}
    # Our own documentation, run as a doctest is.
    exec(compile(code, "<gallery>", "exec"), names)
    made: Rule = names["rule"]
    return made
