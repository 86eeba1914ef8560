"""Rules, what they do when they fire, and the scripts that declare, define and command them (003 section 3).

A rules file becomes a `Program`: its statements in the order they are written, run one after the other when
the clock starts. A YAML rule is a definition followed by an `Enable`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from tocsin.algebra.grouped import Groups, grouped, groups_of, spelt_out
from tocsin.algebra.guards import Guard
from tocsin.algebra.keyed import keyed
from tocsin.algebra.patterns import Partitioned, Pattern, Where
from tocsin.errors import Span
from tocsin.time.calendar import TimePoint
from tocsin.time.spans import Period


class Context(StrEnum):
    """Which occurrences combine and which are used up (SEMANTICS section 3)."""

    UNRESTRICTED = "unrestricted"
    GENERIC = "generic"
    CHRONICLE = "chronicle"
    RECENT = "recent"
    CONTINUOUS = "continuous"
    CUMULATIVE = "cumulative"


SEARCHED = (Context.UNRESTRICTED, Context.GENERIC)
"""Contexts that choose among all combinations; the others choose at every node."""

ALL_RULES = "*"


@dataclass(frozen=True)
class Order:
    """In which order arrivals are evaluated (SEMANTICS section 4): the detection policy and its parameter."""

    policy: str = "best-effort"
    delay: Period | None = None
    probability: float | None = None
    idle: Period | None = None
    """Under `guaranteed`: a source that is silent for so long no longer holds the others back."""


BEST_EFFORT = Order()


@dataclass(frozen=True)
class InText:
    """Anything that stood somewhere in a text. The place is no part of what it is."""

    span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)


# -- actions -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Action(InText):
    """Something a rule does when it fires."""


@dataclass(frozen=True)
class Notify(Action):
    """Report a new event to the outside; no rule sees it."""

    type: str
    arguments: tuple[Guard, ...] = ()


@dataclass(frozen=True)
class Forward(Action):
    """Report the primitive events of a variable as they are."""

    variable: str


@dataclass(frozen=True)
class Trigger(Action):
    """Make a new event that the other rules see."""

    type: str
    arguments: tuple[Guard, ...] = ()


@dataclass(frozen=True)
class Enable(Action):
    """Let a rule see events; `None` is the rule itself, `*` (at top level) all of them."""

    rule: str | None = None


@dataclass(frozen=True)
class Disable(Action):
    """Stop a rule and discard what it remembers."""

    rule: str | None = None


# -- rules and statements ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Suppress(InText):
    """Once per key in a length of time: what is detected besides is counted, and told with the next.

    `every`: each so-manieth in the length of time that begins with the first that is counted. `nth`: that one alone.
    """

    by: tuple[Guard, ...]
    period: Period
    every: int = 0
    nth: int = 0


SEVERITIES = ("informational", "low", "medium", "high", "critical")
"""How bad a detection is, as Sigma has it."""


@dataclass(frozen=True)
class Rule(InText):
    """A pattern to detect and what to do about it. Without actions a firing is reported as it is."""

    name: str
    pattern: Pattern
    language: str = "gem"
    condition: Guard | None = None
    context: Context | None = None
    window: Period | None = None
    order: Order | None = None
    actions: tuple[Action, ...] = ()
    notify: str | None = None
    select: tuple[tuple[str, Guard], ...] = ()
    callback: str | None = None
    """Where a service sends notifications (000 section 4); `detect` prints them instead."""
    strict: bool = False
    """Defined in a GEM script: the events it names must be declared."""
    hidden: bool = False
    """Only there for other rules to use by name (001: a definition before an expression); it reports nothing."""
    partition: tuple[str, ...] = field(default=(), repr=False)
    """The attributes for each of whose values the rule is there once, for events with that value alone."""
    # What is said about a rule is no part of what it looks for: a rule's key (`identity.py`) leaves it out.
    severity: str | None = field(default=None, repr=False)
    tags: tuple[str, ...] = field(default=(), repr=False)
    suppress: Suppress | None = field(default=None, repr=False)
    description: str = field(default="", repr=False, compare=False)
    references: tuple[str, ...] = field(default=(), repr=False, compare=False)
    message: tuple[str | Guard, ...] = field(default=(), compare=False, repr=False)
    """The pieces of `notify` as its language reads them; without them only its plain holes are filled."""

    def __post_init__(self) -> None:
        if isinstance(self.pattern, Partitioned):
            both = (*self.partition, *self.pattern.attributes)
            object.__setattr__(self, "partition", tuple(dict.fromkeys(both)))
            object.__setattr__(self, "pattern", self.pattern.pattern)
        # `by`, and `x.ip` of events with the same ip, are ways to write: what runs are guards that say it.
        object.__setattr__(self, "pattern", grouped(keyed(self.pattern)))
        if groups := groups_of(self.pattern):
            self._spell_out(groups)

    def _spell_out(self, groups: Groups) -> None:
        """What the rule says of its groups, as the guards that run."""
        message = tuple([spelt_out(each, groups) if isinstance(each, Guard) else each for each in self.message])
        object.__setattr__(self, "message", message)
        object.__setattr__(self, "select", tuple([(name, spelt_out(each, groups)) for name, each in self.select]))
        if self.condition is not None:
            object.__setattr__(self, "condition", spelt_out(self.condition, groups))
        if self.suppress is not None:
            by = tuple([spelt_out(each, groups) for each in self.suppress.by])
            object.__setattr__(self, "suppress", replace(self.suppress, by=by))

    @property
    def forgets_used(self) -> bool:
        """Whether absences do not see what the rule has used up: `!` in GEM texts, and nothing else (SEMANTICS s7)."""
        return self.language == "gem"

    @property
    def searched(self) -> Pattern:
        """What is searched for, in each partition by itself."""
        return Partitioned(self.guarded, self.partition) if self.partition else self.guarded

    @property
    def guarded(self) -> Pattern:
        """The pattern with the condition as a guard around it: what is searched for."""
        return self.pattern if self.condition is None else Where(self.pattern, self.condition)


DEFINED = "\0"
"""In the name of a rule that is a definition before an expression: what comes after it tells it from all others."""


def shown_name(name: str) -> str:
    """The name of a rule or of an event type as people wrote it."""
    return name.partition(DEFINED)[0]


ATTRIBUTE_TYPES = ("char", "long", "double", "string", "time", "itime")


@dataclass(frozen=True)
class Declaration(InText):
    """`event name(type attribute, ...)`: a class of events and what it carries."""

    name: str
    attributes: tuple[tuple[str, str], ...] = ()
    """(attribute, type) in the order written; types are ATTRIBUTE_TYPES."""


@dataclass(frozen=True)
class Define(InText):
    """`rule name { ... }`."""

    rule: Rule


@dataclass(frozen=True)
class Raise(InText):
    """A top-level trigger: an event report written in a script."""

    type: str
    source: str | None = None
    time: TimePoint | None = None
    arguments: tuple[Guard, ...] = ()


@dataclass(frozen=True)
class Remove(InText):
    """`~ e` and `~ rule r`."""

    name: str
    rule: bool = False


@dataclass(frozen=True)
class Load(InText):
    """`load "file"`. Loading replaces it by the file's statements; it stays only in a script as written."""

    path: str


