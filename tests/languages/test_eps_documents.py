"""EPS requests for notification (000 section 4) as documents."""

from __future__ import annotations

import pytest

import tocsin as tc
from tests.languages.building import all_of, both, comparing, event, microseconds, then
from tocsin.algebra.guards import Guard, Literal
from tocsin.algebra.patterns import Never
from tocsin.algebra.rules import Command, Context, Declaration, Define, Disable, Enable, Order, Rule, Statement
from tocsin.errors import RuleError, Source, Span
from tocsin.languages import eps
from tocsin.languages.guards import render_guard
from tocsin.time.spans import DAY, MINUTE, SECOND

HOT = """
// warm rooms
request hot {
  event: x:e1 &
         y:e2
  condition: x.v > 10
             && y.v < 3
  notification: "too hot in {x.room}"
  callback: "http://localhost:8080//alarm"   // not a comment inside
  window: 10 min
  context: generic
  order: delay:5 sec
}
request 'two in a row' { event: a ; b }
"""


def parse(text: str) -> tuple[Statement, ...]:
    return eps.parse_document(Source(text, "rules.eps"))


def test_a_document_defines_and_enables_its_requests() -> None:
    with pytest.raises(RuleError, match=r"rules\.eps:7:14: unexpected '&&'"):
        parse(HOT)  # a line goes on where the last one ends with an operator, not where it begins with one
    good = HOT.replace("10\n             &&", "10 &&\n            ")
    hot = Rule(
        "hot",
        both(event("e1", "x"), event("e2", "y")),
        "eps",
        condition=eps_condition(),
        context=Context.GENERIC,
        window=microseconds(10 * MINUTE),
        order=Order("delay", delay=microseconds(5 * SECOND)),
        notify="too hot in {x.room}",
        callback="http://localhost:8080//alarm",
    )
    pair = Rule("two in a row", then(event("a"), event("b")), "eps")
    assert parse(good) == (
        Define(hot),
        Command(Enable("hot")),
        Define(pair),
        Command(Enable("two in a row")),
    )


def eps_condition() -> Guard:
    return all_of(comparing("x.v", ">", 10), comparing("y.v", "<", 3))


def test_lines_go_on_inside_parentheses_and_after_operators() -> None:
    text = "request r {\n event:\n (a\n ; b\n) ||\n TimesEq(2,\n c, k)\n}\n"
    assert parse(text) == parse("request r { event: (a ; b) || TimesEq(2, c, k) }")


def test_an_empty_document_has_no_requests() -> None:
    assert parse("") == parse("\n // nothing\n") == ()


@pytest.mark.parametrize(
    ("clause", "order"),
    [
        ("best-effort", Order()),
        ("guaranteed", Order("guaranteed")),
        ("delay: 0/0/1 0:00:00", Order("delay", delay=microseconds(DAY))),
        ("guaranteed: 5 min", Order("guaranteed", idle=microseconds(300 * SECOND))),
        ("probabilistic:0.95", Order("probabilistic", probability=0.95)),
        ("probabilistic: 1", Order("probabilistic", probability=1.0)),
    ],
)
def test_orders_are_written_as_on_the_command_line(clause: str, order: Order) -> None:
    define = parse(f"request r {{\n event: a\n order: {clause}\n}}")[0]
    assert isinstance(define, Define)
    assert define.rule.order == order


@pytest.mark.parametrize("context", list(Context))
def test_every_context(context: Context) -> None:
    define = parse(f"request r {{\n event: a\n context: {context}\n}}")[0]
    assert isinstance(define, Define)
    assert define.rule.context is context


def test_a_document_is_written_one_clause_a_line() -> None:
    text = (
        "request hot {\n"
        "  event: x:e1 & y:e2\n"
        "  condition: x.v > 10\n"
        '  notification: "too hot in {x.room}"\n'
        "  window: 0/0/0 0:10:00\n"
        "  context: recent\n"
        "  order: delay:5*sec\n"
        "}\n"
        "\n"
        'request "two words" {\n'
        "  event: a ; b\n"
        "}\n"
    )
    assert eps.render_document(parse(text)) == text


RULE = Rule("r", event("a"), "eps")


@pytest.mark.parametrize(
    ("statements", "part"),
    [
        ([Define(RULE)], "without enabling"),
        ([Define(RULE), Command(Disable("r"))], "nothing but requests"),
        ([Define(RULE), Command(Enable("s"))], "nothing but requests"),
        ([Declaration("a")], "nothing but requests"),
        ([Define(Rule("r", Never(event("a")), "eps")), Command(Enable("r"))], "free negation"),
        ([Define(Rule("r", event("a"), "eps", actions=(Enable(),))), Command(Enable("r"))], "actions"),
        ([Define(Rule("r", event("a"), "eps", select=(("n", Literal(1)),))), Command(Enable("r"))], "selection"),
    ],
)
def test_what_a_document_cannot_hold_is_named(statements: list[Statement], part: str) -> None:
    with pytest.raises(RuleError) as caught:
        eps.render_document(statements)
    assert part in str(caught.value)


def test_spans_cover_the_request() -> None:
    text = "\nrequest r {\n event: a ; b\n}\n"
    define, command = parse(text)
    assert define.span == command.span == Span(1, len(text) - 1)
    assert isinstance(define, Define)
    assert define.rule.span == define.span
    assert define.rule.pattern.span == Span(text.index("a ;"), text.index("b\n") + 1)


def test_all_faults_of_a_document_are_told_at_once() -> None:
    text = """request hot {
  event: x:e1 & & y
  condtion: x.v > 10
  notification: 5
  window: 0 sec
  context: genric
  order: delai:5
request b {
  event: (a ; b
  condition: x.v > 5
  event: c
  event: d
}
reqest c { event: a }
request d {
  condition: true
}
request e { event: a } request f { event: b }
"""
    with pytest.raises(RuleError) as caught:
        parse(text)
    places = [(fault.place.line, fault.place.column) for fault in caught.value.faults if fault.place]
    assert places == [
        (2, 17),
        (3, 3),
        (4, 17),
        (5, 11),
        (6, 12),
        (7, 10),
        (8, 1),
        (10, 3),
        (12, 3),
        (14, 1),
        (15, 1),
        (18, 24),
    ]


def test_a_notification_shows_expressions() -> None:
    text = 'request r {\n  event: TimesEq(2, f, ip)\n  notification: "{count(f)} from {first(f.ip)}, {max(f.n) / 2} {{x}}"\n}\n'
    (define, _) = parse(text)
    assert isinstance(define, Define)
    shown = [piece if isinstance(piece, str) else render_guard(piece) for piece in define.rule.message]
    assert shown == ["count(f)", " from ", "first(f.ip)", ", ", "max(f.n) / 2", " ", "{", "x", "}"]
    events = [{"type": "f", "time": time, "data": {"ip": "a", "n": time}} for time in (1, 5)]
    assert [one.notification for one in tc.detect([define.rule], events)] == ["2 from a, 2.5 {x}"]
    with pytest.raises(RuleError, match="in the notification: unexpected end"):
        parse(text.replace("first(f.ip)", "first(f.ip"))
