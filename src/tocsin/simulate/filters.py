"""Deployments whose filters also test events one by one: what a message service with filters holds back (001, 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tocsin.planner.siftings import Sifting
from tocsin.sites.deployment import Deployment, Placed
from tocsin.sites.parts import TOLD, Role


def filtered(deployment: Deployment, siftings: Mapping[str, Sifting]) -> Deployment:
    """The same, with filters that let through what passes a test, where there is one for their type."""
    renamed: dict[str, str] = {}
    placed: list[Placed] = []
    for part, site in deployment.placed:  # what others take comes first
        made = replace(part, inputs=tuple(renamed.get(each, each) for each in part.inputs), key="")
        if part.role is Role.FILTER and part.type in siftings:
            sifting = siftings[part.type]
            made = replace(made, program=sifting.program, attributes=sifting.attributes, key="")
        renamed[part.key] = made.key
        placed.append(Placed(made, site))
    told = {rule: renamed[stream.removesuffix(TOLD)] + TOLD for rule, stream in deployment.told.items()}
    ways = {renamed.get(stream, stream): way for stream, way in deployment.ways.items()}
    return replace(deployment, placed=tuple(placed), told=told, ways=ways)
