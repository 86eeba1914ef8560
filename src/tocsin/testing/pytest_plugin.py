"""Test files of rules in pytest: `pytest rules/` collects `*.test.yaml` and `*_test.yaml`, and shows the same diffs.

pytest loads this at every start, wherever Tocsin is installed, so all else is imported where it is used.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tocsin.testing.discovery import is_test_file

if TYPE_CHECKING:
    from tocsin.testing.verdicts import Outcome, Trial

_CASES = re.compile(r"^cases[ \t]*:", re.MULTILINE)


def pytest_addoption(parser: pytest.Parser) -> None:
    """How the cases are run."""
    group = parser.getgroup("tocsin", "rules of Tocsin")
    group.addoption("--tocsin-runtimes", metavar="NAMES", help="runtimes of rule tests: replay,local,spark, or all")
    group.addoption("--tocsin-permutations", type=int, metavar="N", help="orders of arrival tried (default: 50)")
    group.addoption("--tocsin-seed", type=int, default=0, metavar="N", help="what the random ones follow from")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Test files of rules. Other tools name files so too: only one that has cases is taken for one of ours."""
    if not is_test_file(file_path.name):
        return None
    try:
        text = file_path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    return RuleTests.from_parent(parent, path=file_path) if _CASES.search(text) else None


class RuleTests(pytest.File):
    """A test file: an item a case and runtime."""

    def collect(self) -> Iterator[pytest.Item]:
        from tocsin.errors import TocsinError
        from tocsin.testing.files import read_cases
        from tocsin.testing.settings import runtimes_of
        from tocsin.testing.verdicts import PERMUTATIONS, Asked, trials

        asked = self.config.getoption("--tocsin-permutations")
        try:
            named = self.config.getoption("--tocsin-runtimes")
            how = Asked(
                () if named is None else runtimes_of(named),
                PERMUTATIONS if asked is None else asked,
                self.config.getoption("--tocsin-seed"),
            )
            file = read_cases(Path(os.path.relpath(self.path)))
        except TocsinError as error:
            raise self.CollectError(str(error)) from None
        for case in file.cases:
            for trial in trials(case, how):
                yield RuleTest.from_parent(self, name=f"{case.name}[{trial.runtime}]", trial=trial, seed=how.seed)


class RuleTest(pytest.Item):
    """A case in a runtime."""

    def __init__(self, *, trial: Trial, seed: int, **given: Any) -> None:
        super().__init__(**given)
        self.trial, self.seed = trial, seed
        self.outcome: Outcome | None = None

    def runtest(self) -> None:
        from tocsin.testing.verdicts import is_spark, judge

        if is_spark(self.trial.runtime):
            self._run_with_others()
        else:
            self.outcome = judge(self.trial)
        assert self.outcome is not None
        if not self.outcome.is_good:
            raise Unexpected(self.outcome)

    def _run_with_others(self) -> None:
        """On Spark all that were chosen run in one job, when the first of them is asked for."""
        from tocsin.testing.verdicts import judge_on_spark

        if self.outcome is None:
            some = [
                item
                for item in self.session.items
                if isinstance(item, RuleTest) and item.trial.runtime == self.trial.runtime
            ]
            for item, outcome in zip(some, judge_on_spark([item.trial for item in some]), strict=True):
                item.outcome = outcome

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What differs, as `tocsin test` shows it."""
        from tocsin.testing.differences import failure

        if not isinstance(excinfo.value, Unexpected):
            return super().repr_failure(excinfo, style)
        place = self.trial.case.place
        lines = [f"{place.file}:{place.line}: {self.trial.case.name}", *failure([excinfo.value.outcome], self.seed)]
        return "\n".join(lines)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.trial.case.place.line - 1, self.name


class Unexpected(AssertionError):
    """A case that did not detect what was expected."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        super().__init__(outcome.case.name)
