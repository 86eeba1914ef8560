"""The error tree, and how a fault is shown to the person who wrote the text.

    TocsinError
      TextError           a text Tocsin reads is wrong; carries every fault found
        RuleError         ... a rule, a script, a rules file
        EventError        ... an event: a line of a file, a row of a frame
      UsageError          a call or a command line asks for something impossible
      MissingDependency   an optional library is not installed; says how to get it

Errors carry fields; the text is drawn from them, so a tool can use the fields and a person the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

EXPRESSION = "<expression>"
"""What stands for the file where a rule was given on the command line or from Python."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text: from `start` up to but not including `stop`, counted in characters.

    It remembers the text, because a rule is put together from several: its pattern, its condition, what it selects.
    """

    start: int
    stop: int
    source: Source | None = field(default=None, compare=False, repr=False)

    def __or__(self, other: Span | None) -> Span:
        """The least span that covers both."""
        if other is None:
            return self
        return Span(min(self.start, other.start), max(self.stop, other.stop), self.source or other.source)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a fault stands, as people count: lines and columns from 1, with the line itself."""

    file: str
    line: int
    column: int
    source_line: str = ""
    width: int = 1


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a text: what, where, what was expected instead, and how bad it is."""

    message: str
    span: Span | None = None
    expected: str = ""
    hint: str = ""
    severity: str = "error"
    place: Place | None = None

    def __str__(self) -> str:
        return draw(self)


class TocsinError(Exception):
    """Anything Tocsin refuses, with a message for the person who asked."""


class UsageError(TocsinError):
    """A call or a command line that asks for something impossible."""


class SnapshotError(TocsinError):
    """A saved state that cannot be used, or a state that cannot be saved."""


class MissingDependency(TocsinError):
    """An optional library is needed and not installed."""

    def __init__(self, library: str, extra: str) -> None:
        self.library, self.extra = library, extra
        super().__init__(f"this needs {library}, which is not installed: pip install 'tocsin[{extra}]'")


class TextError(TocsinError):
    """A text that cannot be used, with all its faults in order of position."""

    def __init__(self, faults: Fault | Iterable[Fault]) -> None:
        self.faults: tuple[Fault, ...] = (faults,) if isinstance(faults, Fault) else tuple(faults)
        super().__init__("\n".join(draw(fault) for fault in self.faults))

    def located(self, source: Source) -> TextError:
        """The same error with every fault placed in `source`."""
        return type(self)([source.place(fault) for fault in self.faults])


class RuleError(TextError):
    """A rule, a script or a rules file that cannot be loaded."""


class EventError(TextError):
    """An event that cannot be read: a line of a file or a row of a frame."""


class Source:
    """A text with a name. Turns spans into places; `line` and `column` shift it inside a larger file.

    A rule inside a YAML file is a text of its own that starts somewhere in the file: the shift is what lets its
    faults be shown at the line and column where the user typed them. `indent` shifts every line after the first
    (a YAML block is indented as a whole); `fixed` puts every fault at the start, where a quoted or folded text
    can no longer be followed character by character. `whole` is the file that lines are shown from.
    """

    def __init__(
        self,
        text: str,
        file: str = EXPRESSION,
        line: int = 1,
        column: int = 1,
        indent: int = 0,
        *,
        whole: str | None = None,
        fixed: bool = False,
    ) -> None:
        self.text, self.file = text, file
        self._line, self._column, self._indent, self._fixed = line, column, indent, fixed
        self._whole = whole

    def at(self, span: Span) -> Place:
        """The place where `span` begins."""
        if self._fixed:
            return Place(self.file, self._line, self._column, self._shown(self._line, ""), 1)
        start = max(0, min(span.start, len(self.text)))
        before = self.text[:start]
        row = before.count("\n")
        begin = before.rfind("\n") + 1
        end = self.text.find("\n", start)
        source_line = self.text[begin : len(self.text) if end < 0 else end].rstrip("\r")
        column = start - begin + (self._column if row == 0 else self._indent + 1)
        width = max(1, min(span.stop - span.start, len(source_line) - (start - begin)))
        shifted = " " * (column - 1 - (start - begin)) + source_line
        return Place(self.file, self._line + row, column, self._shown(self._line + row, shifted), width)

    def _shown(self, line: int, otherwise: str) -> str:
        """The line as it stands in the file, if that is known."""
        lines = [] if self._whole is None else self._whole.split("\n")  # only now: a file may hold many texts
        return otherwise if line > len(lines) else lines[line - 1].rstrip("\r")

    def place(self, fault: Fault) -> Fault:
        """`fault` with its place filled in; one that has a place keeps it."""
        if fault.place is not None:
            return fault
        span = fault.span or Span(0, 0)
        return replace(fault, place=(span.source or self).at(span))


def placed(fault: Fault) -> Fault:
    """`fault` with its place filled in, where its span remembers the text."""
    span = fault.span
    return fault if fault.place is not None or span is None or span.source is None else span.source.place(fault)


def draw(fault: Fault) -> str:
    """`FILE:LINE:COLUMN: message`, then the line with a caret and what was expected."""
    label = "" if fault.severity == "error" else f"{fault.severity}: "
    place = fault.place
    lines = [f"{place.file}:{place.line}:{place.column}: {label}{fault.message}" if place else label + fault.message]
    if place is not None and place.source_line.strip():
        shown, column = _excerpt(place.source_line, place.column)
        width = max(1, min(place.width, len(shown) - column + 1))
        padding = "".join("\t" if c == "\t" else " " for c in shown[: column - 1])
        lines += [f"  {shown}", f"  {padding}{'^' * width}"]
    if fault.expected:
        lines.append(f"  expected {fault.expected}")
    if fault.hint:
        lines.append(f"  {fault.hint}")
    return "\n".join(_printable(line) for line in lines)


def nearest(name: str, known: Iterable[str]) -> str:
    """`did you mean 'x'?` for the known name most like `name`, or nothing."""
    found = get_close_matches(name[:200], [k for k in known if len(k) <= 200], n=1, cutoff=0.6)
    return f"did you mean '{found[0]}'?" if found else ""


def choices(words: Sequence[str], conjunction: str = "or") -> str:
    """`a, b or c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {conjunction} {words[-1]}"


def _excerpt(line: str, column: int, width: int = 160) -> tuple[str, int]:
    """A part of a very long line around the column, and the column within it."""
    if len(line) <= width:
        return line, column
    begin = max(0, min(column - 1 - width // 2, len(line) - width))
    return line[begin : begin + width], column - begin


def _printable(line: str) -> str:
    """Control characters and lone surrogates made visible, so that any text can be shown on any terminal."""
    return "".join(
        c if c == "\t" or (c.isprintable() and not "\ud800" <= c <= "\udfff") else "\N{REPLACEMENT CHARACTER}"
        for c in line
    )
