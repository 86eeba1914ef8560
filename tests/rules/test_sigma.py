"""Sigma files as rules: the examples of its specification with events, what each modifier means, and every refusal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random

import pytest

from tocsin.errors import Fault, RuleError
from tocsin.events import Event
from tocsin.languages import render
from tocsin.languages.guard_text import render_guard
from tocsin.rules.loader import load_file
from tocsin.rules.sigma import read_sigma
from tocsin.rules.sigma_documents import looks_like_sigma
from tocsin.rules.sigma_pipelines import NO_PIPELINE, Pipeline
from tocsin.runtime.options import Options
from tocsin.session import Session

SPECIFICATION = Path(__file__).parent / "sigma" / "failed_logins.yml"
FAILED = """\
title: Failed login
id: 5638f7c0-ac70-491d-8465-2a65075e0d86
name: failed_login
logsource: {product: windows, service: security}
detection:
    selection:
        EventID: 4625
    condition: selection
"""


def happened(*given: tuple[float, Mapping[str, object]], kind: str = "windows_security") -> list[Event]:
    """Events of one type at these seconds, called 1, 2, ..."""
    made = []
    for number, (seconds, data) in enumerate(given, 1):
        time = round(seconds * 1_000_000)
        made.append(Event(str(data.get("type", kind)), time, time, str(number), "", data, time, number=number))
    return made


def found(text: str, events: Iterable[Event], pipeline: Pipeline = NO_PIPELINE) -> list[tuple[str, str]]:
    """(rule, ids) of each detection; the engine must say what the plain meaning says."""
    log = list(events)
    program = read_sigma(text, "sigma.yml", pipeline)
    answers = [
        [(one.rule, " ".join(one.events)) for one in Session(program, Options(engine=engine)).detections(log)]
        for engine in ("replay", "local")
    ]
    assert answers[0] == answers[1]
    return answers[0]


def matches(detection: str, data: Mapping[str, object]) -> bool:
    """Whether a rule with this detection takes an event."""
    return bool(found(f"title: t\ndetection:\n{detection}\n", happened((1, data), kind="event")))


# -- the examples of the specification --------------------------------------------------------------------------------


def test_failed_logins_followed_by_a_successful_one() -> None:
    text = SPECIFICATION.read_text(encoding="utf-8")
    failures: list[tuple[float, Mapping[str, object]]] = [(t * 50, {"EventID": 4625, "User": "eve"}) for t in range(10)]
    others: list[tuple[float, Mapping[str, object]]] = [
        (500, {"EventID": 4624, "User": "bob"}),
        (900, {"EventID": 528, "User": "eve"}),
        (950, {"EventID": 4624, "User": "eve"}),
    ]
    name = "correlation_multiple_failed_logins_followed_by_successful_login"
    assert found(text, happened(*failures, *others)) == [(name, "1 2 3 4 5 6 7 8 9 10 12")]
    # One failure less is no series of ten, and a login more than ten minutes after the last is too late.
    assert found(text, happened(*failures[1:], *others)) == []
    assert found(text, happened(*failures, (1051, {"EventID": 4624, "User": "eve"}))) == []


def test_a_file_that_is_sigma_is_loaded_as_such() -> None:
    program = load_file(SPECIFICATION)
    assert [(rule.name, rule.hidden) for rule in program.rules if not rule.hidden] == [
        ("correlation_multiple_failed_logins_followed_by_successful_login", False)
    ]
    assert not looks_like_sigma("rules:\n- name: a\n  language: eps\n  expression: a\n")


MANY = """\
title: Many failed logins
id: 0e95725d-7320-415d-80f7-004da920fc11
correlation:
    type: event_count
    rules:
        - 5638f7c0-ac70-491d-8465-2a65075e0d86
    group-by:
        - ComputerName
    timespan: 1h
    condition:
        gte: 3
