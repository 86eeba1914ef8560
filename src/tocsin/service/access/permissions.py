"""Roles, the table of actions, and the one question: may this principal do that?

`TABLE` is the only place where an action, its roles and its scope stand; `docs/serve-access.md` has the same table.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tocsin.errors import choices
from tocsin.service.access.limits import Rates
from tocsin.service.access.refusals import Refusal
from tocsin.service.access.scopes import Scopes


class Role(StrEnum):
    """What somebody is to the service."""

    SENSOR = "sensor"
    """Sends events."""
    SUBSCRIBER = "subscriber"
    """Asks to be notified, and hears of what was asked for."""
    OPERATOR = "operator"
    """Runs the service: everything."""


class Scope(StrEnum):
    """What an action is confined by."""

    NONE = ""
    TYPES = "types"
    OWNER = "owner"
    BOTH = "types and owner"


class Action(StrEnum):
    """What can be done at the service."""

    SEND_EVENTS = "events:send"
    READ_TIME = "time:read"
    READ_SELF = "self:read"
    READ_TYPES = "types:read"
    DECLARE_TYPES = "types:declare"
    READ_EVENTS = "events:read"
    CREATE_REQUEST = "requests:create"
    READ_REQUEST = "requests:read"
    CHANGE_REQUEST = "requests:change"
    READ_DETECTIONS = "detections:read"
    STREAM = "detections:stream"
    EXPLAIN = "detections:explain"
    BACKTEST = "requests:backtest"
    READ_DELIVERIES = "deliveries:read"
    REDRIVE = "deliveries:redrive"
    READ_GRAPH = "graph:read"
    READ_SITES = "sites:read"
    COMMAND = "monitor:command"
    READ_CHANGES = "changes:read"
    READ_AUDIT = "audit:read"
    MANAGE_KEYS = "keys:manage"
    READ_STATUS = "service:status"
    BACK_UP = "service:backup"


@dataclass(frozen=True)
class Permission:
    """An action: who may do it, what confines them, and what it is."""

    action: Action
    roles: frozenset[Role]
    scope: Scope
    meaning: str


def _row(action: Action, roles: str, scope: Scope, meaning: str) -> Permission:
    return Permission(action, frozenset(Role(role) for role in roles.split()) | {Role.OPERATOR}, scope, meaning)


TABLE: Final[tuple[Permission, ...]] = (
    _row(Action.SEND_EVENTS, "sensor", Scope.TYPES, "send events and heartbeats"),
    _row(Action.READ_TIME, "sensor subscriber", Scope.NONE, "read the service's clock"),
    _row(Action.READ_SELF, "sensor subscriber", Scope.NONE, "read which role and scope one's own key has"),
    _row(Action.READ_TYPES, "sensor subscriber", Scope.TYPES, "read declarations of event types"),
    _row(Action.DECLARE_TYPES, "", Scope.TYPES, "declare event types, change and remove declarations"),
    _row(Action.READ_EVENTS, "subscriber", Scope.TYPES, "read the events that are kept"),
    _row(Action.CREATE_REQUEST, "subscriber", Scope.BOTH, "create a request, also as a dry run or a shadow"),
    _row(Action.READ_REQUEST, "subscriber", Scope.OWNER, "read and list requests"),
    _row(Action.CHANGE_REQUEST, "subscriber", Scope.BOTH, "change, cancel, enable and disable a request"),
    _row(Action.READ_DETECTIONS, "subscriber", Scope.OWNER, "read the detections of a request"),
    _row(Action.STREAM, "subscriber", Scope.OWNER, "follow the detections of a request as they come"),
    _row(Action.EXPLAIN, "subscriber", Scope.OWNER, "ask why a request fired or did not"),
    _row(Action.BACKTEST, "subscriber", Scope.BOTH, "try a request on the events that are kept"),
    _row(Action.READ_DELIVERIES, "subscriber", Scope.OWNER, "read how far the notifications of a request got"),
    _row(Action.REDRIVE, "subscriber", Scope.OWNER, "send dead letters of a request again"),
    _row(Action.READ_GRAPH, "", Scope.NONE, "read the graph that all requests share"),
    _row(Action.READ_SITES, "", Scope.NONE, "read the map of sites, follow a detection over them"),
    _row(Action.COMMAND, "", Scope.NONE, "give commands to the GEM monitor, load scripts"),
    _row(Action.READ_CHANGES, "subscriber", Scope.OWNER, "read the changes of a request"),
    _row(Action.READ_AUDIT, "", Scope.NONE, "read the audit log"),
    _row(Action.MANAGE_KEYS, "", Scope.NONE, "create, list, rotate and revoke keys"),
    _row(Action.READ_STATUS, "", Scope.NONE, "read the service's state and its metrics"),
    _row(Action.BACK_UP, "", Scope.NONE, "back the store up, take a snapshot"),
)
"""Every action once."""

PERMISSIONS: Final = {each.action: each for each in TABLE}


@dataclass(frozen=True)
class Principal:
    """Somebody whom the service knows: by a key, or by a token of an identity provider."""

    id: str
    """Stays when a key is rotated: rates go by it."""
    name: str
    role: Role
    scopes: Scopes
    owner: str
    """To whom the requests belong that it creates; always in its own scope."""
    credential: str = ""
    """Which key it came with, or `oidc`; for the audit log."""
    rates: Rates | None = None
    """None: those that the settings give to everybody."""
    until: int | None = None
    """When the token ends that it came with; of a key the ring knows that."""

    def covers_type(self, event_type: str) -> bool:
        """Whether it may have to do with events of a type."""
        return self.sees_all_owners or self.scopes.covers_type(event_type)

    def covers_owner(self, owner: str) -> bool:
        """Whether it may have to do with what belongs to an owner."""
        return owner == self.owner or self.scopes.covers_owner(owner)

    @property
    def sees_all_owners(self) -> bool:
        """Whether nothing needs to be filtered out of a list for it."""
        return self.role is Role.OPERATOR


def allows(
    principal: Principal, action: Action, *, types: Iterable[str] = (), owner: str | None = None
) -> Refusal | None:
    """None if the principal may do it; why not, otherwise.

    `types` are the event types it is about, `owner` whose request; of both, only what confines the action counts.
    Nothing confines an operator.
    """
    permission = PERMISSIONS[action]
    if principal.role not in permission.roles:
        allowed = choices([role.value for role in Role if role in permission.roles])
        return Refusal(
            "role-not-permitted",
            f"the role '{principal.role}' may not {permission.meaning}: that takes the role {allowed}",
        )
    if principal.role is Role.OPERATOR:
        return None
    if permission.scope in (Scope.TYPES, Scope.BOTH):
        outside = principal.scopes.outside(types)
        if outside is not None:
            return Refusal(
                "type-out-of-scope",
                f"the event type '{_short(outside)}' is not in the scope of '{principal.name}': "
                f"{choices(principal.scopes.types[:10]) or 'no type'}",
            )
    if permission.scope in (Scope.OWNER, Scope.BOTH) and owner is not None and not principal.covers_owner(owner):
        return Refusal(
            "owner-out-of-scope",
            f"what belongs to '{_short(owner)}' is not in the scope of '{principal.name}': "
            f"{choices((principal.owner, *principal.scopes.owners)[:10])}",
        )
    return None


def _short(name: str) -> str:
    return name if len(name) <= 100 else f"{name[:100]}..."
