"""A plan as people read it, and as plain JSON values."""

from __future__ import annotations

from typing import Any

from tocsin.sites.placement.plans import Plan, Reason
from tocsin.sites.placement.predictions import prediction_record


def plan_record(one: Plan) -> dict[str, Any]:
    """A plan as plain JSON values."""
    return {
        "policy": one.policy,
        "sink": one.deployment.sink,
        "parts": [
            {"key": part.key, "role": part.role.value, "rules": [rule.name for rule in part.rules], "site": site}
            for part, site in one.deployment.placed
        ],
        "rules": [_reason_record(each) for each in one.reasons],
        "predicted": prediction_record(one.predicted),
    }


def _reason_record(one: Reason) -> dict[str, Any]:
    apart = [{"cut": each.text, "site": each.site, "reused": each.is_reused} for each in one.cuts]
    return {"rule": one.rule, "site": one.site, "reused": one.is_reused, "cuts": apart, "why": list(one.why)}


def plan_text(one: Plan) -> str:
    """A plan as people read it."""
    lines = [f"policy {one.policy}, told at {one.deployment.sink}"]
    for each in one.reasons:
        lines.append(f"  {each.rule} at {each.site}")
        lines += [f"    {cut.text} at {cut.site}{' (runs already)' if cut.is_reused else ''}" for cut in each.cuts]
        lines += [f"    {why}" for why in each.why]
    total = one.predicted.total
    lines.append(f"  predicted: {total.messages:.1f} messages, {total.bytes:.0f} bytes a second")
    for (here, there), carried in one.predicted.links.items():
        lines.append(f"    {here} -> {there}: {carried.messages:.1f} messages, {carried.bytes:.0f} bytes a second")
    lines += [f"    {each}" for each in one.predicted.full]
    return "\n".join(lines)