---
"""


def test_event_count() -> None:
    fail = {"EventID": 4625, "ComputerName": "a"}
    other = {"EventID": 4625, "ComputerName": "b"}
    text = MANY + FAILED
    assert found(text, happened((0, fail), (10, other), (20, fail), (3600, fail), (3601, fail))) == [
        ("many_failed_logins", "1 3 4")
    ]
    assert found(text, happened((0, fail), (20, fail), (3601, fail))) == []
    more = text.replace("gte: 3", "gt: 3")
    assert found(more, happened((0, fail), (1, fail), (2, fail), (3, fail))) == [("many_failed_logins", "1 2 3 4")]


def test_event_count_by_two_fields_and_over_two_rules() -> None:
    text = (
        MANY.replace("- 5638f7c0-ac70-491d-8465-2a65075e0d86", "- failed_login\n        - locked").replace(
            "- ComputerName", "- ComputerName\n        - User"
        )
        + FAILED
        + "---\ntitle: Locked\nname: locked\nlogsource: {service: ldap}\n"
        + "detection: {s: {Result: 53}, condition: s}\n"
    )
    fail = {"EventID": 4625, "ComputerName": "a", "User": 7}
    lock = {"type": "ldap", "Result": 53, "ComputerName": "a", "User": 7}
    other = {"EventID": 4625, "ComputerName": "a", "User": 8}
    assert found(text, happened((0, fail), (0, other), (1, lock), (1, fail), (2, other))) == [
        ("many_failed_logins", "1 3 4")
    ]


def test_value_count() -> None:
    text = (
        "title: Failed login\nname: spread\ncorrelation:\n    type: value_count\n    rules: [failed_login]\n"
        "    group-by: [ComputerName, WorkstationName]\n    timespan: 1d\n"
        "    condition:\n        field: User\n        gte: 3\n---\n" + FAILED
    )

    def fail(user: str, computer: str = "c") -> dict[str, object]:
        return {"EventID": 4625, "User": user, "ComputerName": computer, "WorkstationName": "w"}

    alike = happened((0, fail("u")), (1, fail("v")), (2, fail("u")), (3, fail("w", "d")), (4, fail("v")))
    assert found(text, alike) == []
    different = happened((0, fail("u")), (1, fail("v")), (2, fail("v")), (3, fail("w")))
    # A hit for each event that begins a day with three users: from the second on there are two.
    assert found(text, different) == [("spread", "1 2 4")]
    late = happened((0, fail("u")), (1, fail("v")), (86_401, fail("w")))
    assert found(text, late) == []


RECON = """\
title: Reconnaissance
correlation:
    type: TYPE
    rules:
        - recon_cmd_a
        - recon_cmd_b
        - recon_cmd_c
    group-by:
        - ComputerName
        - User
    timespan: 5m
""" + "".join(
    f"---\ntitle: {each}\nname: recon_cmd_{each}\nlogsource: {{category: process_creation}}\n"
    f"detection: {{s: {{Image|endswith: '\\{name}.exe'}}, condition: s}}\n"
    for each, name in (("a", "whoami"), ("b", "net"), ("c", "nltest"))
)


def ran(name: str, user: str = "u") -> dict[str, object]:
    return {"type": "process_creation", "Image": f"C:\\Windows\\{name}.EXE", "ComputerName": "c", "User": user}


def test_temporal() -> None:
    text = RECON.replace("TYPE", "temporal")
    assert found(text, happened((0, ran("nltest")), (200, ran("WhoAmI")), (300, ran("net")))) == [
        ("reconnaissance", "1 2 3")
    ]
    assert found(text, happened((0, ran("nltest")), (200, ran("whoami")), (301, ran("net")))) == []
    assert found(text, happened((0, ran("nltest")), (200, ran("whoami")), (300, ran("net", "v")))) == []


def test_temporal_ordered() -> None:
    text = RECON.replace("TYPE", "temporal_ordered")
    assert found(text, happened((0, ran("whoami")), (1, ran("net")), (2, ran("nltest")))) == [
        ("reconnaissance", "1 2 3")
    ]
    assert found(text, happened((0, ran("whoami")), (1, ran("nltest")), (2, ran("net")))) == []


def test_temporal_of_some_of_the_rules() -> None:
    text = RECON.replace("TYPE", "temporal").replace("    timespan: 5m", "    timespan: 5m\n    condition: {gte: 2}")
    assert found(text, happened((0, ran("net")), (1, ran("nltest")), (2, ran("net", "v")))) == [
        ("reconnaissance", "1 2")
    ]


@pytest.mark.parametrize(
    ("kind", "condition", "names", "hit"),
    [
        ("temporal", "a and (b or c)", "ac", ["1 2"]),
        ("temporal_extended", "a and (b or c)", "ba", ["1 2"]),
        ("temporal_extended", "a and (b or c)", "bc", []),
        ("temporal", "a and b or c", "c", ["1"]),
        ("temporal", "a or a and b", "a", ["1"]),
        ("temporal_ordered_extended", "(a or b) and c", "bc", ["1 2"]),
        ("temporal_ordered", "(a or b) and c", "cb", []),
    ],
)
def test_conditions_over_rules(kind: str, condition: str, names: str, hit: list[str]) -> None:
    rules = "".join(f"---\nname: {name}\ndetection: {{s: {{v: {name}}}, condition: s}}\n" for name in "abc")
    text = f"""\
