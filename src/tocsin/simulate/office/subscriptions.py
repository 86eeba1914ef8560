"""What people of the Active Office subscribe to: the two scenarios of 001 section 2.1 as rules."""

from __future__ import annotations

from typing import Final

from tocsin.algebra.rules import Program
from tocsin.errors import UsageError
from tocsin.rules.documents import read_document
from tocsin.simulate.office.people import MEETING_ROOMS

_MEETING: Final = ", ".join(f"'{room}'" for room in MEETING_ROOMS)

SCENARIOS: Final = {
    1: """
rules:
  - name: cold
    language: sel
    expression: (p:Pers -> t:Temp) in 1 minute
    condition: p.room = t.room and t.value < 15
    select: {room: t.room, degrees: t.value, person: p.person}
""",
    2: f"""
rules:
  - name: missed
    language: core
    expression: |
      ([b:BoardOn] [[p:Pers(room = b.room AND person != 'Jean' AND room IN ({_MEETING}))]*
                    [p:Pers(room = b.room AND person = 'Jean' AND room IN ({_MEETING}))]
                    [p:Pers(room = b.room AND room IN ({_MEETING}))]*
                    [o:BoardOff(room = b.room)]
                    in {{Pers(room = b.room AND room IN ({_MEETING})), BoardOff(room = b.room)}}],
       [T1 in {{T1, Login(person = 'Jean')}}]){{T1 = 5 min}}
    select: {{room: b.room, pages: o.pages, participants: list(p.person)}}
""",
}
"""Scenario 1 in SEL, scenario 2 in the core language: formulas (1) and (2) with filters, which it leaves out."""


def subscription(scenario: int, faster: int = 1) -> Program:
    """The rule of a scenario; for people who live so many times faster."""
    if scenario not in SCENARIOS:
        raise UsageError(f"there is no scenario {scenario}: expected 1 or 2")
    text = SCENARIOS[scenario]
    if faster > 1:
        text = text.replace("1 minute", f"{60_000 // faster} ms").replace("5 min}", f"{300_000 // faster} ms}}")
    return read_document(text, f"scenario {scenario}")
