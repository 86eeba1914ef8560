"""Findings as a document: what one would like to know first comes first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tocsin.backtest.document import Block, Code, Document, Figures, Heading, Paragraph, Picture, Row, Table
from tocsin.backtest.examples import example_blocks
from tocsin.backtest.findings import BOTH, NEW, OLD, SIDES, UNCHANGED, Difference, Findings, Outcome
from tocsin.backtest.words import counted, day_text, moment, span_text
from tocsin.draw.counts import draw_columns, draw_field

MOST_RULES = 10
"""Rules in one table of days: more would not stand side by side on paper."""
MOST_DAYS = 120
"""Days that a picture shows one by one; of a longer period it shows weeks."""


def report_of(findings: Findings) -> Document:
    """The whole report."""
    blocks = [
        *_head(findings),
        *_detections(findings),
        *_differences(findings),
        *_rules(findings),
        *_costs(findings),
        *_history(findings),
        *_making(findings),
    ]
    return Document(findings.title, blocks)


def _head(findings: Findings) -> Iterator[Block]:
    census = findings.census
    yield Heading(1, findings.title)
    if census.first is None:
        yield Paragraph("The history holds no events.")
    else:
        yield Paragraph(f"Events from {moment(census.first)} to {moment(census.last)}. All times and days are UTC.")
    fired = len(findings.outcomes) - len(findings.silent)
    figures = [
        ("events", f"{census.events:,}"),
        ("detections", f"{findings.count:,}"),
        ("rules that fired", f"{fired} of {len(findings.outcomes)}"),
        ("days", f"{_day_count(findings):,}"),
    ]
    bad = sum(count for _, count in census.bad)
    if bad:
        figures.append(("lines that are no events", f"{bad:,}"))
    if findings.differences:
        figures.append(("detections that differ", f"{sum(_apart(each) for each in findings.differences):,}"))
    yield Figures(figures)


def _day_count(findings: Findings) -> int:
    return len(_days(findings))


def _days(findings: Findings) -> range:
    """Every day of the history, and of what was detected after its end."""
    census = findings.census
    ends = [end for end in (census.first, census.last) if end is not None]
    ends += [end for one in findings.outcomes for end in (one.first, one.last) if end is not None]
    day = 86_400_000_000
    return range(min(ends) // day, max(ends) // day + 1) if ends else range(0)


# -- detections -----------------------------------------------------------------------------------------------------


def _detections(findings: Findings) -> Iterator[Block]:
    yield Heading(2, "Detections")
    days = _day_count(findings)
    rows: list[Row] = []
    for one in sorted(findings.outcomes, key=lambda one: (-one.count, one.rule)):
        busiest = min(one.by_day, key=lambda day: (-one.by_day[day], day), default=None)
        told = "-" if busiest is None else f"{day_text(busiest)} ({one.by_day[busiest]:,})"
        average = one.count / days if days else 0.0
        rows.append([one.rule, one.count, average, told, moment(one.first), moment(one.last)])
    yield Table(["rule", "detections", "a day", "busiest day", "first", "last"], rows)
    if findings.silent:
        names = ", ".join(findings.silent)
        yield Paragraph(f"Never fired: {names}.")
    fired = [one for one in findings.outcomes if one.count]
    if not fired:
        return
    yield from _by_day(findings, fired)
    yield from _by_hour(fired)


def _by_day(findings: Findings, fired: Sequence[Outcome]) -> Iterator[Block]:
    yield Heading(3, "By day")
    days = _days(findings)
    width = 1 if len(days) <= MOST_DAYS else 7
    places = [days[start] for start in range(0, len(days), width)]
    series = [(one.rule, [_sum(one, place, width) for place in places]) for one in fired]
    names = [day_text(place) for place in places]
    each = "day" if width == 1 else "week, named by its first day"
    yield Picture("by-day", draw_columns("Detections by day", names, series), f"Detections, a column a {each}.")
    if len(fired) > 1:
        counts = {(row, n): value for row, (_, values) in enumerate(series) for n, value in enumerate(values) if value}
        field = draw_field("Detections by rule and day", [name for name, _ in series], names, counts)
        yield Picture("by-rule-and-day", field, f"Detections by rule, a cell a {each}. The darker, the more.")
    for start in range(0, len(fired), MOST_RULES):
        some = fired[start : start + MOST_RULES]
        rows: list[Row] = []
        for day in days:
            found = [one.by_day.get(day, 0) for one in some]
            if any(found):
                rows.append([day_text(day), *found, sum(found)] if len(some) > 1 else [day_text(day), *found])
        heads = ["day", *(one.rule for one in some), *(["together"] if len(some) > 1 else [])]
        yield Table(heads, rows, "Days without any detection are left out." if len(rows) < len(days) else "")


def _sum(one: Outcome, start: int, width: int) -> int:
    return sum(one.by_day.get(day, 0) for day in range(start, start + width))


def _by_hour(fired: Sequence[Outcome]) -> Iterator[Block]:
    yield Heading(3, "By hour of the day")
    counts = {(row, hour): count for row, one in enumerate(fired) for hour, count in one.by_hour.items()}
    field = draw_field("Detections by hour", [one.rule for one in fired], [f"{hour:02}" for hour in range(24)], counts)
    yield Picture("by-hour", field, "Detections by rule and hour of the day (UTC). The darker, the more.")


# -- two versions ---------------------------------------------------------------------------------------------------


def _apart(difference: Difference) -> int:
    return difference.counts[OLD] + difference.counts[NEW]


def _differences(findings: Findings) -> Iterator[Block]:
    if not findings.differences:
        return
    yield Heading(2, "Old rules and new rules")
    yield Paragraph(
        f"Old: {', '.join(findings.against)}. New: {', '.join(findings.rules)}. Both were run over the same events. A"
        " detection is the same in both if the rule's name and the events are, even if one is told sooner."
    )
    rows: list[Row] = [
        [
            each.rule,
            each.change,
            each.counts[BOTH] + each.counts[OLD],
            each.counts[BOTH] + each.counts[NEW],
            *(each.counts[side] for side in SIDES),
        ]
        for each in findings.differences
    ]
    yield Table(["rule", "definition", "old", "new", *SIDES], rows)
    differing = [each for each in findings.differences if _apart(each)]
    if not differing:
        yield Paragraph("Both versions detect the same.")
    for number, each in enumerate(differing, 1):
        yield Heading(3, f"{each.rule}: what differs")
        yield from _definitions(each)
        for side, name in ((NEW, "new"), (OLD, "old")):
            some = each.examples[side]
            if some:
                yield Paragraph(f"{_some(len(some), each.counts[side])} only the {name} rules detect:")
                for place, example in enumerate(some, 1):
                    yield from example_blocks(example, f"only-{name}-{number}-{place}")
        yield from _shared(each)


def _definitions(each: Difference) -> Iterator[Block]:
    """How the rule was, and how it is; where that looks the same, it differs in what stands beside the pattern."""
    if each.old == each.new:
        what = "The rule itself is unchanged: it uses others that are not." if each.change == UNCHANGED else ""
        yield Paragraph(what or "Pattern, condition and window are the same; its context, order or actions are not.")
        return
    for name, text in (("Old", each.old), ("New", each.new)):
        yield Paragraph(f"{name}:" if text else f"{name}: there is no such rule.")
        if text:
            yield Code(text)


def _shared(each: Difference) -> Iterator[Block]:
    """What both detect needs no pictures: it stands with the rule."""
    some = each.examples[BOTH]
    if some:
        rows = [[moment(one.detection.time_us), one.key or "", ", ".join(one.detection.events)] for one in some]
        yield Table(["time", "key", "events"], rows, f"{_some(len(some), each.counts[BOTH])} both detect.")


def _some(shown: int, known: int) -> str:
    return f"{known:,} that" if shown == known else f"{shown} of {known:,} that"


# -- rule by rule ---------------------------------------------------------------------------------------------------


def _rules(findings: Findings) -> Iterator[Block]:
    yield Heading(2, "Rule by rule")
    for number, one in enumerate(findings.outcomes, 1):
        yield Heading(3, one.rule)
        yield Code(one.definition)
        if not one.count:
            yield Paragraph("It never fired in this period.")
            continue
        yield Paragraph(
            f"{counted(one.count, 'detection')}, the first {moment(one.first)}, the last {moment(one.last)}."
        )
        yield from _keys(one)
        shown = len(one.examples)
        if shown:
            drawn = "all" if shown == one.count else f"{shown} of {one.count:,}, drawn by lot"
            yield Heading(4, f"Examples ({drawn})")
        for place, example in enumerate(one.examples, 1):
            yield from example_blocks(example, f"example-{number}-{place}")


def _keys(one: Outcome) -> Iterator[Block]:
    if one.key is None:
        yield Paragraph(
            "The rule has no key: its events need not have an attribute in common. (--by NAME counts by an attribute.)"
        )
        return
    if not one.top:
        return
    rows: list[Row] = [[key, count, f"{count / one.count:.0%}"] for key, count in one.top]
    rest = one.keys - len(one.top)
    more = f" {counted(rest, 'further key')} not shown." if rest else ""
    yield Table([one.key, "detections", "share"], rows, f"Detections by {one.key}.{more}")


# -- what it costs, and what it was run on --------------------------------------------------------------------------


def _costs(findings: Findings) -> Iterator[Block]:
    costs = findings.costs
    if costs is None:
        return
    yield Heading(2, "Cost per rule")
    how = "compiled" if costs.compiled else "interpreted, which is many times slower than compiled"
    yield Paragraph(
        f"Each rule was run alone (with the rules that it uses by name) on the first {costs.sample:,} events of the"
        f" history, in one thread of the embedded engine, {how}. Processor time is that of the engine, without reading"
        " events; rows are events kept to be combined with later ones, at most at one time. Rules that run together"
        " cost less than the sum: what is equal in them is done once."
    )
    whole = sum(cost.seconds for cost in costs.rules) or 1.0
    rows: list[Row] = [
        [
            cost.rule,
            cost.seconds * 1e6 / max(1, costs.sample),
            f"{cost.seconds / whole:.0%}",
            "-" if cost.seen is None else cost.seen,
            "-" if cost.held is None else cost.held,
        ]
        for cost in sorted(costs.rules, key=lambda cost: (-cost.seconds, cost.rule))
    ]
    yield Table(["rule", "µs an event", "share", "events of its types", "rows held at most"], rows)
    if any(cost.held is None for cost in costs.rules):
        yield Paragraph("A rule with - runs on the plain meaning, which does not count.")


def _history(findings: Findings) -> Iterator[Block]:
    census = findings.census
    yield Heading(2, "The history")
    whole = max(1, census.events)
    if census.types:
        rows: list[Row] = [[name, count, f"{count / whole:.1%}"] for name, count in census.types]
        yield Table(["type", "events", "share"], rows)
        sources: list[Row] = [[name or "(none)", count, f"{count / whole:.1%}"] for name, count in census.sources]
        more = census.source_count - len(census.sources)
        yield Table(
            ["source", "events", "share"], sources, f"{counted(more, 'further source')} not shown." if more else ""
        )
    yield Heading(3, "Bad, refused and late events")
    if census.bad:
        yield Table(["no event, because", "lines"], [list(each) for each in census.bad])
    else:
        yield Paragraph("Every line could be read as an event.")
    if census.refused:
        yield Table(["an event, but not evaluated, because", "events"], [list(each) for each in census.refused])
    yield Paragraph(_lateness(findings))


def _lateness(findings: Findings) -> str:
    census = findings.census
    order = (
        "Events were evaluated by their own times, so none was too late."
        if findings.order == "guaranteed"
        else f"Events were evaluated as they arrived, in the order '{findings.order}'."
    )
    if census.longest_delay is None:
        return f"{order} The history does not say when events arrived."
    if not census.late:
        return f"{order} No event arrived later than it happened."
    share = f"{census.late / max(1, census.events):.1%}"
    return (
        f"{order} {counted(census.late, 'event')} ({share}) arrived later than they happened, by"
        f" {span_text(census.longest_delay)} at most."
    )


def _making(findings: Findings) -> Iterator[Block]:
    yield Heading(2, "How this was made")
    rows: list[list[str]] = [["rules", ", ".join(findings.rules)]]
    if findings.against:
        rows.append(["old rules", ", ".join(findings.against)])
    rows += [["history", findings.history], ["engine", findings.engine], ["order", findings.order]]
    if findings.since is not None:
        rows.append(["from", moment(findings.since)])
    if findings.until is not None:
        rows.append(["to, not included", moment(findings.until)])
    yield Table(["", ""], rows)
    yield Paragraph(
        "Examples are those with the smallest ids. An id is a hash of what was detected, so that is like drawing lots,"
        " but the same in every run."
    )
