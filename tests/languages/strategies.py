"""Hypothesis strategies for guards, patterns, scripts and documents: everything that the parsers can make.

What they draw is canonical: chains are flat on the left, class names that occur once name themselves, and a guard
right on an absence is the absence's own. For those, and only those, `parse(render(x)) == x`.
"""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from tocsin.algebra import guards as g
from tocsin.algebra import patterns as p
from tocsin.algebra import rules as r
from tocsin.algebra.functions import FUNCTIONS
from tocsin.algebra.names import name_leaves
from tocsin.languages.events import is_single, limited
from tocsin.languages.guard_text import WORDS
from tocsin.time.calendar import TimePoint, validate
from tocsin.time.spans import DAY, Period

# -- names and texts ---------------------------------------------------------------------------------------------

TEXTS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12
)  # \0: names that no text has
"""Any text that can be written: no halves of surrogate pairs."""

IDENTIFIERS = st.one_of(
    st.sampled_from(
        ["a", "b", "c", "e1", "e2", "x", "temp_alarm", "ALARM_A", "sec", "min", "at", "rule", "_", "é", "名前"]
    ),
    st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,5}", fullmatch=True),
)
VARIABLES = IDENTIFIERS.filter(lambda name: name not in WORDS)
NAMES = st.one_of(
    IDENTIFIERS, TEXTS.filter(bool), st.sampled_from(["com.example.login", "now", "when", "event", "TimesEq"])
)
"""Names of event types, attributes and rules: anything but nothing, in quotes where it must be."""
RULE_NAMES = NAMES.filter(lambda name: name != r.ALL_RULES)

# -- times -------------------------------------------------------------------------------------------------------

PERIODS = st.builds(
    Period,
    years=st.integers(0, 50),
    months=st.integers(0, 11),
    microseconds=st.one_of(st.integers(0, 400 * DAY), st.sampled_from([0, 1, 1_000, 5_000_000, 60_000_000, DAY])),
)
POSITIVE_PERIODS = PERIODS.filter(lambda period: period.is_positive)


@st.composite
def time_points(draw: st.DrawFn) -> TimePoint:
    """Time points that can exist."""
    fields: dict[str, int | None] = {}
    if draw(st.booleans()):
        fields |= {"hour": draw(st.integers(0, 23)), "minute": draw(st.integers(0, 59))}
        fields |= {"second": draw(st.integers(0, 59)), "millisecond": draw(st.sampled_from([0, 0, 5, 250, 999]))}
    if draw(st.booleans()):
        fields["weekday"] = draw(st.integers(0, 6))
    if draw(st.booleans()):
        fields["day"] = draw(st.none() | st.integers(1, 31))
        fields["month"] = draw(st.none() | st.integers(1, 12))
        fields["year"] = draw(st.none() | st.integers(1, 9999) | st.integers(1970, 2069))
    point = TimePoint(**fields)
    if validate(point) is not None:
        point = replace(point, weekday=None, day=None)
    return point


INSTANTS = st.integers(-62_135_596_800_000_000, 253_402_300_799_999_999)

# -- guards ------------------------------------------------------------------------------------------------------

LITERALS = st.builds(
    g.Literal,
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(10**20), 10**20),
        st.floats(allow_nan=False, allow_infinity=False),
        TEXTS,
    ),
)
PATHS = st.builds(
    lambda parts: "".join(parts).removeprefix("."),
    st.lists(st.one_of(IDENTIFIERS.map(lambda name: f".{name}"), st.sampled_from(("[0]", "[12]", "[x]"))), min_size=1),
)
GUARD_LEAVES = st.one_of(
    LITERALS,
    st.builds(g.Duration, PERIODS),
    st.builds(g.Point, time_points()),
    st.builds(g.Attribute, VARIABLES, st.one_of(IDENTIFIERS, TEXTS, PATHS)),
    *(st.builds(kind, VARIABLES) for kind in (g.End, g.Start, g.SourceOf, g.Occurred, g.Reference)),
    st.just(g.Now()),
    st.just(g.Self()),
)
_SINGLE, _PAIRED = (sorted(name for name, each in FUNCTIONS.items() if each.least == each.most == n) for n in (1, 2))


