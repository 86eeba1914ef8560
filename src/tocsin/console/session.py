"""A session at the console: what comes of each line. Where lines come from and where they go is others' business."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from tocsin.console.feeds import Feed
from tocsin.console.partner import Partner
from tocsin.console.words import help_lines
from tocsin.errors import Fault, RuleError, Source, Span, TextError, TocsinError, UsageError
from tocsin.events import Detection
from tocsin.formats.writers import detection_line
from tocsin.monitor.texts import firing_line, report, time_text
from tocsin.time.calendar import parse_time_point
from tocsin.time.spans import parse_period

Say = Callable[[str], None]

_BRACKETS: Final = re.compile(r"\[([^\]]*)\]\s*\Z")


class Console:
    """One person's talk with a monitor.

    `show` is given firings and `say` everything else, a line or a few at a time. `feed` are the events of a file that
    are taken when they are asked for.
    """

    def __init__(
        self, monitor: Partner, show: Say, say: Say, *, as_json: bool = False, feed: Feed | None = None
    ) -> None:
        self.monitor, self._show, self._say = monitor, show, say
        self._as_json, self._feed = as_json, feed
        self.refused = 0
        """Lines that could not be done."""
        self._words: dict[str, Callable[[str], bool]] = {
            "show": self._report,
            "advance": self._advance,
            "next": self._next,
            "help": self._help,
            "quit": self._quit,
        }
        monitor.listeners.append(self._fired)
        monitor.warned.append(lambda text: say(f"warning: {text}"))

    def _fired(self, one: Detection) -> None:
        if self._as_json:
            self._show(detection_line(one, self.monitor.style))
        else:
            self._show(f">> {firing_line(one, self.monitor.declared, self.monitor.style)}")

    def enter(self, text: str) -> bool:
        """Does what was typed. Whether the session goes on: a line that is refused does not end it."""
        try:
            return self._do(text.strip())
        except TextError as error:
            self.refused += 1
            self._say(str(error))
            return True
        except TocsinError as error:
            self.refused += 1
            self._say(f"tocsin: {error}")
            return not self.monitor.has_stopped

    def _do(self, text: str) -> bool:
        if text.startswith("{"):
            self.monitor.line(text)
            return True
        word, _, rest = text.partition(" ")
        own = self._words.get(word)
        if own is not None and (word not in self.monitor.declared or (rest and rest.lstrip()[0] not in '"[(')):
            return own(rest.strip())
        reply = self.monitor.command(text)
        for remark in reply.remarks:
            self._say(remark)
        return not self.monitor.has_stopped

    # -- words of the console ----------------------------------------------------------------------------------------

    def _report(self, asked: str) -> bool:
        topic, _, name = asked.partition(" ")
        for line in report(self.monitor, topic or "rules", name.strip().strip('"')):
            self._say(line)
        return True

    def _advance(self, asked: str) -> bool:
        monitor = self.monitor
        if monitor.clock is not None:
            raise UsageError("this clock goes by itself: 'advance' is for --speed virtual and fast")
        found = _BRACKETS.search(asked)
        if found is None:
            raise UsageError("advance by a period or to a time: advance [5*sec], advance to [10:30 27/6/95]")
        text = f"advance {asked}"
        shift = len(text) - len(asked) + found.start(1)
        try:
            if asked.startswith("to"):
                point = parse_time_point(found[1])
                if not point.exact:
                    raise UsageError("a partial time point is not one time: name the day, the month and the year")
                to = point.instant()
            elif monitor.now is None:
                raise UsageError("the clock has not started yet: advance to [10:30 27/6/95]")
            else:
                to = parse_period(found[1]).added_to(monitor.now)
        except RuleError as error:
            faults = [_moved(fault, shift) for fault in error.faults]
            raise RuleError(faults).located(Source(text, "<console>")) from None
        monitor.advance(to)
        self._say(f"it is {time_text(max(to, monitor.now or to), monitor.style)}")
        return True

    def _next(self, asked: str) -> bool:
        if self._feed is None:
            raise UsageError("there is no file to take events from: --events FILE --speed virtual")
        if asked and asked != "all" and not (asked.isascii() and asked.isdigit()):
            raise UsageError(f"'{asked}' is no number of events: next, next 5 or next all")
        most = None if asked == "all" else int(asked or 1)
        taken = self._feed.some(most)
        if taken == 0 or most is None or taken < most:
            self._say(f"{taken} event{'s' * (taken != 1)} taken; that was the last")
        return True

    def _help(self, asked: str) -> bool:
        for line in help_lines():
            self._say(line)
        return True

    def _quit(self, asked: str) -> bool:
        return False


def _moved(fault: Fault, shift: int) -> Fault:
    span = fault.span or Span(0, 0)
    return Fault(fault.message, Span(span.start + shift, span.stop + shift), fault.expected, fault.hint)
