"""Plans as versioned JSON, and back: to be kept, compared or sent. What is read back is equal to what was written."""

from __future__ import annotations

from tocsin.algebra.codec import SHAPES, Codec, shapes_of, written
from tocsin.plan import programs, searches
from tocsin.plan.programs import Plan

PLANS = Codec({**written(SHAPES), **shapes_of(searches, "plan."), **shapes_of(programs, "plan.")})
"""Everything that can stand in a plan."""


def to_json(plan: Plan) -> str:
    """The text of a plan."""
    return PLANS.to_json(plan, "plan")


def from_json(text: str) -> Plan:
    """The plan that `to_json` wrote; anything else is refused with the reason."""
    return PLANS.from_json(text, Plan, "plan")
