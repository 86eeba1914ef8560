"""Transaction events (002 section 3): begin, commit and rollback of SQLAlchemy's engines and sessions.

    sensor.transactions(engine)            transaction_begin, transaction_commit, transaction_rollback

Events of one transaction have the same `transaction`. Of a session (or a `sessionmaker`) a commit is reported when it
is done; of an engine when it is asked for, for SQLAlchemy says no more: if it fails, transaction_rollback follows, with
`failed`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tocsin.errors import UsageError

_OPEN: Final = "tocsin_open_transaction"
_ASKED: Final = "tocsin_commit_asked"
"""Where the name of a transaction is kept, in what SQLAlchemy lets its users keep with a connection or a session."""

Note = Callable[[str, Mapping[str, object]], object]


def observe_transactions(target: Any, name: str, note: Note, new_id: Callable[[], str]) -> None:
    """Reports the transactions of an engine, a session, or all sessions that a `sessionmaker` makes."""
    try:
        from sqlalchemy import event  # here, for it is optional
        from sqlalchemy.engine import Engine
        from sqlalchemy.orm import Session, sessionmaker
    except ImportError:
        raise UsageError(
            "transactions are those of SQLAlchemy, which is not installed: pip install sqlalchemy"
        ) from None
    told = _Transactions(name, note, new_id)
    if isinstance(target, Engine):
        event.listen(target, "begin", lambda connection: told.begun(connection.info))
        event.listen(target, "commit", lambda connection: told.commit_asked(connection.info))
        event.listen(target, "rollback", lambda connection: told.ended(connection.info, "rollback"))
        event.listen(target, "handle_error", told.failed)
    elif isinstance(target, Session | sessionmaker) or (isinstance(target, type) and issubclass(target, Session)):
        event.listen(target, "after_begin", lambda session, _, __: told.begun(session.info))
        event.listen(target, "after_commit", told.session_committed)
        event.listen(target, "after_transaction_end", told.session_ended)
    else:
        raise UsageError(
            f"{target!r} has no transactions: expected an Engine, a Session or a sessionmaker of SQLAlchemy"
        )


class _Transactions:
    """What SQLAlchemy tells, as events. A savepoint is a part of its transaction, and reported by nobody."""

    def __init__(self, name: str, note: Note, new_id: Callable[[], str]) -> None:
        self._name, self._note, self._new_id = name, note, new_id

    def begun(self, info: dict[Any, Any]) -> None:
        info.pop(_ASKED, None)
        if _OPEN not in info:  # a session begins on each of its connections, and again at each savepoint
            info[_OPEN] = self._new_id()
            self._note(f"{self._name}_begin", {"transaction": info[_OPEN]})

    def commit_asked(self, info: dict[Any, Any]) -> None:
        if _OPEN in info:
            info[_ASKED] = info[_OPEN]
            self.ended(info, "commit")

    def ended(self, info: dict[Any, Any], how: str) -> None:
        transaction = info.pop(_OPEN, None)
        if transaction is not None:
            self._note(f"{self._name}_{how}", {"transaction": transaction})

    def failed(self, context: Any) -> None:
        """Something failed on an engine: without a statement, and after a commit was asked for, it was the commit."""
        if context.statement is None and context.connection is not None:
            transaction = context.connection.info.pop(_ASKED, None)
            if transaction is not None:
                self._note(f"{self._name}_rollback", {"transaction": transaction, "failed": True})

    def session_committed(self, session: Any) -> None:
        if not session.in_nested_transaction():
            self.ended(session.info, "commit")

    def session_ended(self, session: Any, transaction: Any) -> None:
        """The outermost transaction is over; what was not committed was rolled back, asked for or not."""
        if transaction.parent is None:
            self.ended(session.info, "rollback")
