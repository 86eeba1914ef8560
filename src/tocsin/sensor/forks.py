"""Sensors across `fork`: the child goes on with what is its own, and touches nothing that is its parent's.

Threads do not outlive a fork, and a lock that one of them held would be held for ever. So each sensor's lock is taken
before, let go in the parent, and made anew in the child, whose sensor begins again: see `Sensor.begin_in_child`.
"""

from __future__ import annotations

import os
from typing import Protocol
from weakref import WeakSet


class Forked(Protocol):
    """What has to know of a fork."""

    def before_fork(self) -> None: ...

    def after_fork_in_parent(self) -> None: ...

    def begin_in_child(self) -> None: ...


_ALL: WeakSet[Forked] = WeakSet()
_STOPPED: list[Forked] = []
"""Those whose locks are held while a fork is being made."""


def watch_forks(one: Forked) -> None:
    """Tells it of every fork from now on."""
    _ALL.add(one)


def _before() -> None:
    _STOPPED[:] = list(_ALL)
    for each in _STOPPED:
        each.before_fork()


def _in_parent() -> None:
    while _STOPPED:
        _STOPPED.pop().after_fork_in_parent()


def _in_child() -> None:
    while _STOPPED:
        _STOPPED.pop().begin_in_child()


os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)
