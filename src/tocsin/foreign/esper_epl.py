"""Esper EPL: a rule as a statement over a pattern.

    x:a ; y:b                every x1=a -> every y2=b(...)        every combination
    [a];[b in {b, c}]        every a1=a -> (b2=b(...) and not c(...))
    a -> !b in 5 sec         every a1=a -> (timer:interval(...) and not b(...))

An event type of Esper for each type of ours, with the properties `id`, `time` (milliseconds), `source` where it is
asked for, and one for each attribute.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import ClassVar

from tocsin.algebra.functions import FUNCTIONS
from tocsin.algebra.guards import Attribute, Binary, Guard, variables_of
from tocsin.algebra.rules import Rule
from tocsin.foreign.chains import Chain, Kind, Step, refusal
from tocsin.foreign.conditions import Conditions, labels_of
from tocsin.foreign.rule_chains import chains_of
from tocsin.time.periods import MSEC

NAME = "esper-epl"


@dataclass(frozen=True)
class Properties:
    """What the properties of all event types are called."""

    id: str = "id"
    source: str = "source"
    time: str = "time"


def translate(rule: Rule, properties: Properties = Properties()) -> str:  # noqa: B008 - frozen, so shared safely
    """The statement of a rule, or one for each of its alternatives; a RuleError names what EPL lacks."""
    chains = chains_of(rule)
    texts = []
    for number, chain in enumerate(chains, 1):
        name = rule.name if len(chains) == 1 else f"{rule.name}-{number}"
        texts.append(_Statement(rule, name, chain, properties).text())
    return ";\n\n".join(texts) + ";\n"


class _Conditions(Conditions):
    ENGINE = "EPL"
    WORDS: ClassVar = {"&&": "and", "||": "or", "==": "=", "!=": "!="}
    CALLS: ClassVar = {name: each.esper for name, each in FUNCTIONS.items() if each.esper}

    def __init__(self, chain: Chain, labels: list[str], properties: Properties) -> None:
        super().__init__(chain, labels)
        self._properties = properties

    @property
    def taken(self) -> tuple[str, ...]:
        return (self._properties.id, self._properties.source, self._properties.time)

    def column(self, owner: str, name: str, where: Guard) -> str:
        if not re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name):
            raise refusal(f"the attribute '{name}' in EPL", where, "a property is called by a name without signs")
        return f"{owner}.{_quoted(name)}" if owner else _quoted(name)

    def source(self, owner: str) -> str:
        return f"{owner}.{self._properties.source}" if owner else self._properties.source

    def text(self, value: str) -> str:
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"

    def negated(self, condition: str) -> str:
        return f"not coalesce({condition}, false)"

    def call(self, name: str, arguments: list[str]) -> str | None:
        form = self.CALLS.get(name)
        return None if form is None else form.format(*arguments)

    def number(self, value: float) -> str:
        return f"{value!r}d"


def _quoted(name: str) -> str:
    return f"`{name}`"


class _Statement:
    """The statement of one chain."""

    def __init__(self, rule: Rule, name: str, chain: Chain, properties: Properties) -> None:
        self.rule, self.name, self.chain, self.properties = rule, name, chain, properties
        self.labels = labels_of(chain)
        self.guards = _Conditions(chain, self.labels, properties)

    def text(self) -> str:
        columns = [f"{label}.{self.properties.id} as {label}_id" for label in self.labels]
        columns += [f"{self.guards.value(guard)} as {_quoted(name)}" for name, guard in self.rule.select]
        parts = [self._step(place) for place in range(len(self.chain.steps))]
        if self.chain.silence is not None:
            parts.append(self._silence())
        name = self.name.replace("\\", "\\\\").replace("'", "\\'")
        return f"@name('{name}')\nselect {', '.join(columns)}\nfrom pattern [\n  {self._pattern(parts)}\n]"

    def _pattern(self, parts: list[str]) -> str:
        first, rest = parts[0], parts[1:]
        if self.chain.again:
            return f"every ({' -> '.join(parts)})"
        if not rest:
            return f"every {first}"
        followed = " ->\n  ".join(rest)
        found = [each.length for each in self.chain.limits if each.since == 0]
        if found:
            # The conditions decide; this only lets go of what can no longer be complete.
            followed = f"(({followed})\n  where timer:within({min(found) // MSEC + 1} milliseconds))"
        return f"every {first} ->\n  {followed}"

    def _step(self, place: int) -> str:
        step, label = self.chain.steps[place], self.labels[place]
        if len(step.takes) > 1:
            raise refusal("an atom of several types, in EPL,", step.span, "write a rule for each type")
        kind = step.takes[0]
        taken = f"{label}={self._filter(kind, place, limited=True)}"
        if place == 0:
            return taken
        taken = taken if step.first else f"every {taken}"
        stops = [self._filter(each, place) for stop in step.stops for each in self._others(stop, step)]
        if not stops:
            return taken
        taken = taken if step.first else f"({taken})"
        return f"({taken} and {' and '.join(f'not {each}' for each in dict.fromkeys(stops))})"

    def _others(self, stop: Kind, step: Step) -> list[Kind]:
        """What ends the chain and is not what the step takes."""
        if stop.type is None:
            raise refusal("'*', that any event ends it, in EPL,", stop.span, "name the types")
        taken = step.takes[0]
        if stop.type != taken.type:
            return [stop]
        if not step.first:
            hint = "an event may both follow and end it there: let any of the type end it, as in 'a -> !b -> b'"
            raise refusal(f"that some '{stop.type}' end it and each is taken, in EPL,", stop.span, hint)
        if set(taken.tests) <= set(stop.tests):
            return []
        return [replace(stop, unless=taken)]

    def _silence(self) -> str:
        silence = self.chain.silence
        assert silence is not None
        length = silence.length // MSEC + (1 if silence.closed else 0)
        if any(kind.type is None for kind in silence.stops):
            raise refusal("'*', that any event ends it, in EPL,", silence.span, "name the types")
        stops = [self._filter(kind, len(self.chain.steps)) for kind in silence.stops]
        return f"(timer:interval({length} milliseconds){''.join(f' and not {each}' for each in stops)})"

    def _filter(self, kind: Kind, place: int, *, limited: bool = False) -> str:
        """`type(conditions)`."""
        assert kind.type is not None
        if not re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", kind.type):
            raise refusal(f"the event type '{kind.type}' in EPL", kind.span, "a type is called by a name without signs")
        tests = self._follows(place) if place else []
        if limited and place and place == len(self.chain.steps) - 1:
            for each in self.chain.limits:
                since = f"{self.labels[each.since]}.{self.properties.time}"
                sign = "<=" if each.closed else "<"
                tests.append(f"{self.properties.time} {sign} {since} + {each.length // MSEC}L")
        tests += [self._test(test, kind) for test in kind.tests]
        if kind.unless is not None:
            taken = [self._test(test, kind.unless) for test in kind.unless.tests]
            tests.append(self.guards.negated(" and ".join(taken)))
        return f"{_quoted(kind.type)}({' and '.join(tests)})" if tests else _quoted(kind.type)

    def _test(self, test: Guard, kind: Kind) -> str:
        """A condition of a filter. Esper looks filters up by the values of earlier events, and breaks off where such
        a value is null, except to look for an equal one: `coalesce` makes it evaluate the condition instead."""
        (written,) = self.guards.all_of((test,), kind, "")
        match test:
            case Binary(operator="==", left=Attribute(), right=Attribute()):
                return written
        if variables_of(test) <= {kind.own}:
            return written
        return f"coalesce({written}, false)"

    def _follows(self, place: int) -> list[str]:
        steps, silence = self.chain.steps, self.chain.silence
        order = steps[place].order if silence is None or place < len(steps) else silence.order
        before, time = self.labels[place - 1], self.properties.time
        if order == "arrival":
            return []
        later = f"{time} > {before}.{time}"
        if order == "later":
            return [later]
        source = self.properties.source
        return [f"({later} or {time} = {before}.{time} and {source} >= {before}.{source})"]
