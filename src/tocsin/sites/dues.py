"""What the clock of a site has to show next, because somebody waits for that: then it is to be told the time.

Whoever runs a site looks at its clock now and then anyway. What falls due in between is told as much later.
"""

from __future__ import annotations

from tocsin.sites.site import Site


def due_after(site: Site, now: int) -> int | None:
    """The first time after `now` at which something can go on: a question is answered, a timer of a rule falls due."""
    found = [time + 1 for time in site.links.awaited()]
    found += [until + 1 for _, until in site.blocked.values()]
    found += [due + 1 for host in site.hosts.values() if (due := host.next_due()) is not None]
    return min((each for each in found if each > now), default=None)
