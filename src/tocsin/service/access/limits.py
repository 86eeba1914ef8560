"""How often somebody may ask: token buckets for who is known, and a growing pause for who guesses.

Nothing here reads a clock: `now` is in microseconds, of a clock that should not go back; nothing is gained where it
does.
"""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, Final

from tocsin.errors import UsageError
from tocsin.service.access.refusals import Refusal
from tocsin.service.setting_kinds import SPAN, count, setting
from tocsin.time.spans import MINUTE, SECOND

NEVER: Final = -1
MOST_RATE: Final = 10**9 - 1
_RATE: Final = count(1, MOST_RATE)


@dataclass(frozen=True)
class Rates:
    """How much a second, and how much at once."""

    requests: int = setting(_RATE, 5_000, "requests a second")
    requests_at_once: int = setting(_RATE, 10_000, "requests at once")
    events: int = setting(_RATE, 500_000, "events a second")
    events_at_once: int = setting(_RATE, 1_000_000, "events at once: no batch can be larger")

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_RATE:
                raise UsageError(f"a rate has {name} from 1 to {MOST_RATE:,}, not {value!r}")

    def to_json(self) -> dict[str, int]:
        return asdict(self)

    @classmethod
    def of_json(cls, told: Mapping[str, Any]) -> Rates:
        """What `to_json` wrote."""
        return cls(**told)


class Bucket:
    """Lets through `rate` a second in the long run, and `burst` at once: in whole numbers, so that nothing adds up.

    In any stretch of `t` seconds it lets through at most `rate * t + burst`.
    """

    __slots__ = ("_level", "_since", "burst", "rate")

    def __init__(self, rate: int, burst: int, now: int) -> None:
        self.rate, self.burst = rate, burst
        self._level = burst * SECOND  # in millionths, which is what a microsecond brings at a rate of 1
        self._since = now

    def take(self, count: int, now: int) -> int:
        """0 if `count` more may pass, which they then did; else for how many microseconds they may not, or `NEVER`."""
        if count > self.burst:
            return NEVER
        self._fill(now)
        lacking = count * SECOND - self._level
        if lacking > 0:
            return -(-lacking // self.rate)
        self._level -= count * SECOND
        return 0

    def give_back(self, count: int) -> None:
        """What was taken and not used."""
        self._level = min(self.burst * SECOND, self._level + count * SECOND)

    def is_full(self, now: int) -> bool:
        """Whether it is as good as new."""
        self._fill(now)
        return self._level == self.burst * SECOND

    def _fill(self, now: int) -> None:
        # A clock that was put back brings nothing, and does not stop the bucket until it has caught up.
        self._level = min(self.burst * SECOND, self._level + max(0, now - self._since) * self.rate)
        self._since = now


class RateLimiter:
    """A pair of buckets for everybody who is known, in bounded memory."""

    def __init__(self, otherwise: Rates, most: int = 100_000) -> None:
        self._otherwise, self._most = otherwise, most
        self._buckets: OrderedDict[str, tuple[Rates, Bucket, Bucket]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def request(self, identity: str, rates: Rates | None, now: int) -> Refusal | None:
        """None if one more request may come now."""
        found = self._of(identity, rates, now)
        wait = found[1].take(1, now)
        if wait == 0:
            return None
        limit = found[0].requests
        return Refusal("too-many-requests", f"more than {limit:,} requests a second", wait=wait)

    def events(self, identity: str, rates: Rates | None, count: int, now: int) -> Refusal | None:
        """None if so many more events may come now."""
        found = self._of(identity, rates, now)
        wait = found[2].take(count, now)
        if wait == 0:
            return None
        limits = found[0]
        if wait == NEVER:
            most = f"at most {limits.events_at_once:,} may come at once"
            return Refusal("batch-above-rate", f"{count:,} events at once: {most}", "send smaller batches")
        return Refusal("too-many-events", f"more than {limits.events:,} events a second", wait=wait)

    def _of(self, identity: str, rates: Rates | None, now: int) -> tuple[Rates, Bucket, Bucket]:
        wanted = rates or self._otherwise
        found = self._buckets.get(identity)
        if found is None or (found[0] is not wanted and found[0] != wanted):
            found = (
                wanted,
                Bucket(wanted.requests, wanted.requests_at_once, now),
                Bucket(wanted.events, wanted.events_at_once, now),
            )
            self._buckets[identity] = found
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(identity)
        return found


@dataclass
class _Failures:
    count: int
    last: int
    until: int


@dataclass(frozen=True)
class Guessing:
    """How attempts to get in are slowed, for each address that they come from."""

    free: int = setting(count(0, 1_000_000), 10, "failures that cost nothing: people mistype")
    pause: int = setting(
        SPAN, SECOND, "how long the next failure shuts its address out; each further one twice as long"
    )
    longest: int = setting(SPAN, 5 * MINUTE, "how long an address is shut out, at most")
    forgotten: int = setting(SPAN, 15 * MINUTE, "how long without a failure makes an address as good as any other")
    most: int = setting(count(1, 1_000_000), 10_000, "addresses that are remembered; the one longest ago goes first")


class GuessLimiter:
    """Slows those who guess, by address, in bounded memory. An IPv6 network of /64 counts as one address.

    A credential that has been let in from an address goes on being let in from there: whoever shares the address with
    somebody who guesses (behind a proxy, in an office) is not shut out by that.
    """

    def __init__(self, guessing: Guessing) -> None:
        self._guessing = guessing
        self._failures: OrderedDict[str, _Failures] = OrderedDict()
        self._welcome: OrderedDict[tuple[str, bytes], None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._failures) + len(self._welcome)

    def check(self, address: str, credential: bytes, now: int) -> Refusal | None:
        """None if an attempt may be looked at; `credential` is the hash of what came."""
        if not self._failures:
            return None
        where = network_of(address)
        found = self._failures.get(where)
        if found is None or now >= found.until or now < found.last:
            return None
        if (where, credential) in self._welcome:
            return None
        return Refusal("too-many-failures", "too many attempts to get in from this address", wait=found.until - now)

    def failed(self, address: str, now: int) -> None:
        """Notes that an attempt was in vain."""
        where, guessing = network_of(address), self._guessing
        found = self._failures.get(where)
        if found is None or not 0 <= now - found.last < guessing.forgotten:
            found = self._failures[where] = _Failures(0, now, now)
        found.count, found.last = found.count + 1, now
        beyond = found.count - guessing.free
        if beyond > 0:
            found.until = now + min(guessing.longest, guessing.pause << min(beyond - 1, 40))
        self._failures.move_to_end(where)
        if len(self._failures) > guessing.most:
            self._failures.popitem(last=False)

    def succeeded(self, address: str, credential: bytes) -> None:
        """Notes that a credential was let in. The failures stay: who has one key may still guess others."""
        known = (network_of(address), credential)
        if known in self._welcome:
            self._welcome.move_to_end(known)
            return
        self._welcome[known] = None
        if len(self._welcome) > self._guessing.most:
            self._welcome.popitem(last=False)


def network_of(address: str) -> str:
    """What counts as one address: that of IPv4 itself, /64 of IPv6; any other text is one of its own."""
    if ":" not in address or len(address) > 100:
        return address[:100]
    return _network_of_six(address)


@lru_cache(4096)
def _network_of_six(address: str) -> str:
    try:
        found = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return address[:100]
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((found, 64), strict=False).network_address)
