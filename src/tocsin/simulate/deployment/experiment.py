"""`tocsin simulate my.yaml`: every policy tried on a deployment of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tocsin.draw.plot import draw_bars
from tocsin.simulate.deployment.description import Description
from tocsin.simulate.deployment.failures import blocked_by
from tocsin.simulate.deployment.reading import read_description
from tocsin.simulate.deployment.trials import COUNTED, Trial, tried
from tocsin.simulate.networks import Hop
from tocsin.simulate.reports import Report, Say, Table, quantile, rounded


def deployment(path: Path, seed: int = 1, scale: float = 1.0, say: Say = lambda text: None) -> Report:
    """What a file describes, under each of its policies."""
    about = read_description(path)
    seconds = about.seconds * scale
    trials = []
    for policy in about.policies:
        say(f"policy {policy}")
        trials.append(tried(policy, about, seed, seconds))
    failures = {trial.policy: blocked_by(trial.plan.deployment, about.topology) for trial in trials}
    record = {
        "simulation": about.name,
        "seed": seed,
        "seconds": seconds,
        "policies": [_record(trial, about, seconds, failures[trial.policy]) for trial in trials],
    }
    return Report(
        f"{about.name}: {len(about.sites)} sites, {seconds:g} seconds for each policy, seed {seed}",
        record,
        [_table(trials, seconds), _lines(trials, about, seconds), _failures(failures)],
        _remarks(trials),
        _pictures(about, trials, seconds),
    )


def _bytes(trial: Trial, seconds: float) -> float:
    return sum(trial.sent.bytes[kind] for kind in COUNTED) / seconds


def _record(trial: Trial, about: Description, seconds: float, failures: dict[str, list[str]]) -> dict[str, Any]:
    before, again = trial.plan.predicted, trial.again
    return {
        "policy": trial.policy,
        "rules_at": {
            rule: trial.plan.deployment.site_of(stream) for rule, stream in trial.plan.deployment.told.items()
        },
        "predicted": {"bytes": rounded(before.total.bytes, 1), "messages": rounded(before.total.messages, 2)},
        "predicted_from_measured": {
            "bytes": rounded(again.total.bytes, 1),
            "messages": rounded(again.total.messages, 2),
        },
        "sent": {
            "bytes": rounded(_bytes(trial, seconds), 1),
            "messages": rounded(sum(trial.sent.messages[kind] for kind in COUNTED) / seconds, 2),
            "by_kind": {kind: rounded(trial.sent.bytes[kind] / seconds, 1) for kind in COUNTED},
        },
        "links": [
            {"from": one, "to": other, "predicted": rounded(predicted, 1), "sent": rounded(sent, 1)}
            for (one, other), predicted, sent in _carried(trial, about, seconds)
        ],
        "loads": {site: rounded(load) for site, load in again.loads.items()},
        "full": list(before.full),
        "delay_ms": {"p50": rounded(quantile(trial.delays, 0.5)), "p99": rounded(quantile(trial.delays, 0.99))},
        "detections": len(trial.expected),
        "same_detections": trial.is_right,
        "lost": trial.lost,
        "blocked_by": failures,
    }


def _carried(trial: Trial, about: Description, seconds: float) -> list[tuple[Hop, float, float]]:
    """For each link and direction the bytes a second that were predicted, and those that were sent."""
    found = []
    for link in about.topology.links:
        for hop in ((link.one, link.other), (link.other, link.one)):
            carried = trial.by_line.get(hop)
            sent = 0.0 if carried is None else sum(carried.bytes[kind] for kind in COUNTED) / seconds
            predicted = trial.plan.predicted.links.get(hop)
            found.append((hop, 0.0 if predicted is None else predicted.bytes, sent))
    return found


def _table(trials: Sequence[Trial], seconds: float) -> Table:
    names = ["policy", "rules at", "predicted", "sent", "from measured", "p50 ms", "p99 ms", "busiest site"]
    names += ["events/s", "detections", "the same"]
    rows = []
    for trial in trials:
        plan = trial.plan.deployment
        busiest = max(trial.again.loads, key=lambda site: (trial.again.loads[site], site), default="-")
        delays = [quantile(trial.delays, share) for share in (0.5, 0.99)]
        rows.append(
            [
                trial.policy,
                ", ".join(sorted({plan.site_of(stream) for stream in plan.told.values()})),
                f"{trial.plan.predicted.total.bytes:,.0f}",
                f"{_bytes(trial, seconds):,.0f}",
                f"{trial.again.total.bytes:,.0f}",
                *("-" if each is None else f"{each:.1f}" for each in delays),
                busiest,
                f"{trial.again.loads.get(busiest, 0.0):.1f}",
                str(len(trial.expected)),
                "yes" if trial.is_right else "NO",
            ]
        )
    return Table("bytes a second between sites: predicted, sent, and predicted from what was measured", names, rows)


def _lines(trials: Sequence[Trial], about: Description, seconds: float) -> Table:
    rows = []
    for place, link in enumerate(about.topology.links):
        for way, (one, other) in enumerate(((link.one, link.other), (link.other, link.one))):
            sent = [_carried(trial, about, seconds)[2 * place + way][2] for trial in trials]
            most = "" if link.bandwidth is None else f"{link.bandwidth:,.0f}"
            rows.append([f"{one} -> {other}", most, *(f"{each:,.0f}" for each in sent)])
    return Table("bytes a second over each link", ["link", "fit", *(trial.policy for trial in trials)], rows)


def _failures(failures: dict[str, dict[str, list[str]]]) -> Table:
    what = next(iter(failures.values()))
    rows = [[each, *(", ".join(found[each]) or "-" for found in failures.values())] for each in what]
    return Table("rules that would wait if a site or a link failed", ["fails", *failures], rows)


def _remarks(trials: Sequence[Trial]) -> list[str]:
    found = [f"{trial.policy}: {sentence}" for trial in trials for sentence in trial.plan.predicted.full]
    found += [
        f"{trial.policy}: {len(trial.told)} detections were told, one engine finds {len(trial.expected)}"
        for trial in trials
        if not trial.is_right
    ]
    found.append("signs of life, and what carrying out a plan takes, are not counted")
    return found


def _pictures(about: Description, trials: Sequence[Trial], seconds: float) -> dict[str, str]:
    groups = []
    for trial in trials:
        before = trial.plan.predicted.total.bytes
        groups.append((trial.policy.replace("-", "-\n"), [before, _bytes(trial, seconds), trial.again.total.bytes]))
    names = ["predicted before", "sent", "predicted from measured"]
    subtitle = f"bytes a second between sites, {about.name}"
    return {"deployment-traffic.svg": draw_bars("What each policy sends", subtitle, "bytes a second", names, groups)}
