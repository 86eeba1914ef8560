"""JUnit XML: what CI servers read. One suite a file, one test case a case and runtime."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.etree import ElementTree

from tocsin.errors import TextError
from tocsin.testing.differences import failure
from tocsin.testing.verdicts import Outcome

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Suite:
    """A test file: how its cases did, or what is wrong with the file itself."""

    file: str
    outcomes: tuple[Outcome, ...] = ()
    error: TextError | None = None

    @property
    def failures(self) -> int:
        """How many did not detect what was expected."""
        return sum(not outcome.is_good for outcome in self.outcomes)

    @property
    def seconds(self) -> float:
        """How long it took."""
        return sum(outcome.seconds for outcome in self.outcomes)


def junit(suites: Iterable[Suite], seed: int, now: datetime | None = None) -> str:
    """The report as a text."""
    some = list(suites)
    root = ElementTree.Element(
        "testsuites",
        name="tocsin test",
        tests=str(sum(_tests(suite) for suite in some)),
        failures=str(sum(suite.failures for suite in some)),
        errors=str(sum(suite.error is not None for suite in some)),
        time=f"{sum(suite.seconds for suite in some):.3f}",
    )
    begun = (now or datetime.now(UTC)).strftime("%Y-%m-%dT%H:%M:%S")
    for suite in some:
        root.append(_suite(suite, seed, begun))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _tests(suite: Suite) -> int:
    return len(suite.outcomes) + (suite.error is not None)


def _suite(suite: Suite, seed: int, begun: str) -> ElementTree.Element:
    made = ElementTree.Element(
        "testsuite",
        name=_text(suite.file),
        tests=str(_tests(suite)),
        failures=str(suite.failures),
        errors=str(int(suite.error is not None)),
        skipped="0",
        time=f"{suite.seconds:.3f}",
        timestamp=begun,
    )
    if suite.error is not None:
        case = ElementTree.SubElement(
            made, "testcase", classname=_classname(suite.file), name="reading the file", time="0.000"
        )
        wrong = ElementTree.SubElement(case, "error", type="TextError", message=_text(suite.error.faults[0].message))
        wrong.text = _text(str(suite.error))
    for outcome in suite.outcomes:
        made.append(_case(suite, outcome, seed))
    return made


def _case(suite: Suite, outcome: Outcome, seed: int) -> ElementTree.Element:
    made = ElementTree.Element(
        "testcase",
        classname=_classname(suite.file),
        name=_text(f"{outcome.case.name} [{outcome.runtime}]"),
        time=f"{outcome.seconds:.3f}",
        file=_text(suite.file),
        line=str(outcome.case.place.line),
    )
    if not outcome.is_good:
        lines = failure([outcome], seed)
        wrong = ElementTree.SubElement(made, "failure", type="AssertionError", message=_text(summary(outcome)))
        wrong.text = _text("\n".join([f"{suite.file}:{outcome.case.place.line}", *lines]))
    return made


def summary(outcome: Outcome) -> str:
    """What went wrong, in a line."""
    if outcome.trouble is not None:
        return outcome.trouble.split("\n")[0]
    if outcome.misorder is not None:
        return "the order of arrival changes what is detected"
    comparison = outcome.comparison
    parts: Sequence[tuple[int, str]] = (
        (len(comparison.missing), "missing"),
        (len(comparison.unexpected), "unexpected"),
        (len(comparison.different), "different"),
        (len(comparison.miscounts), "miscounted"),
    )
    return ", ".join(f"{count} {what}" for count, what in parts if count)


def _classname(file: str) -> str:
    """The file as CI servers group by it: with dots."""
    for ending in (".yaml", ".yml"):
        file = file.removesuffix(ending)
    return _text(re.sub(r"[/\\]+", ".", file).strip("."))


def _text(text: str) -> str:
    """What XML can hold of a text."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
