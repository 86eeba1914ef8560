"""A console without a terminal: lines in, lines out."""

from __future__ import annotations

from tocsin.console.feeds import Feed
from tocsin.console.session import Console
from tocsin.monitor.monitor import Monitor
from tocsin.time.clocks import Clock

SCRIPT = """\
event ping(long n)
event pair(long a, long b)
rule pairs [1*min] { x:ping ; y:ping ==> notify pair(x.n, y.n) }
"""


class Talk:
    """A talk with a monitor that has read a script: `talk(line)` is what is said about it, line by line."""

    def __init__(self, script: str = "", clock: Clock | None = None, events: str | None = None) -> None:
        self.said: list[str] = []
        self.monitor = Monitor(clock=clock)
        self._feed = None if events is None else Feed([events], self.monitor, self.said.append)
        self.console = Console(self.monitor, self.said.append, self.said.append, feed=self._feed)
        self.monitor.command(script)
        self.goes_on = True
        self.heard()

    def __call__(self, line: str) -> list[str]:
        self.goes_on = self.console.enter(line)
        return self.heard()

    def heard(self) -> list[str]:
        """What was said since the last call."""
        said = "\n".join(self.said).split("\n") if self.said else []
        self.said.clear()
        return said

    def close(self) -> None:
        """Closes the file of events, if there is one."""
        if self._feed is not None:
            self._feed.close()
