"""What a stream may come from: Spark can put an operator with state after some others, and not after all."""

from __future__ import annotations

import re
from typing import Any, Final

from tocsin.errors import UsageError

_FINAL: Final = re.compile(r"^[\s:|+~-]*(FlatMapGroupsIn\w*WithState|FlatMapGroupsWithState)\b", re.MULTILINE)
"""Operators after which Spark lets none with state come, as they stand at the beginning of a plan's line."""


def refuse_states_before(frame: Any) -> None:
    """Refuses a stream that is made by another `detect`, or by what is like it: Spark would refuse it in its own words.

    A client of Spark Connect does not see plans: there Spark tells, when the query is started.
    """
    plan = getattr(frame, "_jdf", None)
    if plan is not None and _FINAL.search(plan.queryExecution().analyzed().toString()):
        raise UsageError(
            "this stream is made by `detect`, or by another function with state, and Spark puts no more state after"
            " that in one query: give all rules to one `detect` (a rule may name another as the type of its events),"
            " or write what is found to a table or topic, and read that in a query of its own"
        )
