"""Flink SQL's MATCH_RECOGNIZE: a query for each construct that is read."""

from __future__ import annotations

import re

from tests.origins.engines import Construct


def query(
    pattern: str,
    define: str,
    measures: str = "",
    partition: str = "",
    skip: str = "AFTER MATCH SKIP TO NEXT ROW",
) -> str:
    """A query that tells the first and the last row of each variable."""
    names = list(dict.fromkeys(re.findall(r"[A-Z]", pattern.split("WITHIN")[0])))
    told = measures or ", ".join(f"FIRST({n}.id) AS {n}_first, LAST({n}.id) AS {n}_last" for n in names)
    by = f"PARTITION BY {partition} " if partition else ""
    body, _, within = pattern.partition("WITHIN")
    after = f"WITHIN{within}" if within else ""
    return (
        f"SELECT * FROM ticks MATCH_RECOGNIZE ({by}ORDER BY ts MEASURES {told} ONE ROW PER MATCH {skip} "
        f"PATTERN ({body.strip()}) {after} DEFINE {define})"
    )


CONSTRUCTS = (
    Construct("single", query("A", "A AS A.n >= 2")),
    Construct("next", query("A B", "A AS A.n < 2, B AS B.n > A.n")),
    Construct("three", query("A B C", "A AS n < 2, B AS n >= 1, C AS C.v > A.v")),
    Construct("undefined", query("A B C", "A AS n = 1, C AS n = 2")),
    Construct("partition", query("A B", "A AS A.n < 3, B AS B.n <> A.n", partition="k"), nulls=False),
    Construct("plus", query("A B+ C", "A AS n = 0, B AS n > 0, C AS n = 0")),
    Construct("plus-overlapping", query("A B+ C", "A AS n < 2, B AS n IN (1, 2), C AS n > 1")),
    Construct("star", query("A B* C", "A AS n = 0, B AS n > 0, C AS n <= 1")),
    Construct("star-first", query("A* B", "A AS n > 0, B AS n < 2")),
    Construct("plus-first", query("A+ B", "A AS n > 0, B AS n = 0")),
    Construct("optional", query("A B? C", "A AS n = 0, B AS n > 0, C AS n > 1")),
    Construct("exactly", query("A{3}", "A AS n > 0", "FIRST(A.id) AS a, LAST(A.id) AS b")),
    Construct("exactly-then", query("A{2} B", "A AS n > 0, B AS n < 3")),
    Construct("range", query("A B{1,3} C", "A AS n = 0, B AS n > 0, C AS n <> 2")),
    Construct("range-from-two", query("A B{2,3} C", "A AS n < 2, B AS n <> 1, C AS n > 0")),
    Construct("at-least", query("A{2,} B", "A AS n > 0, B AS n <= 1")),
    Construct("two-loops", query("A B* C D+ E", "A AS n = 0, B AS n < 2, C AS n > 0, D AS n > 1, E AS n < 3")),
    Construct("reluctant", query("A B*? C", "A AS n = 0, B AS n >= 0, C AS n > 1")),
    Construct("reluctant-plus", query("A B+? C", "A AS n = 0, C AS n > 1")),
    Construct("reluctant-range", query("A B{1,3}? C", "A AS n = 0, B AS n > 0, C AS n > 1")),
    Construct("within", query("A B+ C WITHIN INTERVAL '1' SECOND", "A AS n < 2, B AS n > 0, C AS n = 0")),
    Construct("within-two", query("A B WITHIN INTERVAL '0 00:00:00.5' DAY TO SECOND", "A AS n < 3, B AS n > 0")),
    Construct(
        "last",
        query("A B+ C", "A AS n < 3, B AS LAST(B.n, 1) IS NULL OR B.n > LAST(B.n, 1), C AS C.n <= LAST(B.n)"),
        nulls=False,
    ),
    Construct(
        "last-nulls",
        query("A B+ C", "A AS n < 3, B AS LAST(B.n, 1) IS NULL OR B.n > LAST(B.n, 1), C AS C.n <= LAST(B.n)"),
    ),
    Construct("first", query("A B+ C", "A AS n < 2, B AS B.n >= FIRST(B.n) AND B.v > A.v, C AS C.n < B.n")),
    Construct("sum", query("A+ B", "A AS SUM(A.n) < 5, B AS B.n > 1"), nulls=False),
    Construct("count", query("A+ B", "A AS COUNT(A.id) < 3 AND A.n > 0, B AS B.n >= 0")),
    Construct(
        "sum-and-count", query("A+ B", "A AS A.v > 0 AND SUM(A.v) < 1.5 * COUNT(A.v), B AS B.v >= 1"), nulls=False
    ),
    Construct("up-to", query("A B{0,2} C", "A AS n < 2, B AS n > 0, C AS n <> 2")),
    Construct("optional-in-the-middle", query("A B? C D", "A AS n = 0, B AS n > 1, C AS n <= 1, D AS n > 0")),
    Construct(
        "optional-counted",
        query("A B? C", "A AS n = 0, B AS n > 1, C AS n <= 1", "A.id AS a, COUNT(B.n) AS c, SUM(B.n) AS s"),
        nulls=False,
    ),
    Construct("optional-first", query("A? B", "A AS n = 0, B AS n > 0")),
    Construct(
        "optional-first-in-partitions", query("A? B", "A AS n = 0, B AS n > 0", "B.id AS b", partition="k"), nulls=False
    ),
    Construct(
        "aggregates",
        query(
            "A B{1,2} C",
            "A AS n < 3, B AS n > 0, C AS n = 0",
            "A.id AS a, SUM(B.n) AS s, COUNT(B.n) AS c, MIN(B.v) AS l, MAX(B.v) AS h, C.n + A.n AS t",
        ),
        nulls=False,
    ),
    Construct("not", query("A B", "A AS NOT (A.n > 1 AND A.v < 2), B AS NOT (B.n = 0 OR B.v > 2)")),
    Construct("is-null", query("A B", "A AS A.n IS NULL OR A.v IS NOT NULL, B AS (B.n > 1) IS NOT TRUE")),
    Construct("in", query("A B", "A AS A.k IN ('x', 'z'), B AS B.n NOT IN (1, 2) AND B.n BETWEEN 0 AND 3")),
    Construct("like", query("A B", "A AS A.k LIKE 'x%', B AS B.k NOT LIKE '_x%' AND UPPER(B.k) <> 'Z'")),
    Construct("arithmetic", query("A B", "A AS A.n * 2 - 1 > 0, B AS ABS(B.n - A.n) <= 1 AND -B.v < 0 - A.v + 1")),
    Construct("time", query("A B", "A AS n >= 0, B AS B.ts < A.ts + INTERVAL '1' SECOND")),
    Construct(
        "past-last-row",
        query("A B+ C", "A AS n = 0, B AS n > 0 AND n < 3, C AS n = 3", skip="AFTER MATCH SKIP PAST LAST ROW"),
    ),
    Construct("past-last", query("A B", "A AS n > 0, B AS n > 0", skip="AFTER MATCH SKIP PAST LAST ROW")),
    Construct(
        "past-last-loop", query("A B+ C", "A AS n < 3, B AS n > 0, C AS n = 0", skip="AFTER MATCH SKIP PAST LAST ROW")
    ),
    Construct(
        "past-last-partition",
        query("A B", "A AS n > 0, B AS n > 0", partition="k", skip="AFTER MATCH SKIP PAST LAST ROW"),
        nulls=False,
    ),
    Construct("to-first", query("A B+ C", "A AS n < 3, B AS n > 0, C AS n = 0", skip="AFTER MATCH SKIP TO FIRST B")),
    Construct("to-last", query("A B+ C", "A AS n < 3, B AS n > 0, C AS n < 2", skip="AFTER MATCH SKIP TO LAST B")),
    Construct("no-skip-said", query("A B", "A AS n > 0, B AS n > 0", skip="")),
)
