"""What cannot be said is refused where it stands, and the rest of the file is read all the same."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import tocsin as tc
from tocsin.cli import main
from tocsin.errors import Source
from tocsin.origins import origins, read

ROWS = "SELECT * FROM t MATCH_RECOGNIZE (ORDER BY ts PATTERN ({}) DEFINE A AS v > 1, B AS v <= 1, C AS v > 2)"

REFUSED = [
    ("flink-sql", ROWS.format("A | B"), "'|', one pattern or another cannot be said here"),
    ("flink-sql", ROWS.format("(A B){2} C"), "a group in the pattern"),
    ("flink-sql", ROWS.format("A C B+"), "'B', which may go on, at the end of the pattern"),
    ("flink-sql", ROWS.format("A B* C"), None),
    ("flink-sql", ROWS.format("A* B* C"), "a variable that may be left out behind a loop"),
    ("flink-sql", ROWS.format("A B A C"), "'A' stands twice"),
    ("flink-sql", ROWS.format("A B"), "'C' is no variable of the pattern"),
    ("flink-sql", ROWS.format("A B C").replace("v > 2", "AVG(C.v) > 2"), "'AVG' over rows"),
    ("flink-sql", ROWS.format("A B C").replace("v > 2", "v / 2 > 1"), "'/', which cuts whole numbers"),
    ("flink-sql", ROWS.format("A B C").replace("v > 2", "v = NULL"), "a comparison with null"),
    ("flink-sql", ROWS.format("A B C").replace("v > 2", "D.v > 2"), "'D' is no variable"),
    ("flink-sql", ROWS.format("A B C") + " WHERE v > 2", "'WHERE' behind the clause"),
    (
        "flink-sql",
        ROWS.format("A B C").replace("PATTERN", "AFTER MATCH SKIP TO LAST A PATTERN"),
        "going on at 'A'",
    ),
    ("flink-sql", ROWS.format("A B C").replace("PATTERN", "ALL ROWS PER MATCH PATTERN"), "'ALL ROWS PER MATCH'"),
    ("flink-sql", ROWS.format("A B C").replace("ts", "ts DESC"), "an order that is not by time"),
    ("flink-sql", "SELECT * FROM t", "a query without MATCH_RECOGNIZE"),
    ("esper-epl", "select * from pattern [every a=A -> b=B while (v > 3)]", "'while'"),
    ("esper-epl", "select * from pattern [every-distinct(a.v) a=A]", "'every-distinct'"),
    ("esper-epl", "select * from pattern [a=A -> timer:at(1, *, *, *, *)]", "'timer:at'"),
    ("esper-epl", "select * from pattern [timer:interval(5 sec)]", "a time that counts from when the pattern begins"),
    ("esper-epl", "select * from pattern [every a=A -> (every b=B -> c=C)]", "'every' before some of the parts only"),
    ("esper-epl", "select * from pattern [every (every a=A -> b=B)]", "'every' inside a pattern"),
    ("esper-epl", "select * from pattern [every (a=A -> b=B) -> c=C]", "'every' around the beginning"),
    ("esper-epl", "select * from pattern [a=A -> not B]", "'not' by itself"),
    ("esper-epl", "select * from pattern [a=A or (b=B -> c=C)]", "anything but a single event in 'or'"),
    ("esper-epl", "select * from pattern [a=A and b=A]", "two events of the type 'A'"),
    ("esper-epl", "select * from pattern [a=A(c.v > 1)]", "'c', which no event before it is called"),
    ("esper-epl", "select sum(v) from A#length(5)", "the function 'sum'"),
    ("esper-epl", "select * from A(v > 1)", "behind the stream"),
    ("siddhi", "from every a=A -> b=B within 1 month insert into X", "a span of month"),
    ("siddhi", "from every (a=A and b=B) insert into X", "'and' at the beginning"),
    ("siddhi", "from every (a=A -> not B for 5 sec) insert into X", "'every' around more than events"),
    ("siddhi", "from every a=A -> b=B<2> within 5 sec insert into X", "'within' around a loop"),
    ("siddhi", "from every (a=A -> b=B) within 5 sec insert into X", "'within' inside a pattern"),
    (
        "esper-epl",
        "select * from A match_recognize (measures x.v as v all matches pattern (x y) define x as v > 1)",
        "going on behind the last row",
    ),
    ("siddhi", "from every a=A+, b=B insert into X", "a loop in a sequence"),
    ("siddhi", "from a=A, b=B insert into X", "a sequence without 'every'"),
    ("siddhi", "from every a=A -> not B insert into X", "unexpected 'insert'"),
    ("siddhi", "partition with (k of A) begin from every a=A insert into X; end", "a partition"),
    ("siddhi", "from T[temp > 30] select * insert into Hot;", "a query without a pattern"),
    ("siddhi", "from T insert into Hot;", "a query without a pattern"),
    ("siddhi", "from T select temp insert into Hot;", "a query without a pattern"),
    ("flink-sql", "CREATE TABLE X (v) AS " + ROWS.format("A B C"), "new names for the columns"),
    ("flink-sql", "CREATE TABLE X WITH ('a' = 'b'); EXPLAIN " + ROWS.format("A B C"), "unexpected 'EXPLAIN'"),
]


@pytest.mark.parametrize(("origin", "text", "message"), REFUSED)
def test_what_cannot_be_said_is_refused_at_its_place(origin: str, text: str, message: str | None) -> None:
    found = read(Source(text, "rules"), origin)
    if message is None:
        assert not found.refused
        return
    assert message in found.refused[0].message
    place = found.refused[0].place
    assert place is not None
    assert place.line == 1


BLOCKS = """\
@purge(enable = 'true')
partition with (room of T, room of H)
begin
  from every e1=T -> e2=T[temp > e1.temp] select e1.temp as x insert into P1;
  @info(name = 'second')
  from every e1=T -> e2=H[temp < e1.temp] select e1.temp as x insert into P2;
