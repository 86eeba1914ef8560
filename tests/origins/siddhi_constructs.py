"""SiddhiQL: a query for each construct that is read."""

from __future__ import annotations

import re

from tests.origins.engines import Construct


def query(text: str, told: str = "") -> str:
    """A query that tells the ids of all events that have a tag."""
    tags = dict.fromkeys(re.findall(r"\b([a-z]\d?)=[abc]\b", text))
    return f"from {text} select {told or ', '.join(f'{tag}.id as {tag}_id' for tag in tags)} insert into Out;"


CONSTRUCTS = (
    # -- patterns: how often
    Construct("every", query("every x=a[n > 1]")),
    Construct("once", query("x=a -> y=b")),
    Construct("every-first", query("every x=a -> y=b")),
    Construct("every-around", query("every (x=a -> y=b)")),
    Construct("every-each", query("every x=a -> every y=b"), ties=False),
    Construct(
        "every-each-compared",
        query("every x=a[n < 3] -> every y=b[n > x.n] -> every z=c[k == x.k]"),
        ties=False,
        nulls=False,
    ),
    # -- one after the other
    Construct("three", query("every x=a -> y=b -> z=c")),
    Construct("same-stream", query("every x=a -> y=a")),
    Construct("compared", query("every x=a[n < 3] -> y=b[n > x.n and k == x.k]")),
    Construct("within", query("every x=a -> y=b within 1 sec")),
    Construct("within-three", query("every x=a -> y=b[n > 0] -> z=c within 2 sec")),
    Construct("within-once", query("x=a -> y=b within 1 sec")),
    # -- both, either, none
    Construct("and", query("every x=a -> y=b and z=c")),
    Construct("or", query("every x=a -> y=b or z=c")),
    Construct("or-first", query("every (x=a or y=b)")),
    Construct("not-and", query("every x=a -> not b[n > 1] and z=c")),
    Construct("not-and-then", query("every x=a -> not b and z=c -> w=a")),
    Construct("nothing", query("every x=a -> not b for 1 sec")),
    Construct("nothing-compared", query("every x=a -> not b[k == x.k] for 2 sec")),
    Construct("nothing-then", query("every x=a -> not b for 500 milliseconds -> z=c")),
    # -- loops
    Construct("times", query("every x=a -> y=b<2> -> z=c", "x.id as x, y[0].id as y, y[last].id as l, z.id as z")),
    Construct("at-least", query("every x=a -> y=b<2:> -> z=c", "x.id as x, y[0].id as y, y[last].id as l, z.id as z")),
    Construct("range", query("every x=a -> y=b<1:3> -> z=c", "x.id as x, y[0].id as y, y[last].id as l, z.id as z")),
    Construct("first-times", query("x=a<2> -> y=b", "x[0].id as x, y.id as y")),
    Construct("first-range", query("x=a<2:4> -> y=b", "x[0].id as x, x[last].id as l, y.id as y")),
    # -- sequences
    Construct("sequence", query("every x=a, y=b")),
    Construct("sequence-same", query("every x=a[n < 3], y=a[n > x.n]")),
    Construct("sequence-three", query("every x=a, y=b[n > x.n], z=c")),
    Construct("sequence-within", query("every x=a, y=b within 1 sec")),
    # -- conditions
    Construct("not-true", query("every x=a[not (n > 1 and v < 2.0)] -> y=b[n is null or not (v > 1.0 or n == 1)]")),
    Construct("unequal", query("every x=a[n != 1] -> y=b[k != x.k and not (n != x.n)]")),
    Construct("arithmetic", query("every x=a[n * 2 - 1 > 0] -> y=b[v + 1 <= 2.5 and n != 0]")),
)
