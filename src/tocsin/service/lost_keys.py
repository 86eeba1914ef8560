"""A key for a service that nobody has a key of: made in its store, while it does not run.

Whoever may write the store may do everything anyway, so nobody is asked for more.
"""

from __future__ import annotations

import time

from tocsin.errors import UsageError
from tocsin.service.access.keys import Issued, issue
from tocsin.service.access.permissions import Role
from tocsin.service.access.scopes import Scopes
from tocsin.service.records import AuditRecord, Writes
from tocsin.service.store import StoreTaken, open_store


def made_in(place: str, name: str, role: str, *, scopes: Scopes | None = None, days: float | None = None) -> Issued:
    """A new key, which the service will know when it starts."""
    now = time.time_ns() // 1000
    expires = None if days is None else now + round(days * 86_400_000_000)
    issued = issue(name, Role(role), now, scopes=scopes, expires=expires)
    store = open_store(place)
    try:
        store.acquire()
        audit = AuditRecord(now, "", "key.create", issued.record.id, details=f"{name}, made in the store")
        store.commit(Writes(store.latest().serial + 1, keys=[issued.record.to_json()], audit=[audit]))
    except StoreTaken:
        raise UsageError(f"a service runs on {place}: ask it for a key, without --store, or stop it") from None
    finally:
        store.close()
    return issued