title: together
correlation:
    type: {kind}
    rules: [a, b, c]
    group-by: [user]
    timespan: 1m
    condition: {condition}
{rules}"""
    told = found(text, happened(*((at, {"v": name, "user": "u"}) for at, name in enumerate(names)), kind="event"))
    assert [ids for _, ids in told] == hit
    others = ((at, {"v": name, "user": at}) for at, name in enumerate(names))
    assert len(found(text, happened(*others, kind="event"))) == (len(hit) if len(names) == 1 else 0)


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("a and not b", "7:16: 'not' cannot be said of rules that come in any order yet"),
        ("a and", "7:16: the condition ends too early"),
        ("(a and b", "7:16: a bracket is not closed"),
        ("a b", "7:16: 'b' does not belong here"),
        ("a and d", "7:16: there is no rule 'd' in this correlation"),
        (" and ".join(["(a or b)"] * 101), ""),
        ("(" * 101 + "a" + ")" * 101, "7:16: nested more than 100 levels deep"),
    ],
)
def test_what_is_wrong_with_conditions_over_rules(condition: str, told: str) -> None:
    rules = "".join(f"---\nname: {name}\ndetection: {{s: {{v: {name}}}, condition: s}}\n" for name in "abc")
    text = f"""\
title: together
correlation:
    type: temporal
    rules: [a, b, c]
    group-by: [user]
    timespan: 1m
    condition: {condition}
{rules}"""
    if not told:
        assert read_sigma(text, "sigma.yml")
        return
    with pytest.raises(RuleError) as caught:
        read_sigma(text, "sigma.yml")
    assert str(caught.value).startswith(f"sigma.yml:{told}"), str(caught.value)


@pytest.mark.parametrize(("span", "seconds"), [("1w", 7 * 86_400), ("2M", 59 * 86_400), ("1y", 365 * 86_400)])
def test_long_timespans(span: str, seconds: int) -> None:
    text = RECON.replace("TYPE", "temporal").replace("    timespan: 5m", f"    timespan: {span}")
    events = [(0, ran("nltest")), (1, ran("whoami"))]  # seconds since 1970: January and February have 59 days
    assert len(found(text, happened(*events, (seconds, ran("net"))))) == 1
    assert found(text, happened(*events, (seconds + 1, ran("net")))) == []


def test_aliases() -> None:
    text = """\
name: internal_error
detection:
    selection:
        http.response.status_code: 500
    condition: selection
---
name: new_network_connection
detection:
    selection:
        event.category: network
        event.type: connection
        event.outcome: success
    condition: selection
---
title: Error and connection
correlation:
    type: temporal
    rules:
        - internal_error
        - new_network_connection
    group-by:
        - internal_ip
        - remote_ip
    timespan: 10s
    aliases:
        internal_ip:
            internal_error: destination.ip
            new_network_connection: source.ip
        remote_ip:
            internal_error: source.ip
            new_network_connection: destination.ip