def _larger_guards(inner: st.SearchStrategy[g.Guard]) -> st.SearchStrategy[g.Guard]:
    return st.one_of(
        st.builds(g.Not, inner),
        st.builds(g.Negative, inner),
        st.builds(g.Binary, st.sampled_from((*g.COMPARISONS, *g.ARITHMETIC, *g.LOGIC)), inner, inner),
        st.builds(g.Call, st.sampled_from(_SINGLE), st.tuples(inner)),
        st.builds(g.Call, st.sampled_from(_PAIRED), st.tuples(inner, inner)),
        st.builds(g.Call, st.sampled_from(("in", "cidr")), st.lists(inner, min_size=2, max_size=4).map(tuple)),
        st.builds(
            lambda name, value, text: g.Call(name, (value, g.Literal(text))),
            st.sampled_from(("matches", "like")),
            inner,
            st.text("a'\"\\%_.[]\n\u0105", max_size=6),
        ),
    )


GUARDS = st.recursive(GUARD_LEAVES, _larger_guards, max_leaves=12)

# -- patterns ----------------------------------------------------------------------------------------------------


def chain(shape: type[p.Both] | type[p.Either] | type[p.Sequence], parts: list[p.Pattern]) -> p.Pattern:
    """An operator that associates to the left, flat where it does."""
    first = parts[0]
    if isinstance(first, p.Both | p.Either | p.Sequence) and isinstance(first, shape):
        return shape((*first.parts, *parts[1:]))
    return shape(tuple(parts))


def guarded(pattern: p.Pattern, guard: g.Guard) -> p.Pattern:
    """`e when g` as GEM reads it."""
    if isinstance(pattern, p.Absence) and pattern.guard is None:
        return replace(pattern, guard=guard)
    return p.Where(pattern, guard)


PRIMITIVES = st.builds(p.Primitive, NAMES)
_EVENTS = st.one_of(PRIMITIVES, st.builds(p.Named, VARIABLES, PRIMITIVES))


def _chains(inner: st.SearchStrategy[p.Pattern]) -> st.SearchStrategy[p.Pattern]:
    shapes = st.sampled_from([p.Both, p.Either, p.Sequence])
    return st.builds(chain, shapes, st.lists(inner, min_size=2, max_size=4))


def _larger_eps(inner: st.SearchStrategy[p.Pattern]) -> st.SearchStrategy[p.Pattern]:
    return st.one_of(_chains(inner), st.builds(p.Named, VARIABLES, inner), st.builds(p.After, inner, POSITIVE_PERIODS))


EPS_PATTERNS = st.recursive(
    st.one_of(
        _EVENTS,
        st.builds(p.Times, st.integers(1, 10**6), _EVENTS, st.one_of(IDENTIFIERS, TEXTS), st.booleans()),
        st.builds(p.AtInstant, INSTANTS),
        st.builds(p.Every, POSITIVE_PERIODS),
    ),
    _larger_eps,
    max_leaves=10,
).map(name_leaves)


def _larger_gem(inner: st.SearchStrategy[p.Pattern]) -> st.SearchStrategy[p.Pattern]:
    return st.one_of(
        _chains(inner),
        st.builds(p.Named, VARIABLES, inner),
        st.builds(p.After, inner, POSITIVE_PERIODS),
        st.builds(p.Absence, inner, inner, inner),
        st.builds(guarded, inner, GUARDS),
    )


GEM_PATTERNS = st.recursive(
    st.one_of(_EVENTS, st.just(p.AnyEvent()), st.builds(p.At, time_points()), st.builds(p.Every, POSITIVE_PERIODS)),
    _larger_gem,
    max_leaves=10,
).map(name_leaves)

