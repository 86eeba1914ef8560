"""EPL: a statement for each construct that is read."""

from __future__ import annotations

import re

from tests.origins.engines import Construct


def pattern(text: str, told: str = "") -> str:
    """A statement that tells the ids of all events that have a tag."""
    tags = dict.fromkeys(re.findall(r"\b([a-z]\d?)=[abc]\b", text))
    return f"select {told or ', '.join(f'{tag}.id as {tag}_id' for tag in tags)} from pattern [{text}]"


def rows(clause: str) -> str:
    return f"select * from a match_recognize ({clause})"


CONSTRUCTS = (
    # -- how often
    Construct("every", pattern("every x=a(n > 1)")),
    Construct("once", pattern("x=a -> y=b")),
    Construct("every-first", pattern("every x=a -> y=b")),
    Construct("every-around", pattern("every (x=a -> y=b)")),
    Construct("every-around-three", pattern("every (x=a -> y=b -> z=a)")),
    Construct("every-each", pattern("every x=a -> every y=b"), ties=False),
    Construct(
        "every-each-compared",
        pattern("every x=a(n < 3) -> every y=b(n > x.n) -> every z=c(k = x.k)"),
        ties=False,
        nulls=False,
    ),
    Construct(
        "every-each-within",
        pattern("every x=a -> ((every y=b(n > x.n)) where timer:within(1 sec))"),
        ties=False,
        nulls=False,
    ),
    Construct(
        "every-each-within-all",
        pattern("every x=a -> ((every y=b -> every z=c(n != y.n)) where timer:within(2 sec))"),
        ties=False,
        nulls=False,
    ),
    # -- one after the other
    Construct("three", pattern("every x=a -> y=b -> z=c")),
    Construct("same-type", pattern("every x=a -> y=a")),
    Construct("compared", pattern("every x=a(n < 3) -> y=b(n > x.n and k = x.k)"), nulls=False),
    Construct("brackets", pattern("every x=a -> (y=b -> z=c)")),
    # -- both, either, none
    Construct("and", pattern("every x=a -> (y=b and z=c)")),
    Construct("and-around", pattern("every (x=a and y=b)")),
    Construct("and-three", pattern("every (x=a and y=b and z=c)")),
    Construct("or", pattern("every x=a -> (y=b or z=c)")),
    Construct("or-around", pattern("every (x=a or y=b)")),
    Construct("not", pattern("every x=a -> (y=b and not c)")),
    Construct("not-compared", pattern("every x=a -> (y=b(k = x.k) and not c(k = x.k, n > 1))"), nulls=False),
    Construct("not-either", pattern("every x=a -> (y=b and not (a or c))")),
    Construct("not-then", pattern("every x=a -> (y=b and not c) -> z=a")),
    Construct("not-around", pattern("every (x=a -> (y=b and not c))")),
    Construct("not-first", pattern("every (x=a and not b)")),
    Construct("not-first-once", pattern("x=a(n > 0) and not b(n > 1)")),
    Construct("and-once", pattern("(x=a and y=b) -> z=c")),
    Construct("and-not", pattern("every x=a(n > 0) -> (y=b and z=c and not a(n = 0))"), nulls=False),
    # -- time
    Construct("interval", pattern("every x=a -> timer:interval(1 sec)")),
    Construct("interval-then", pattern("every x=a -> timer:interval(500 msec) -> y=b")),
    Construct("nothing", pattern("every x=a -> (timer:interval(1 sec) and not b)")),
    Construct("nothing-compared", pattern("every x=a -> (timer:interval(2) and not b(k = x.k))"), nulls=False),
    Construct("or-time", pattern("every x=a -> (y=b or timer:interval(1 sec))")),
    Construct("within", pattern("every x=a -> (y=b where timer:within(1 sec))")),
    Construct("within-three", pattern("every x=a -> ((y=b and not c) where timer:within(1 sec)) -> z=c")),
    Construct("within-around", pattern("every (x=a -> (y=b where timer:within(1 sec)))")),
    Construct("nothing-around", pattern("every (x=a -> (timer:interval(1 sec) and not b))")),
    # -- loops
    Construct("times", pattern("every [3] x=a", "x[0].id as f")),
    Construct("times-then", pattern("every ([2] x=a -> y=b)", "x[0].id as f, y.id as y")),
    Construct("after-times", pattern("every x=a -> [2] y=b", "x.id as x, y[0].id as y")),
    Construct("until", pattern("every x=a -> (y=b until z=c)", "x.id as x, z.id as z")),
    Construct("at-least-until", pattern("every x=a -> ([2:] y=b until z=c)", "x.id as x, y[0].id as y, z.id as z")),
    Construct("until-around", pattern("every (x=a until z=c)", "z.id as z")),
    # -- conditions
    Construct("null-logic", pattern("every x=a(not (n > 1 and v < 2)) -> y=b(n is null or not (v > 1 or n = 1))")),
    Construct("lists", pattern("every x=a(k in ('x', 'z')) -> y=b(n not in (1, 2), v between 0 and 2)")),
    Construct("like", pattern("every x=a(k like 'x%') -> y=b(k not like 'x%')")),
    Construct("arithmetic", pattern("every x=a(n * 2 - 1 > 0) -> y=b(v + 1 <= 2.5 and n != 0)")),
    # -- match_recognize
    Construct(
        "rows",
        rows(
            "measures x.id as x, y.id as y after match skip to next row pattern (x y) define x as x.n < 3, y as y.n > x.n"
        ),
    ),
    Construct(
        "rows-all",
        rows(
            "measures x.id as x, y.id as y all matches after match skip to next row pattern (x y) define x as x.n < 3, y as y.n > 0"
        ),
    ),
    Construct(
        "rows-partition",
        rows(
            "partition by k measures x.id as x, y.id as y after match skip to next row pattern (x y) define y as y.n >= x.n"
        ),
        nulls=False,
    ),
    Construct(
        "rows-prev",
        rows(
            "measures x.id as x, z.id as z after match skip to next row pattern (x y z) define y as y.n >= prev(y.n), z as z.v > prev(z.v, 1)"
        ),
    ),
    Construct(
        "rows-loop",
        rows(
            "measures x.id as x, z.id as z, last(y.id) as y after match skip to next row pattern (x y* z) define x as x.n < 2, y as y.n > 1, z as z.n <= 1"
        ),
        nulls=False,
    ),
    Construct(
        "rows-past-last",
        rows("measures x.id as x, z.id as z pattern (x y+ z) define x as x.n = 0, y as y.n = 1, z as z.n > 1"),
    ),
    Construct(
        "rows-optional",
        rows(
            "measures x.id as x, y.id as y, z.id as z after match skip to next row pattern (x y? z) define x as x.n < 2, y as y.n > 1, z as z.n <= 1"
        ),
    ),
    Construct(
        "rows-times",
        rows(
            "measures first(x.id) as x, z.id as z after match skip to next row pattern (x{2,3} z) define x as x.n > 0, z as z.n = 0"
        ),
    ),
)
