"""The public keys of an identity provider: fetched when they are first needed, kept, and fetched again now and then.

A token with an unknown key asks for a new fetch, but not more often than the settings say: whoever makes tokens up
cannot make the service call the provider at will.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tocsin.errors import MissingDependency, UsageError
from tocsin.service.access.keys import digest_of
from tocsin.service.access.oidc import LONGEST, read_keys, verify
from tocsin.service.access.permissions import Principal
from tocsin.service.access.provider import Provider
from tocsin.service.access.refusals import Refusal
from tocsin.time.spans import DAY, MINUTE

if TYPE_CHECKING:
    from joserfc.jwk import Key

MOST_BYTES: Final = 1_000_000
SECONDS: Final = 10.0
"""How long the provider may take to answer."""
STALE: Final = DAY
"""How long keys are used whose provider cannot be reached: it may be down, and its keys are changed rarely."""
BELIEVED: Final = MINUTE
"""How long a token that was checked is not checked again."""
MOST_BELIEVED: Final = 10_000


class KeySets:
    """The keys of one provider. `tell` hears, in a sentence, why a fetch failed."""

    def __init__(self, provider: Provider, tell: Callable[[str], None] = lambda _: None) -> None:
        self._provider, self._tell = provider, tell
        self._keys: tuple[Key, ...] = ()
        self._fetched: int | None = None
        self._tried: int | None = None
        self._asking: asyncio.Future[None] | None = None
        self.fetches = 0
        """How often the provider was asked."""

    async def current(self, now: int) -> tuple[Key, ...]:
        """The keys as they are known; fetched if that was never done or is long ago. None at all if that failed."""
        if self._fetched is None or not 0 <= now - self._fetched < self._provider.keys_kept:
            await self._fetch(now)
        return self._usable(now)

    async def renewed(self, now: int) -> tuple[Key, ...] | None:
        """The keys fetched anew, because one is unknown; None if that must not be done again yet."""
        return self._usable(now) if await self._fetch(now) else None

    def _usable(self, now: int) -> tuple[Key, ...]:
        return self._keys if self._fetched is not None and now - self._fetched < STALE else ()

    async def _fetch(self, now: int) -> bool:
        """Asks the provider, unless that was done a moment ago; those who come meanwhile wait for that one answer."""
        if self._asking is None:
            if self._tried is not None and 0 <= now - self._tried < self._provider.keys_pause:
                return False
            self._tried, self.fetches = now, self.fetches + 1
            self._asking = asyncio.ensure_future(self._ask(now))
        # Shielded: a client that goes away must not take the answer from all others.
        await asyncio.shield(self._asking)
        return True

    async def _ask(self, now: int) -> None:
        try:
            self._keys = read_keys(await self._answer())
            self._fetched = now
        except UsageError as error:
            self._tell(f"the keys of {self._provider.issuer} could not be had from {self._provider.keys}: {error}")
        finally:
            self._asking = None

    async def _answer(self) -> bytes:
        """What stands at the address, or in the file."""
        if self._provider.has_key_file:
            try:
                return await asyncio.to_thread(Path(self._provider.keys).read_bytes)
            except OSError as error:
                raise UsageError(str(error.strerror)) from None
        try:
            import aiohttp
        except ImportError:
            raise MissingDependency("aiohttp", "service") from None
        limit = aiohttp.ClientTimeout(total=SECONDS)
        try:
            async with (
                aiohttp.ClientSession(timeout=limit) as session,
                session.get(self._provider.keys, allow_redirects=False) as response,
            ):
                if response.status != 200:
                    raise UsageError(f"it answers {response.status}")
                return await _body(response.content)
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            raise UsageError(f"{type(error).__name__}: {error}") from None


async def _body(content: object) -> bytes:
    """All of an answer, unless it is too long."""
    told = bytearray()
    async for piece in content.iter_any():  # type: ignore[attr-defined]  # aiohttp is there only with the extra
        told += piece
        if len(told) > MOST_BYTES:
            raise UsageError(f"its answer has more than {MOST_BYTES:,} bytes")
    return bytes(told)


class Tokens:
    """Bearer tokens of one provider: whom each stands for. What was checked is believed for a minute."""

    def __init__(self, provider: Provider, tell: Callable[[str], None] = lambda _: None) -> None:
        self._provider = provider
        self.key_sets = KeySets(provider, tell)
        self._believed: OrderedDict[bytes, tuple[Principal, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._believed)

    def believed(self, token: str, now: int) -> Principal | None:
        """Whom a token stands for that was checked a moment ago."""
        found = self._believed.get(digest_of(token))
        return found[0] if found is not None and now < found[1] else None

    async def principal(self, token: str, now: int) -> Principal | Refusal:
        """Whom a token stands for."""
        if len(token) > LONGEST:
            return Refusal("token-malformed", f"a token has at most {LONGEST:,} characters")
        believed = self.believed(token, now)
        if believed is not None:
            return believed
        keys = await self.key_sets.current(now)
        if not keys:
            return self._unreachable()
        found = verify(self._provider, keys, token, now)
        if isinstance(found, Refusal) and found.code == "token-unknown-key":
            newer = await self.key_sets.renewed(now)
            found = verify(self._provider, newer, token, now) if newer else found
        if isinstance(found, Refusal):
            return found
        self._believe(token, found[0], min(found[1], now + BELIEVED))
        return found[0]

    def _unreachable(self) -> Refusal:
        issuer = self._provider.issuer
        message = f"tokens cannot be checked: the keys of {issuer} cannot be had"
        return Refusal("identity-provider-unreachable", message, wait=self._provider.keys_pause)

    def _believe(self, token: str, principal: Principal, until: int) -> None:
        self._believed[digest_of(token)] = (principal, until)
        if len(self._believed) > MOST_BELIEVED:
            self._believed.popitem(last=False)