# -- scripts and documents ----------------------------------------------------------------------------------------

_VALUES = st.lists(GUARDS, max_size=3).map(tuple)
ACTIONS = st.one_of(
    st.builds(r.Notify, NAMES, _VALUES),
    st.builds(r.Trigger, NAMES, _VALUES),
    st.builds(r.Forward, NAMES),
    st.builds(r.Enable, st.none() | RULE_NAMES),
    st.builds(r.Disable, st.none() | RULE_NAMES),
)
GEM_RULES = st.builds(
    r.Rule,
    RULE_NAMES,
    GEM_PATTERNS,
    st.just("gem"),
    window=st.none() | POSITIVE_PERIODS,
    actions=st.lists(ACTIONS, min_size=1, max_size=3).map(tuple),
    strict=st.just(True),
)
_ATTRIBUTES = st.lists(st.tuples(NAMES, st.sampled_from(r.ATTRIBUTE_TYPES)), max_size=3).map(tuple)
_SWITCHED = st.one_of(RULE_NAMES, st.just(r.ALL_RULES))
GEM_STATEMENTS = st.one_of(
    st.builds(r.Declaration, NAMES, _ATTRIBUTES),
    st.builds(r.Define, GEM_RULES),
    st.builds(r.Raise, NAMES, st.none() | TEXTS, st.none() | time_points(), _VALUES),
    st.builds(r.Remove, RULE_NAMES, st.booleans()),
    st.builds(r.Load, TEXTS),
    st.just(r.Stop()),
    st.builds(r.Command, st.one_of(st.builds(r.Enable, _SWITCHED), st.builds(r.Disable, _SWITCHED))),
)
GEM_SCRIPTS = st.lists(GEM_STATEMENTS, max_size=5).map(tuple)

ORDERS = st.one_of(
    st.builds(r.Order, st.sampled_from(["best-effort", "guaranteed"])),
    st.builds(r.Order, st.just("delay"), delay=POSITIVE_PERIODS),
    st.builds(r.Order, st.just("guaranteed"), idle=POSITIVE_PERIODS),
    st.builds(r.Order, st.just("probabilistic"), probability=st.sampled_from([0.5, 0.95, 1.0])),
)
EPS_RULES = st.builds(
    r.Rule,
    RULE_NAMES,
    EPS_PATTERNS,
    st.just("eps"),
    condition=st.none() | GUARDS,
    context=st.none() | st.sampled_from(r.Context),
    window=st.none() | POSITIVE_PERIODS,
    order=st.none() | ORDERS,
    notify=st.none() | TEXTS.map(lambda text: text.replace("{", "").replace("}", "")),  # braces hold expressions
    callback=st.none() | TEXTS,
)


def _request(rule: r.Rule) -> tuple[r.Statement, ...]:
    return r.Define(rule), r.Command(r.Enable(rule.name))


EPS_DOCUMENTS = st.lists(EPS_RULES.map(_request), max_size=4).map(lambda requests: sum(requests, ()))

# -- SEL ----------------------------------------------------------------------------------------------------------


def followed(parts: list[p.Pattern], order: p.Precedence = p.Precedence.GAP) -> p.Pattern:
    """`a -> b -> c` as SEL reads it: flat on the left."""
    first = parts[0]
    before = first.parts if isinstance(first, p.Sequence) and first.order is order else (first,)
    return p.Sequence((*before, *parts[1:]), order)


IN_WORDS = st.sampled_from([p.Precedence.GAP, p.Precedence.GAP, p.Precedence.WEAK])


