"""A thousand rules in all languages, read, checked and planned: what has to be done before the first event comes.

The rules are of six kinds, each written in every language that can say it, on event types of their own for each round
of all of them. A plan that is quick and wrong would be noticed: what the rules detect on a few events is compared with
the plain meaning.
"""

from __future__ import annotations

from functools import partial

import yaml

from tocsin.algebra.notes import Notes
from tocsin.algebra.replay import replay
from tocsin.bench.columns import is_compiled
from tocsin.bench.measurement import best_of
from tocsin.bench.records import Record, Target
from tocsin.engine.engine import Engine
from tocsin.events import Event
from tocsin.rules.documents import read_document
from tocsin.runtime.logs import detections
from tocsin.session import Session

COUNT = 1_000
SHOWN = 2
"""How many rounds of rules are given events."""
SECOND = 1_000_000

_XY = "x, y = tc.event('a{n}', 'x'), tc.event('b{n}', 'y')\n"

KINDS: tuple[dict[str, str], ...] = (
    {  # one after the other, of one key
        "gem": "x:a{n} ; y:b{n} when x.k == y.k && y.v > {v}",
        "eps": "x:a{n} ; y:b{n}",
        "sel": "x:a{n} -> y:b{n} if x.k == y.k && y.v > {v} in 5 minutes",
        "core": "([x:a{n}], [b{n}(k = x.k AND v > {v})]){{T = 5 min}}",
        "global": "x:a{n} ; y:b{n}",
        "pretty": "a{n} as x followed by b{n} as y where x.k == y.k and y.v > {v} within 5 minutes",
        "python": _XY + "x.then(y).where(x.k == y.k, y.v > {v}).within('5 min')",
    },
    {  # nothing between
        "gem": "({{x:a{n} ; y:b{n}}} ! z:c{n}) when (?z && z.k == x.k) || (y.k == x.k && y.v > {v})",
        "sel": "x:a{n} -> !(z:c{n} if z.k == x.k) -> y:b{n} if x.k == y.k && y.v > {v} in 5 minutes",
        "core": "[x:a{n}] [b{n}(k = x.k AND v > {v}) in {{b{n}(k = x.k), c{n}(k = x.k)}}]",
        "global": "x:a{n} ; NOT c{n} ; y:b{n}",
        "pretty": "a{n} as x followed by b{n} as y without c{n} where x.k == y.k and y.v > {v} within 5 minutes",
        "python": _XY + "x.then(y).without(tc.event('c{n}')).where(x.k == y.k, y.v > {v}).within('5 min')",
    },
    {  # both, in any order
        "gem": "x:a{n} & y:b{n} when x.k == y.k && y.v > {v}",
        "eps": "x:a{n} & y:b{n}",
        "sel": "x:a{n} & y:b{n} if x.k == y.k && y.v > {v} in 5 minutes",
        "core": "[x:a{n}] || [y:b{n}(v > {v})]",
        "global": "x:a{n} , y:b{n}",
        "pretty": "a{n} as x and b{n} as y where x.k == y.k and y.v > {v} within 5 minutes",
        "python": _XY + "(x & y).where(x.k == y.k, y.v > {v}).within('5 min')",
    },
    {  # not followed by
        "gem": "({{x:a{n} ; t:(w:a{n} + [5*min])}} ! z:c{n}) when (?t && x == w) || (?z && z.k == x.k)",
        "sel": "x:a{n} -> !(z:c{n} if z.k == x.k) in 5 minutes",
        "core": "([x:a{n}], [T in {{T, c{n}(k = x.k)}}]){{T = 5 min}}",
        "pretty": "a{n} as x unless (c{n} as z where z.k == x.k) within 5 minutes",
        "python": "x, z = tc.event('a{n}', 'x'), tc.event('c{n}', 'z')\n"
        "x.then(z.where(z.k == x.k).never()).within('5 min')",
    },
    {  # so often
        "gem": "x:a{n} ; y:b{n} ; z:b{n} when x.k == y.k && y.k == z.k && z.v > {v}",
        "eps": "a{n} ; TimesEq(2, b{n}, k)",
        "sel": "a{n} -> y:b{n}*2 if sum(y.v) > {v} in 5 minutes",
        "core": "[x:a{n}] [b{n}(k = x.k)] [b{n}(k = x.k AND v > {v})]",
        "global": "b{n} * a{n}",
        "pretty": "a{n} followed by b{n} 2 times with the same k within 5 minutes",
        "python": "tc.event('a{n}').then_ends(tc.event('b{n}').times(2, same='k'))",
    },
    {  # one of several, and then another
        "gem": "(a{n} | c{n}) ; y:b{n} when y.v > {v} && y.k in ('p', 'q')",
        "eps": "(a{n} || c{n}) ; y:b{n}",
        "sel": "(a{n} | c{n}) -> y:b{n} if y.v > {v} && y.k in ('p', 'q') in 5 minutes",
        "core": "[a{n}, c{n}] ; [b{n}(v > {v} AND k IN ('p', 'q'))]",
        "global": "(a{n} | c{n}) ; y:b{n}",
        "pretty": "(a{n} or c{n}) followed by b{n} as y where y.v > {v} and y.k in ('p', 'q') within 5 minutes",
        "python": _XY + "(x | tc.event('c{n}')).then(y).where((y.v > {v}) & y.k.is_in('p', 'q')).within('5 min')",
    },
)

WRITTEN = [(kind, language) for kind in KINDS for language in kind]
"""A round: every kind in every language that can say it."""
CONDITIONED = ("eps", "global")
"""Languages whose guard is the condition of the rule."""


def rules_text(count: int) -> str:
    """A rules file of so many rules."""
    rules = []
    for number in range(count):
        kind, language = WRITTEN[number % len(WRITTEN)]
        text = kind[language].format(n=number // len(WRITTEN), v=number % 7)
        rule = {"name": f"r{number}", "language": language, "window": "5 min", "expression": text}
        if language in CONDITIONED and "x:" in text:
            rule["condition"] = f"x.k == y.k && y.v > {number % 7}"
        rules.append(rule)
    return yaml.safe_dump({"rules": rules}, sort_keys=False)


def planned(text: str) -> Session:
    """A rules file read, checked and planned, up to where the first event may come. This is what is measured."""
    session = Session(read_document(text, "rules.yaml"))
    engine = Engine(session.program, None, Notes())
    engine.begin(0)
    engine.build()
    return session


def rules(scale: float, tries: int) -> Record:
    """CPU time for a thousand rules, from the text of a rules file to the searches and automata."""
    count = max(len(WRITTEN), round(COUNT * scale))
    seconds, session = best_of(partial(planned, rules_text(count)), tries)
    few = a_few_events()
    found, wanted = (
        sorted((each.rule, *each.events) for each in run(session.program, few)) for run in (detections, replay)
    )
    return Record(
        "rules",
        count,
        len(found),
        sum(int(place) for _, *places in found for place in places),
        seconds,
        seconds / count * COUNT,
        "CPU-s for 1,000 rules",
        Target(2, at_most=True),
        found == wanted,
        is_compiled(),
    )


def a_few_events() -> list[Event]:
    """Some for each of the first rounds, on which all rules of a round fire."""
    letters = "abcabb"
    made = []
    for place in range(SHOWN * len(letters)):
        n, letter = divmod(place, len(letters))
        time, data = place * SECOND, {"k": "pqpppp"[letter], "v": 4 + letter}
        made.append(Event(f"{letters[letter]}{n}", time, time, str(place), "", data, time))
    return made
