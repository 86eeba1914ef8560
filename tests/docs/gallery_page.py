"""docs/gallery.md, made from docs/gallery/*.yaml: `python tests/docs/gallery_page.py` writes it anew."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, it must find `tests`

from tests.conformance.gallery import NOTATIONS, Need, needs

PAGE = Path(__file__).parents[2] / "docs" / "gallery.md"
TITLES = {
    "gem": "GEM",
    "eps": "EPS",
    "sel": "SEL",
    "core": "Core",
    "global": "Global",
    "pretty": "Pretty",
    "python": "Python",
}
INTRODUCTION = """\
# Gallery

Twenty needs, each in every notation that can say it. All of them are run on the events shown, by the plain meaning, the
engine, a restored engine and Spark, and detect what is said; so are the events on which the notations differ, which are in
the [files](gallery/) this page is made from (`python tests/docs/gallery_page.py`).

An expression can be tried with `tocsin detect -e EXPRESSION --lang LANGUAGE --events FILE`; the settings beside it are
options of the same names, or keys in a [rules file](../README.md#a-rule-that-fires-in-one-minute). Python code makes a
`rule` for `tc.detect(rule, events)`. What the languages are: [GEM](languages/gem.md), [EPS](languages/eps.md),
[SEL](languages/sel.md), [core](languages/core.md), [global](languages/global.md), [pretty](languages/pretty.md),
[Python](languages/python.md).

The notations say the same in their own ways. Three habits explain nearly all of their differences:

- GEM and EPS fire once for an arriving event, with the oldest events that fit, and use them up (the context `generic`). In
  SEL, the pretty language and Python nothing is used up. The global notation pairs the oldest at each operator before it looks
  at the condition (`chronicle`); with keys it is given the context `unrestricted` here. A run of the core language begins with
  each event that can begin it, and takes the next that fits.
- A window of SEL, the pretty language and Python includes its end; a timer in GEM, EPS, the core language and the global
  notation comes before an event at that instant.
- Only a guard inside the absence can say *whose* event must be absent; the global notation can name the site.
"""


def page(all_needs: list[Need]) -> str:
    """The whole page."""
    return "\n".join([INTRODUCTION, _overview(all_needs), *(_section(need) for need in all_needs)])


def _overview(all_needs: list[Need]) -> str:
    lines = ["| need | " + " | ".join(TITLES[each] for each in NOTATIONS) + " |", "| --- |" + " :-: |" * len(NOTATIONS)]
    for need in all_needs:
        marks = ["✓" if each in need.notations else "-" for each in NOTATIONS]
        lines.append(f"| [{need.fields['need']}](#{_anchor(need)}) | " + " | ".join(marks) + " |")
    return "\n".join(lines) + "\n"


def _anchor(need: Need) -> str:
    return str(need.fields["need"]).lower().replace(" ", "-")


def _section(need: Need) -> str:
    lines = [f"## {need.fields['need']}", "", " ".join(need.fields["story"].split()), "", *_events(need), ""]
    for language in NOTATIONS:
        if language in need.notations:
            lines += [*_notation(language, need.notations[language]), ""]
    lines += [f"- {TITLES[language]} cannot: {why}." for language, why in need.cannot.items()]
    lines += [f"- {' '.join(each['says'].split())}" for each in need.differences]
    return "\n".join(lines).rstrip() + "\n"


def _events(need: Need) -> list[str]:
    hits = [one if isinstance(one, dict) else {"events": one} for one in need.fields["expect"]]
    lines = ["| id | event | time | |", "| ---: | --- | --- | --- |"]
    for number, kind, time, *more in need.fields["events"]:
        lines.append(f"| {number} | {kind} | {time} | {_attributes(*more)} |")
    told = [_detection(one) for one in hits]
    return [*lines, "", f"Detected: {'; '.join(told)}."]


def _attributes(data: dict[str, Any] | None = None, more: dict[str, Any] | None = None) -> str:
    texts = [f"{key} {value}" for key, value in (data or {}).items()]
    return ", ".join(texts + [f"from {value}" for key, value in (more or {}).items() if key == "source"])


def _detection(one: dict[str, Any]) -> str:
    what = " ".join(str(each) for each in one["events"]) or "no event"
    return f"{what}, at {one['time']}" if "time" in one else what


def _notation(language: str, written: dict[str, str]) -> list[str]:
    settings = [
        f"{key} `{' '.join(text.split())}`"
        for key, text in written.items()
        if key not in ("expression", "script", "code")
    ]
    heading = f"**{TITLES[language]}**" + (f", {', '.join(settings)}" if settings else "")
    if "script" in written:
        heading += ", a script"
    text = written.get("expression") or written.get("script") or written["code"]
    return [heading, "", f"```{'python' if language == 'python' else ''}", text, "```"]


if __name__ == "__main__":
    PAGE.write_text(page(needs()), encoding="utf-8")