def _larger_sel(inner: st.SearchStrategy[p.Pattern]) -> st.SearchStrategy[p.Pattern]:
    several = st.lists(inner, min_size=2, max_size=4)
    counts = st.tuples(st.integers(1, 10**6), st.integers(0, 10**6))
    return st.one_of(
        st.builds(followed, several, IN_WORDS),
        st.builds(chain, st.sampled_from([p.Both, p.Either]), several),
        st.builds(p.Named, VARIABLES, inner),
        st.builds(p.Never, inner),
        st.builds(p.Instant, inner),
        st.builds(p.Where, inner, GUARDS),
        st.builds(p.Within, inner, POSITIVE_PERIODS),
        st.builds(p.Between, inner, INSTANTS, INSTANTS),
        st.builds(p.After, inner, PERIODS, st.just(True)),
        st.builds(lambda one, n: p.Repeat(one, n[0], n[0] + n[1]), inner, counts),
    )


SEL_PATTERNS = st.recursive(_EVENTS, _larger_sel, max_leaves=10).map(name_leaves)

# -- pretty -------------------------------------------------------------------------------------------------------


def without(steps: list[p.Pattern], absent: p.Pattern, order: p.Precedence) -> p.Pattern:
    """`a followed by b without c` as the pretty language reads it: between the last two steps."""
    whole = followed(steps, order)
    assert isinstance(whole, p.Sequence)
    *before, last = whole.parts
    first = before[0] if len(before) == 1 else p.Sequence(tuple(before), order)
    return p.Absence(first, last, absent, order=order)


SEVERAL_ATTRIBUTES = st.lists(TEXTS, max_size=3, unique=True).map(tuple)


def counted(inner: p.Pattern, count: int, same: tuple[str, ...], different: str | None, once: bool) -> p.Pattern:
    """So many of single events; of anything else a run."""
    return p.Streak(count, inner, same, different, None, once) if is_single(inner) else p.Repeat(inner, count, count)


def chosen(inner: p.Pattern, count: int, attribute: str | None, same: bool) -> p.Pattern:
    """Any so many of single events."""
    return p.Times(count, inner, attribute, same or attribute is None) if is_single(inner) else inner


def repeated(inner: p.Pattern, counts: tuple[int, int], same: tuple[str, ...]) -> p.Pattern:
    """`2 to 4 times`, per group if they are single events."""
    return p.Repeat(inner, counts[0], counts[0] + counts[1], same if is_single(inner) else ())


def _larger_pretty(inner: st.SearchStrategy[p.Pattern]) -> st.SearchStrategy[p.Pattern]:
    several = st.lists(inner, min_size=2, max_size=4)
    counts = st.tuples(st.integers(1, 10**6), st.integers(0, 10**6))
    return st.one_of(
        st.builds(followed, several, IN_WORDS),
        st.builds(without, several, inner, IN_WORDS),
        st.builds(chain, st.sampled_from([p.Both, p.Either]), several),
        st.builds(p.Named, VARIABLES, inner),
        st.builds(p.Never, inner),
        st.builds(p.Instant, inner),
        st.builds(p.Where, inner, GUARDS),
        st.builds(limited, inner, POSITIVE_PERIODS),
        st.builds(p.By, inner, SEVERAL_ATTRIBUTES.filter(bool)),
        st.builds(p.Between, inner, INSTANTS, INSTANTS),
        st.builds(p.After, inner, POSITIVE_PERIODS, st.just(True)),
        st.builds(repeated, inner, counts, SEVERAL_ATTRIBUTES),
        st.builds(counted, inner, st.integers(1, 10**6), SEVERAL_ATTRIBUTES, st.none() | TEXTS, st.booleans()),
        st.builds(chosen, inner, st.integers(1, 10**6), st.none() | TEXTS, st.booleans()),
    )


PRETTY_PATTERNS = st.recursive(
    st.one_of(
        _EVENTS,
        st.just(p.AnyEvent()),
        st.builds(p.At, time_points()),
        st.builds(p.AtInstant, INSTANTS),
        st.builds(p.Every, POSITIVE_PERIODS),
    ),
    _larger_pretty,
    max_leaves=10,
).map(name_leaves)
