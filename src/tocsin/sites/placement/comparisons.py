"""What a plan was to cost beside what it costs, from site to site: as text and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tocsin.sites.placement.predictions import NONE, Carried, Pair, Prediction, total_of


@dataclass(frozen=True)
class Row:
    """Messages and bytes a second from one site to another."""

    pair: Pair
    predicted: Carried
    measured: Carried

    @property
    def factor(self) -> float | None:
        """How many times as many bytes there were as was thought; None where nothing was thought to be."""
        return self.measured.bytes / self.predicted.bytes if self.predicted.bytes else None


@dataclass(frozen=True)
class Comparison:
    """A prediction beside what the sites measured."""

    rows: tuple[Row, ...]

    @property
    def total(self) -> Row:
        """All of it."""
        predicted, measured = total_of(row.predicted for row in self.rows), total_of(row.measured for row in self.rows)
        return Row(("all", "all"), predicted, measured)


def measured_traffic(said: Mapping[str, Mapping[str, Any]]) -> dict[Pair, Carried]:
    """What streams cause from site to site, as the sites say (`Site.described`)."""
    return {
        (site, other): Carried(*carried)
        for site, told in sorted(said.items())
        for other, carried in sorted(told.get("rates", {}).get("links", {}).items())
        if other in said
    }


def compared(prediction: Prediction, measured: Mapping[Pair, Carried]) -> Comparison:
    """A prediction beside what was measured."""
    pairs = sorted(prediction.pairs.keys() | measured.keys())
    return Comparison(
        tuple(Row(pair, prediction.pairs.get(pair, NONE), measured.get(pair, NONE)) for pair in pairs),
    )


def comparison_record(one: Comparison) -> dict[str, Any]:
    """A comparison as plain JSON values."""
    return {"pairs": [_row_record(row) for row in one.rows], "total": _row_record(one.total)}


def _row_record(row: Row) -> dict[str, Any]:
    return {
        "from": row.pair[0],
        "to": row.pair[1],
        "predicted": {"messages": round(row.predicted.messages, 3), "bytes": round(row.predicted.bytes, 1)},
        "measured": {"messages": round(row.measured.messages, 3), "bytes": round(row.measured.bytes, 1)},
        "factor": None if row.factor is None else round(row.factor, 3),
    }


def comparison_text(one: Comparison) -> str:
    """A comparison as a table."""
    head = ("from", "to", "messages/s predicted", "measured", "bytes/s predicted", "measured", "factor")
    lines = [head, *(_row_text(row) for row in (*one.rows, one.total))]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column < 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def _row_text(row: Row) -> tuple[str, ...]:
    factor = "-" if row.factor is None else f"{row.factor:.2f}"
    predicted, measured = row.predicted, row.measured
    return (
        *row.pair,
        f"{predicted.messages:.1f}",
        f"{measured.messages:.1f}",
        f"{predicted.bytes:.0f}",
        f"{measured.bytes:.0f}",
        factor,
    )