@dataclass(frozen=True)
class Stop(InText):
    """`stop`: halt the monitor and discard everything."""


@dataclass(frozen=True)
class Command(InText):
    """`enable r`, `disable *`: an action at top level."""

    action: Enable | Disable


Statement = Declaration | Define | Raise | Remove | Load | Stop | Command


@dataclass(frozen=True)
class Typed:
    """Statements given to a monitor that runs, between two arrivals (003 section 3: scripts are down-loaded to it).

    `arrival` is when, by the arrival clock; None where that is not known, and then the clock is as it was.
    """

    statements: tuple[Statement, ...]
    arrival: int | None = None


@dataclass(frozen=True)
class Program:
    """Statements in order, as the monitor runs them when the clock starts."""

    statements: tuple[Statement, ...] = ()

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule defined anywhere in the program."""
        return tuple(s.rule for s in self.statements if isinstance(s, Define))

    @property
    def declarations(self) -> dict[str, Declaration]:
        """The declared event classes by name."""
        return {s.name: s for s in self.statements if isinstance(s, Declaration)}

    def __add__(self, other: Program) -> Program:
        """Both programs, this one's statements first."""
        return Program(self.statements + other.statements)


LANGUAGE_CONTEXTS = {
    "gem": Context.GENERIC,
    "eps": Context.GENERIC,
    "global": Context.CHRONICLE,
    "sel": Context.UNRESTRICTED,
    "pretty": Context.UNRESTRICTED,
    "python": Context.UNRESTRICTED,
    "core": Context.UNRESTRICTED,
}
"""The context of a rule that names none (SEMANTICS section 3)."""
