"""The file that says what is done about which detections. Faults are shown where they stand.

at_once: 4                                   how many actions are under way at a time
waiting: 1000                                how many may wait; what comes on top is refused and counted
actions:
  - class: alarm                             about detections of this class; `rule: NAME`: of this rule; both; none
    run: [logger, -t, tocsin, "{link} is down since {start}"]
    time_limit: 10 sec
  - rule: overheating
    webhook: https://example.org/tocsin
    secret_from: HOOK_SECRET                 the environment variable that has the key of the signature
    time_limit: 5 sec
    retries: 3
    backoff: 1 sec
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import urlsplit

import yaml

from tocsin.actions.templates import parse_places
from tocsin.algebra.amendments import Change
from tocsin.errors import RuleError, UsageError, choices, nearest
from tocsin.events import Amendment, Detection
from tocsin.rules.loader import read_text
from tocsin.rules.options import period_of
from tocsin.rules.placed_yaml import PlacedYaml
from tocsin.sinks.signatures import keys_of
from tocsin.time.spans import SECOND

Made = TypeVar("Made")
Pieces = tuple[str | tuple[str], ...]

KEYS: Final = ("actions", "at_once", "waiting")
CHOICE: Final = ("rule", "class", "change")
OF_RUN: Final = (*CHOICE, "run", "time_limit")
OF_WEBHOOK: Final = (*CHOICE, "webhook", "secret_from", "time_limit", "retries", "backoff")
MOST_AT_ONCE: Final = 256


@dataclass(frozen=True)
class Run:
    """Run a program: its words, each with places in it. Never by way of a shell."""

    words: tuple[Pieces, ...]
    seconds: float = 10.0

    def __str__(self) -> str:
        return f"run {''.join(piece for piece in self.words[0] if isinstance(piece, str))}"


@dataclass(frozen=True)
class Webhook:
    """Send the detection to an address."""

    url: str
    keys: tuple[bytes, ...] = ()
    seconds: float = 10.0
    retries: int = 3
    backoff: float = 1.0

    def __str__(self) -> str:
        parts = urlsplit(self.url)
        return f"webhook {parts.scheme}://{parts.hostname}"  # what else is in an address may be secret


@dataclass(frozen=True)
class Action:
    """What is done, and about which detections; None is any."""

    does: Run | Webhook
    rule: str | None = None
    type: str | None = None
    change: Change | None = None
    """None is what is reported anew, replacements among it: of a detection that is taken back, one must ask to hear."""

    def is_about(self, one: Detection) -> bool:
        """Whether it is done about a detection, or about what became of one."""
        if self.rule not in (None, one.rule) or self.type not in (None, one.type):
            return False
        change = one.change if isinstance(one, Amendment) else None
        return change in (None, Change.REPLACED) if self.change is None else change == self.change


@dataclass(frozen=True)
class Configuration:
    """All that is done, and how much of it at a time."""

    actions: tuple[Action, ...]
    at_once: int = 4
    waiting: int = 1000


def read_actions(path: str) -> Configuration:
    """The actions in a file."""
    return _Reading(read_text(Path(path)), path).configuration()


class _Reading(PlacedYaml):
    """A file of actions being read."""

    def configuration(self) -> Configuration:
        """All that the file says."""
        root = self.compose("actions: a list of actions")
        found = self.fields(root, KEYS)
        listed = found.get("actions")
        if not isinstance(listed, yaml.SequenceNode):
            raise self.fault(listed or root, "'actions' must be a list", "- run: [program, argument]")
        at_once = self._made(found, "at_once", lambda node: self.count(node, 1, MOST_AT_ONCE), 4)
        waiting = self._made(found, "waiting", lambda node: self.count(node, 0, 10**6), 1000)
        return Configuration(tuple(self._action(node) for node in listed.value), at_once, waiting)

    def _action(self, node: yaml.Node) -> Action:
        found = self.fields(node, tuple(dict.fromkeys((*OF_RUN, *OF_WEBHOOK))))
        if ("run" in found) == ("webhook" in found):
            raise self.fault(node, "an action runs a program or calls a webhook", "run: [...] or webhook: URL")
        kind = "run" if "run" in found else "webhook"
        for key in found:
            if key not in (OF_RUN if kind == "run" else OF_WEBHOOK):
                raise self.fault(found[key], f"'{key}' does not go with '{kind}'")
        does = self._run(found) if kind == "run" else self._webhook(found)
        rule = self._made(found, "rule", self.string, None)
        kind_of = self._made(found, "class", self.string, None)
        return Action(does, rule, kind_of, self._made(found, "change", self._change, None))

    def _change(self, node: yaml.Node) -> Change:
        text, known = self.string(node), [each.value for each in Change]
        if text not in known:
            raise self.fault(node, f"'{text}' is no change of a detection", choices(known), nearest(text, known))
        return Change(text)

    def _run(self, found: dict[str, yaml.Node]) -> Run:
        node = found["run"]
        if not isinstance(node, yaml.SequenceNode) or not node.value:
            raise self.fault(node, "a program is a list: its name and its arguments", "[logger, -t, tocsin]")
        words = tuple(self._places(each) for each in node.value)
        if any(isinstance(piece, tuple) for piece in words[0]) or not words[0]:
            raise self.fault(node.value[0], "which program is run cannot depend on an event", "the name of a program")
        return Run(words, self._made(found, "time_limit", self._seconds, 10.0))

    def _webhook(self, found: dict[str, yaml.Node]) -> Webhook:
        url = self.string(found["webhook"])
        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
            raise self.fault(found["webhook"], "this is no address of a web server", "http://... or https://...")
        return Webhook(
            url,
            self._made(found, "secret_from", self._secret, ()),
            self._made(found, "time_limit", self._seconds, 10.0),
            self._made(found, "retries", lambda node: self.count(node, 0, 100), 3),
            self._made(found, "backoff", self._seconds, 1.0),
        )

    # -- values --------------------------------------------------------------------------------------------------------

    def _made(self, found: dict[str, yaml.Node], key: str, make: Callable[[yaml.Node], Made], otherwise: Made) -> Made:
        return make(found[key]) if key in found else otherwise

    def _places(self, node: yaml.Node) -> Pieces:
        try:
            return parse_places(self.string(node))
        except RuleError as error:
            fault = error.faults[0]
            raise self.fault(node, fault.message, fault.expected) from None

    def _seconds(self, node: yaml.Node) -> float:
        try:
            seconds = period_of(self.string(node), "this").length() / SECOND
        except UsageError as error:
            raise self.fault(node, str(error)) from None
        if seconds <= 0:
            raise self.fault(node, "this must be longer than nothing", "5 sec")
        return seconds

    def _secret(self, node: yaml.Node) -> tuple[bytes, ...]:
        name = self.string(node)
        if not os.environ.get(name):
            raise self.fault(node, f"the environment has no '{name}', which is to be the key of the signature")
        try:
            return keys_of(os.environ[name])
        except ValueError as error:
            raise self.fault(node, f"what '{name}' holds is no key of a signature: {error}") from None
