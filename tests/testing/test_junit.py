"""JUnit XML as CI servers read it: elements, attributes and counts of the common schema."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.testing.building import case_of, outcomes
from tocsin.errors import TextError
from tocsin.testing.files import read_cases
from tocsin.testing.junit import Suite, junit

SHAPE: dict[str, tuple[set[str], set[str], set[str]]] = {
    # element: attributes that must be there, that may be, elements inside
    "testsuites": ({"tests", "failures", "errors", "time"}, {"name", "disabled"}, {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors", "skipped", "time", "timestamp"},
        {"hostname", "id", "package", "disabled"},
        {"testcase", "properties", "system-out", "system-err"},
    ),
    "testcase": (
        {"name", "classname", "time"},
        {"file", "line", "assertions", "status"},
        {"failure", "error", "skipped", "system-out", "system-err"},
    ),
    "failure": ({"message", "type"}, set(), set()),
    "error": ({"message", "type"}, set(), set()),
}
"""What Jenkins' and GitLab's readers, and the schema that most copy (junit-10.xsd with `file` and `line`), agree on."""


def shaped(text: str) -> ElementTree.Element:
    """The report, if it has the shape and its counts are right."""
    root = ElementTree.fromstring(text)
    for element in root.iter():
        required, optional, inside = SHAPE[element.tag]
        assert required <= set(element.keys()) <= required | optional
        assert {child.tag for child in element} <= inside
    for suite in root.iter("testsuite"):
        for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.attrib[name]) == len(list(suite.iter(tag)))
        datetime.strptime(suite.attrib["timestamp"], "%Y-%m-%dT%H:%M:%S")
    for name in ("tests", "failures", "errors"):
        assert int(root.attrib[name]) == sum(int(suite.attrib[name]) for suite in root)
    assert all(float(element.attrib["time"]) >= 0 for element in root.iter() if "time" in element.attrib)
    return root


def test_a_report(tmp_path: Path) -> None:
    good = outcomes(case_of(tmp_path, "given: [1 a, 2 b]\nexpect: [[1, 2]]"))
    bad = outcomes(case_of(tmp_path, 'given: [1 a, 2 b x="<\\0&"]\nexpect: none'))
    (tmp_path / "bad.test.yaml").write_text("cases: 3")
    with pytest.raises(TextError) as caught:
        read_cases(tmp_path / "bad.test.yaml")
    suites = [Suite("rules/net.test.yaml", (*good, *bad)), Suite("bad.test.yaml", error=caught.value)]
    root = shaped(junit(suites, 0, datetime(2026, 11, 17, tzinfo=UTC)))
    assert root.attrib["tests"] == "5"
    first = root[0]
    assert [case.attrib["name"] for case in first] == [f"made [{each}]" for each in ("replay", "local") * 2]
    assert {case.attrib["classname"] for case in first} == {"rules.net.test"}
    wrong = first[2].find("failure")
    assert wrong is not None
    assert wrong.attrib["message"] == "1 unexpected"
    assert "pair" in str(wrong.text)
    assert "'cases' must be a list" in str(root[1][0][0].text)


def test_nothing(tmp_path: Path) -> None:
    assert shaped(junit([], 0)).attrib["tests"] == "0"
