"""The tool that tests rules: cases as a test file has them, in every runtime of this process."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import yaml

from tocsin.algebra.rules import Program
from tocsin.assistants.limits import MOST_TEXT
from tocsin.assistants.tools.given import GivenRules, limited
from tocsin.errors import UsageError
from tocsin.events import Arrival
from tocsin.formats import TimeStyle
from tocsin.testing.cases import USUAL
from tocsin.testing.differences import failure, fired
from tocsin.testing.files import FileReader
from tocsin.testing.given import is_file_name
from tocsin.testing.marked import Path as Place
from tocsin.testing.marked import Wrong
from tocsin.testing.verdicts import PERMUTATIONS, Asked, judge, trials

NAME: Final = "<cases>"


class GivenCases(FileReader):
    """The cases of a text: their rules are given beside it or stand in it, their events stand in it."""

    def __init__(self, text: str, rules: Program | None) -> None:
        super().__init__(text, Path(NAME))
        self._given_rules = rules

    def _program(self, fields: Mapping[str, object], path: Place) -> tuple[Program, tuple[str, ...]]:
        top = self.marked.value
        if "rules" not in fields and not (isinstance(top, dict) and "rules" in top):
            if self._given_rules is None:
                raise Wrong((), "no rules are given", "rules beside the cases, or rules: [{name: ...}]")
            return self._given_rules, ()
        return super()._program(fields, path)

    def _loaded(self, value: object, node: yaml.Node, where: Place) -> tuple[Program, tuple[str, ...]]:
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            raise Wrong(where, "no file is read for a case", "the rules themselves: [{name: ..., ...}]")
        return super()._loaded(value, node, where)

    def _given(self, value: object, program: Program, style: TimeStyle) -> list[Arrival]:
        if isinstance(value, str) and value.strip() and is_file_name(value):
            raise Wrong((), "no file is read for a case", "the events themselves, one a line")
        return super()._given(value, program, style)


def judged_cases(rules: dict[str, Any], cases: str, seed: int = 0, permutations: int = PERMUTATIONS) -> dict[str, Any]:
    """Whether rules detect what is expected of them, case by case, with what differs."""
    given = GivenRules(**rules)
    has_rules = given.text is not None or given.expression is not None or bool(given.files)
    if given.options:
        raise UsageError("options of cases stand in the cases: context, order, window, time-model, run, until, late")
    reader = GivenCases(limited(cases, MOST_TEXT, "cases"), given.program() if has_rules else None)
    asked = Asked(USUAL, permutations, seed)
    told = []
    for case in reader.file().cases:
        outcomes = [judge(trial) for trial in trials(case, asked)]
        is_good = all(outcome.is_good for outcome in outcomes)
        told.append(
            {
                "name": case.name,
                "passed": is_good,
                "fired": fired(outcomes[0].found),
                "orders": max(outcome.orders for outcome in outcomes),
                "differences": [] if is_good else failure(outcomes, seed),
            }
        )
    return {"passed": all(each["passed"] for each in told), "cases": told}