end;
from every e1=T -> e2=T[temp == e1.temp] select e1.temp as x insert into P3;
partition with (room of T) begin from every e1=T insert into P4; end
"""


def test_a_block_is_refused_once_to_its_end() -> None:
    found = read(Source(BLOCKS), "siddhi")
    assert [fault.message for fault in found.refused] == ["a partition cannot be said here"] * 2
    assert [rule.name for rule in found.rules] == ["P3"]


MATCHED = "SELECT * FROM T MATCH_RECOGNIZE (ORDER BY ts PATTERN (A B) DEFINE A AS A.v > 1)"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (f"EXECUTE STATEMENT SET BEGIN INSERT INTO S1 {MATCHED}; INSERT INTO S2 {MATCHED}; END;", ["S1", "S2"]),
        (f"BEGIN STATEMENT SET; INSERT INTO S1 {MATCHED}; END", ["S1"]),
        (f"EXECUTE INSERT INTO S1 {MATCHED}", ["S1"]),
        (f"CREATE TABLE S1 WITH ('connector' = 'kafka', 'as' = '1') AS {MATCHED}", ["S1"]),
        (f"CREATE TABLE IF NOT EXISTS c.d.S1 AS {MATCHED}; CREATE TEMPORARY VIEW S2 AS {MATCHED}", ["S1", "S2"]),
        (f"CREATE TEMPORARY TABLE T (v INT) WITH ('a' = 'b'); SET 'x' = 'y'; {MATCHED}", ["query_3"]),
    ],
)
def test_flink_statements_around_a_query(text: str, names: list[str]) -> None:
    found = read(Source(text), "flink-sql")
    assert not found.refused
    assert [rule.name for rule in found.rules] == names


MADE = [
    ("flink-sql", f"CREATE VIEW T AS SELECT * FROM s WHERE v > 3; {MATCHED}"),
    ("flink-sql", f"CREATE TEMPORARY VIEW IF NOT EXISTS c.d.T AS SELECT * FROM s; {MATCHED}"),
    ("flink-sql", f"CREATE TABLE T WITH ('a' = 'b') AS SELECT * FROM s; {MATCHED}"),
    ("flink-sql", f"INSERT INTO T SELECT * FROM s; {MATCHED}"),
    ("esper-epl", "create window T#time(5 sec) as A; select * from pattern [every a=T -> b=B]"),
    ("esper-epl", "insert into T select * from A; select * from pattern [every a=T -> b=B]"),
    ("esper-epl", "on A insert into T select *; select * from pattern [every a=T -> b=B]"),
    ("esper-epl", "create map schema Sub () inherits T; select * from pattern [every a=T -> b=B]"),
    ("esper-epl", "@Tag(name='x') create variant schema T as A, C; select * from pattern [every a=T -> b=B]"),
    ("siddhi", "@info(name = 'prep') from s[v > 0] select * insert into T; from every a=T -> b=B insert into X"),
    ("siddhi", "define trigger T at every 5 sec; from every a=T -> b=B insert into X"),
]


@pytest.mark.parametrize(("origin", "text"), MADE)
def test_what_no_rule_makes_is_not_read(origin: str, text: str) -> None:
    found = read(Source(text), origin)
    assert not found.rules
    assert "'T', which gets events from the statement of line 1" in found.refused[-1].message


def test_what_is_not_made_is_read() -> None:
    text = f"CREATE TABLE T (v INT) WITH ('a' = 'select'); CREATE VIEW other AS SELECT * FROM T; {MATCHED}"
    assert [rule.name for rule in read(Source(text), "flink-sql").rules] == ["query_3"]
    text = "create schema Sub () inherits Base; select * from pattern [every a=A -> b=B]"
    found = read(Source(text), "esper-epl")
    assert [fault.message for fault in found.refused] == ["a type that inherits from another cannot be said here"]
    assert len(found.rules) == 1


@pytest.mark.parametrize(
    "text",
    [
        "create variable int high = 3; select a.x as x from pattern [every a=A(x > high) -> b=B]",
        "create constant variable int[] high = {1, 2}; select a.x as x from pattern [every a=A(x in (high))]",
        "create constant variable int high; select high as x from pattern [every a=A]",
        "create variable int high; select * from A match_recognize (measures x.v as v pattern (x) define x as v > high)",
    ],
)
def test_a_variable_is_no_attribute(text: str) -> None:
    found = read(Source(text), "esper-epl")
    assert [fault.message for fault in found.refused] == ["the variable 'high' cannot be said here"]
    allowed = read(Source("create variable int high = 3; select a.high as h from pattern [every a=A]"), "esper-epl")
    assert len(allowed.rules) == 1


def test_a_partition_is_told_of_what_is_always_there() -> None:
    text = "SELECT * FROM T MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES B.v AS v PATTERN (A? B) DEFINE A AS v < 3)"
    (rule,) = read(Source(text), "flink-sql").rules
    events = [{"type": "T", "time": 1, "k": "x", "v": 4}]
    assert [each.data for each in tc.detect(rule, events)] == [{"k": "x", "v": 4}]


def test_a_query_has_the_name_that_it_is_given() -> None:
    text = "@info(name = 'query_logins') from every a=A -> b=B insert into Out; from every a=Out -> b=B insert into X"
    found = read(Source(text), "siddhi")
    assert [rule.name for rule in found.rules] == ["query_logins"]
    assert "'Out', which another statement makes" in found.refused[0].message
    assert "'query_logins'" in found.refused[0].hint


FILE = """\
create schema A (v int);
-- pairs of events
@name('pair') select a.v as v from pattern [every a=A -> b=B];
@name('other') select * from pattern [every a=A -> b=B while (v > 3)];
@name('chain') select * from pattern [every p=pair -> b=B];
@name('last') select * from pattern [every a=`A`(v = 'it''s')];
"""


def test_one_refusal_leaves_the_rest(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "rules.epl"
    path.write_text(FILE, encoding="utf-8")
    assert main(["translate", "--from", "esper-epl", str(path), "--output", str(tmp_path / "rules.yaml")]) == 1
    told = capsys.readouterr().err
    assert f"{path}:4:56: 'while'" in told
    assert "'pair', which another statement makes" in told
    rules = {rule.name: rule for rule in tc.load(tmp_path / "rules.yaml").rules}
    assert list(rules) == ["pair", "last"]
    events = [{"type": "A", "time": 1, "v": "it's"}, {"type": "B", "time": 2}]
    assert [each.rule for each in tc.detect(list(rules.values()), events)] == ["last", "pair"]


def test_rules_go_on_to_other_languages(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "app.siddhi"
    path.write_text("from every a=A -> every b=B[v > a.v] select a.v as v insert into Pairs;", encoding="utf-8")
    assert main(["translate", "--from", "siddhi", str(path), "--to", "sel"]) == 0
    assert "expression: a:A -> b:B if b.v > a.v" in capsys.readouterr().out
    assert main(["translate", "-e", "a ; b", "--lang", "eps"]) == 1
    assert "--to is missing" in capsys.readouterr().err
    assert main(["translate", "--from", "sidhi", str(path)]) == 1
    assert "did you mean 'siddhi'?" in capsys.readouterr().err


def test_from_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("from every a=A -> b=B insert into X; from"))
    assert main(["translate", "--from", "siddhi", "-", "--partition", "room"]) == 1
    told = capsys.readouterr()
    assert "name: X" in told.out
    assert "partition: room" in told.out
    assert "<stdin>:1:42" in told.err
    assert main(["translate", "--from", "siddhi", str(tmp_path)]) == 1
    assert "is a directory" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--condition", "a.v > 1"], "go with -e EXPR, not with --from"),
        (["--lang", "core"], "go with -e EXPR, not with --from"),
        (["--context", "recent"], "--context is for other languages"),
        (["--partition", ","], "--partition names attributes"),
    ],
)
def test_options_that_mean_nothing_are_refused(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "app.siddhi"
    path.write_text("from every a=A -> b=B insert into X", encoding="utf-8")
    assert main(["translate", "--from", "siddhi", str(path), *options]) == 1
    assert message in capsys.readouterr().err


HINTS = [
    ("siddhi", "from every not T for 5 sec -> e=B insert into X", "an absence at the beginning", "begin with an event"),
    ("siddhi", "from every not T and e=B insert into X", "an absence at the beginning", "begin with an event"),
    (
        "esper-epl",
        "select * from pattern [every (a=A -> b=B) where timer:within(1 hour)]",
        "a time limit around a sequence",
        "every a=A -> b=B where timer:within(...)",
    ),
    ("esper-epl", "select * from pattern [every a=A and not B]", "'every' before a part", "put it around all"),
]


@pytest.mark.parametrize(("origin", "text", "message", "hint"), HINTS)
def test_a_hint_speaks_of_what_is_written(origin: str, text: str, message: str, hint: str) -> None:
    (fault,) = read(Source(text), origin).refused
    assert message in fault.message
    assert hint in fault.hint


def test_from_python() -> None:
    for text in (None, b"select", Path("rules.epl")):
        with pytest.raises(tc.UsageError, match="takes the text itself"):
            tc.import_rules(text, "esper-epl")  # type: ignore[arg-type]
    program = tc.import_rules("select a.v as v from pattern [every a=A -> b=B]", "esper-epl")
    found = tc.detect(program, [{"type": "A", "time": 1, "v": 7}, {"type": "B", "time": 2}])
    assert [each.data for each in found] == [{"v": 7}]
    with pytest.raises(tc.RuleError, match="'while'"):
        tc.import_rules(FILE, "esper-epl")
    assert [rule.name for rule in tc.import_rules(FILE, "esper-epl", partly=True).rules] == ["pair", "last"]


@pytest.mark.parametrize("origin", origins())
@pytest.mark.parametrize(
    "text", ["", ";", "(", "select", "from", "@", "'", "`", "/*", "select * from pattern [" + "(" * 500, "a" * 5000]
)
def test_broken_texts_are_faults(origin: str, text: str) -> None:
    assert read(Source(text), origin).refused