"""
    error = {"http.response.status_code": 500, "destination.ip": "10.0.0.1", "source.ip": "8.8.8.8"}
    back = {"event.category": "network", "event.type": "connection", "event.outcome": "success"}
    there, elsewhere = {"source.ip": "10.0.0.1", "destination.ip": "8.8.8.8"}, {"source.ip": "10.0.0.1"}
    assert found(text, happened((0, error), (4, back | there), kind="event")) == [("error_and_connection", "1 2")]
    assert found(text, happened((0, error), (4, back | elsewhere), kind="event")) == []
    assert found(text, happened((0, error), (11, back | there), kind="event")) == []


def test_generate_reports_the_rules_referred_to() -> None:
    text = MANY.replace("    timespan", "    generate: true\n    timespan") + FAILED
    fail = {"EventID": 4625, "ComputerName": "a"}
    assert found(text, happened((0, fail))) == [("failed_login", "1")]


# -- what an event is asked for ---------------------------------------------------------------------------------------

TRUE_AND_FALSE = [
    ("    s: {f: Abc}\n    condition: s", {"f": "aBC"}, {"f": "abcd"}),
    ("    s: {f|cased: Abc}\n    condition: s", {"f": "Abc"}, {"f": "abc"}),
    ("    s: {f: 'a*'}\n    condition: s", {"f": "ABC"}, {"f": "ba"}),
    ("    s: {f: '*c'}\n    condition: s", {"f": "ABC"}, {"f": "ca"}),
    ("    s: {f: '*b*'}\n    condition: s", {"f": "ABC"}, {"f": "ac"}),
    ("    s: {f: 'ab*bc'}\n    condition: s", {"f": "abbc"}, {"f": "abc"}),
    ("    s: {f: 'a\\*'}\n    condition: s", {"f": "a*"}, {"f": "ab"}),
    ("    s: {f: 'a\\\\*'}\n    condition: s", {"f": "a\\b"}, {"f": "a*"}),
    ("    s: {f|contains: x}\n    condition: s", {"f": "aXb"}, {"g": "x"}),
    ("    s: {f|startswith: [x, y]}\n    condition: s", {"f": "ya"}, {"f": "ay"}),
    ("    s: {f|endswith: '.exe'}\n    condition: s", {"f": "A.EXE"}, {"f": ".exe1"}),
    ("    s: {f|contains|all: [x, y]}\n    condition: s", {"f": "y and x"}, {"f": "x"}),
    ("    s: {f: [1, 2]}\n    condition: s", {"f": 2}, {"f": 3}),
    ("    s: {f: [1, two]}\n    condition: s", {"f": "TWO"}, {"f": "1"}),
    ("    s: {f: true}\n    condition: s", {"f": True}, {"f": "true"}),
    ("    s: {f: null}\n    condition: s", {"g": 1}, {"f": 1}),
    ("    s: {f: ''}\n    condition: s", {"f": ""}, {"f": " "}),
    ("    s: {f|exists: true}\n    condition: s", {"f": 0}, {"g": 0}),
    ("    s: {f|exists: no}\n    condition: s", {"g": 0}, {"f": 0}),
    ("    s: {f|gte: 3}\n    condition: s", {"f": 3}, {"f": 2.5}),
    ("    s: {f|lt: 3}\n    condition: s", {"f": 2}, {"f": 3}),
    ("    s: {f|neq: a}\n    condition: s", {"f": "b"}, {"f": "A"}),
    ("    s: {f|fieldref: g}\n    condition: s", {"f": "b", "g": "b"}, {"f": "b", "g": "c"}),
    ("    s: {f: a, g: b}\n    condition: s", {"f": "a", "g": "b"}, {"f": "a"}),
    ("    s: [{f: a}, {g: b}]\n    condition: s", {"g": "b"}, {"g": "a"}),
    ("    s: {f: a}\n    t: {g: b}\n    condition: s and not t", {"f": "a"}, {"f": "a", "g": "b"}),
    ("    s: {f: a}\n    t: {g: b}\n    condition: not (s or t)", {"f": "c"}, {"g": "b"}),
    ("    s1: {f: a}\n    s2: {g: b}\n    t: {h: c}\n    condition: 1 of s*", {"g": "b"}, {"h": "c"}),
    ("    s1: {f: a}\n    s2: {g: b}\n    condition: all of s*", {"f": "a", "g": "b"}, {"f": "a"}),
    ("    s: {f: a}\n    _t: {g: b}\n    condition: 1 of them", {"f": "a"}, {"g": "b"}),
    ("    s: {f: a}\n    t: {g: b}\n    condition: [s, t]", {"g": "b"}, {"g": "a"}),
    ("    a: {f: 1}\n    b: {f: 2}\n    c: {g: 1}\n    condition: a or b and c", {"f": 1}, {"f": 2}),
    ("    s: {f: 'a?c'}\n    condition: s", {"f": "aBC"}, {"f": "ac"}),
    ("    s: {f: '*a*b?c*'}\n    condition: s", {"f": "xaybzcw"}, {"f": "xaybc"}),
    ("    s: {f: '100%_*x*\\_'}\n    condition: s", {"f": "100%_ x \\_"}, {"f": "100a_ x \\_"}),
    ("    s: {f|contains: 'a*b'}\n    condition: s", {"f": "xA.Bx"}, {"f": "xBAx"}),
    ("    s: {f: '*'}\n    condition: s", {"f": ["a"]}, {"f": None}),
    ("    s: {f|exists: true}\n    condition: s", {"f": ["a"]}, {"g": ["a"]}),
    ("    s: {f: null}\n    condition: s", {"f": None}, {"f": ["a"]}),
    ("    s: {f|re: '^a+[0-9]$'}\n    condition: s", {"f": "aa1"}, {"f": "AA1"}),
    ("    s: {f|re|i: '^a+$'}\n    condition: s", {"f": "AA"}, {"f": "AB"}),
    ("    s: {f|re|i|m|s: '^b.c'}\n    condition: s", {"f": "a\nB\nC"}, {"f": "ab\nc"}),
    ("    s: {f|cidr: [10.0.0.0/8, 'fe80::/10']}\n    condition: s", {"f": "10.9.8.7"}, {"f": "11.9.8.7"}),
    ("    s: {f|cidr: 192.168.0.0/16}\n    condition: not s", {"g": "a"}, {"f": "192.168.1.1"}),
    ("    s: {f|contains|windash: ' -a '}\n    condition: s", {"f": "x /A y"}, {"f": "x-a y"}),
    ("    s: {f|windash|contains|all: [' -a', ' /b']}\n    condition: s", {"f": "x \u2013a -b"}, {"f": "x -a b"}),
    ("    s: {f|base64: foobar}\n    condition: s", {"f": "Zm9vYmFy"}, {"f": "Zm9vYmF"}),
    ("    s: {f|base64offset|contains: foobar}\n    condition: s", {"f": "xx mb29iYX yy"}, {"f": "foobar"}),
    ("    s: {f|base64offset|contains: foobar}\n    condition: s", {"f": "Zvb2Jhcg"}, {"f": "Zvb2Jh"}),
    ("    s: {f|wide|base64offset|contains: ab}\n    condition: s", {"f": "x YQBiA x"}, {"f": "YWI"}),
    ("    s: {f|utf16be|base64: a}\n    condition: s", {"f": "AGE="}, {"f": "YQA="}),
    ("    s: {f|fieldref|endswith: g}\n    condition: s", {"f": "xaB", "g": "Ab"}, {"f": "ab", "g": "a"}),
    ("    s: {f|contains|all: [x]}\n    condition: s", {"f": "axb"}, {"f": "a"}),
    ("    s: [one, 'two *hree']\n    condition: s", {"f": "x", "g": {"h": ["a ONE b"]}}, {"f": "two"}),
    ("    s: [one, 'two *hree']\n    condition: s", {"f": "two, two three"}, {"f": "hree two"}),
    ("    s: {'|all': [one, 5]}\n    condition: s", {"f": "one", "g": 5}, {"f": "one"}),
    ("    s: ['a', {f: b}]\n    condition: s", {"f": "b"}, {"f": "c"}),
    ("    s: {u.name: b}\n    condition: s", {"u": {"name": "B"}}, {"u": "b"}),
]


@pytest.mark.parametrize(("detection", "yes", "no"), TRUE_AND_FALSE)
def test_what_an_event_is_asked_for(detection: str, yes: dict[str, object], no: dict[str, object]) -> None:
    assert matches(detection, yes)
    assert not matches(detection, no)


# -- refusals ---------------------------------------------------------------------------------------------------------

CORRELATION = "title: c\ncorrelation:\n    type: event_count\n    rules: [failed_login]\n    group-by: [a]\n"


def valued(kind: str, condition: str) -> str:
    """A correlation over values of a field."""
    whole = CORRELATION.replace("event_count", kind)
    return f"{whole}    timespan: 5m\n    condition: {condition}\n---\n{FAILED}"


FAULTS = [
    ("title: t\ndetection:\n    s: {f|re: (a}\n    condition: s\n", "3:15: this is no regular expression: missing )"),
    ("title: t\ndetection:\n    s: {f|expand: '%a%'}\n    condition: s\n", "3:19: nothing says what %a% stands for"),
    (
        "title: t\ndetection:\n    s: {f|base64: 'a*'}\n    condition: s\n",
        "3:19: a text that is encoded has no wildcards",
    ),
    ("title: t\ndetection:\n    s: {}\n    condition: s\n", "3:8: this search asks for nothing"),
    ("title: t\ndetection:\n    s: {f|cidr: 10.0.0.0/40}\n    condition: s\n", "3:17: this is no network"),
    ("title: t\ndetection:\n    s: {f|contain: a}\n    condition: s\n", "3:9: there is no modifier 'contain'"),
    ("title: t\ndetection:\n    s: []\n    condition: s\n", "3:8: this list is empty"),
    ("title: t\ndetection:\n    s: {f: 1}\n    condition: s | count() > 3\n", "4:16: '|' does not belong here"),
    ("title: t\ndetection:\n    s: {f: 1}\n    condition: u\n", "4:16: there is no search 'u'"),
    ("title: t\ndetection:\n    s: {f: 1}\n    condition: (s\n", "4:16: a bracket is not closed"),
    ("title: t\ndetection:\n    s: {f: 1}\n    condition: s and\n", "4:16: the condition ends too early"),
    ("title: t\ndetection:\n    s: {f|lt: a}\n    condition: s\n", "3:15: 'lt' compares numbers"),
    ("title: t\ndetection:\n    s: {f: 1}\n", "3:5: this detection has no 'condition'"),
    (CORRELATION + "    timespan: 5m\n    condition: {lt: 1}\n---\n" + FAILED, "7:16: no count of what has begun"),
    (CORRELATION + "    timespan: 5m\n    condition: {neq: 3, lt: 9}\n---\n" + FAILED, "7:16: 'neq' stands by itself"),
    (CORRELATION + "    timespan: 5M\n    condition: {lt: 9}\n---\n" + FAILED, "6:15: this timespan has no fixed"),
    (
        CORRELATION + "    timespan: 5m\n    condition: {lt: 9, most: 1}\n---\n" + FAILED,
        "7:30: there is no condition 'most'",
    ),
    (
        CORRELATION + "    timespan: 5m\n    condition: a and b\n---\n" + FAILED,
        "7:16: this condition must say how many",
    ),
    (CORRELATION + "    timespan: 5m\n---\n" + FAILED, "3:5: this correlation does not say how many"),
    (CORRELATION + "    timespan: 5 min\n    condition: {gte: 3}\n---\n" + FAILED, "6:15: '5 min' is no timespan"),
    (CORRELATION + "    condition: {gte: 3}\n---\n" + FAILED, "3:5: this correlation has no 'timespan'"),
    (
        CORRELATION.replace("event_count", "value_sum") + "    timespan: 5m\n---\n" + FAILED,
        "3:5: value_sum is about the values",
    ),
    (valued("value_percentile", "{field: n, gt: 1}"), "7:16: value_percentile does not say which"),
    (valued("value_percentile", "{field: n, gt: 1, percentile: 101}"), "7:46: a percentile lies between 0 and 100"),
    (valued("value_sum", "{field: n}"), "7:16: this correlation does not say how much"),
    (valued("value_sum", "{field: n, gt: x}"), "7:31: this must be a number"),
    (CORRELATION.replace("failed_login", "failed_logins"), "4:13: there is no rule 'failed_logins' here"),
    (FAILED + "---\n" + FAILED, "10:1: two rules are called 'failed_login'"),
    ("title: a\nname: a\ncorrelation: {type: temporal, rules: [a], timespan: 1m}\n", "1:1: 'a' refers to itself"),
]


@pytest.mark.parametrize(("text", "place"), FAULTS)
def test_what_cannot_be_said_is_refused_where_it_stands(text: str, place: str) -> None:
    with pytest.raises(RuleError) as caught:
        read_sigma(text, "sigma.yml")
    assert str(caught.value).startswith(f"sigma.yml:{place}"), str(caught.value)


def test_all_rules_can_be_written_in_a_language() -> None:
    rules = {rule.name: rule for rule in read_sigma(MANY + FAILED, "sigma.yml").rules}
    assert render(rules["many_failed_logins"].pattern, "eps") == "TimesEq(3, e:failed_login, ComputerName)"
    assert render(rules["failed_login"].guarded, "gem") == "e:windows_security when e.EventID == 4625"
    (recon,) = read_sigma(RECON.replace("TYPE", "temporal_ordered").replace("whoami", "a b"), "sigma.yml").rules
    assert render(recon.pattern, "eps") == (
        "recon_cmd_a:process_creation ; recon_cmd_b:process_creation ; recon_cmd_c:process_creation"
    )
    assert recon.condition is not None
    assert render_guard(recon.condition).startswith(
        r"""endswith(lower(recon_cmd_a.Image), "\\a b.exe") && endswith(lower(recon_cmd_b.Image), "\\net.exe")"""
    )


# -- any text ---------------------------------------------------------------------------------------------------------


def test_no_text_breaks_the_reader() -> None:
    """Files with parts lost, doubled and moved: each is read, or refused with a place."""
    random = Random(5)
    whole = SPECIFICATION.read_text(encoding="utf-8") + "---\n" + MANY.replace("0e95", "1e95") + RECON
    faults: list[Fault] = []
    for _ in range(400):
        lines = whole.split("\n")
        for _ in range(random.randint(1, 4)):
            place = random.randrange(len(lines))
            match random.randrange(4):
                case 0:
                    del lines[place]
                case 1:
                    lines.insert(place, random.choice(lines))
                case 2:
                    lines[place] = lines[place].replace(
                        random.choice((":", "-", " ", "1", "a")), random.choice(" [{*|")
                    )
                case _:
                    lines[place] = lines[place][: random.randrange(len(lines[place]) + 1)]
        try:
            read_sigma("\n".join(lines), "sigma.yml")
        except RuleError as error:
            faults += error.faults
    assert len(faults) > 100
    assert [fault for fault in faults if fault.place is None] == []


@pytest.mark.parametrize(("before", "after"), [("(", ")"), ("not ", "")])
def test_a_condition_nests_so_deep_and_no_deeper(before: str, after: str) -> None:
    text = "title: t\ndetection:\n  sel: {a: 1}\n  condition: "
    assert read_sigma(f"{text}{before * 100}sel{after * 100}\n", "s.yml").rules
    with pytest.raises(RuleError, match="nested more than 100 levels deep"):
        read_sigma(f"{text}{before * 5000}sel{after * 5000}\n", "s.yml")
