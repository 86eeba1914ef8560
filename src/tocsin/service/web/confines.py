"""How far somebody may go who asks for events: the types that their rules take, and the rules that theirs build on."""

from __future__ import annotations

from tocsin.algebra.links import mentioned
from tocsin.planner.placement import types_of
from tocsin.service.access.permissions import Action
from tocsin.service.access.scopes import ANY
from tocsin.service.requests import Request, refusal
from tocsin.service.web.endpoints import Call, refused


def check_reach(call: Call, action: Action, request: Request) -> None:
    """Refuses a request that takes events, or composites of others' rules, that are out of scope for whoever asks.

    Names of rules that it builds on count as types, too: what a sensor sends under such a name comes to it as well.
    """
    principal, asked = call.principal, call.service.core.asked
    if principal is None or principal.sees_all_owners:
        return
    rules = request.definitions
    types = types_of(rules)
    if types is None and ANY not in principal.scopes.types:
        message = f"it takes events of any type, and '{principal.name}' has a scope of types"
        raise refused(403, "type-out-of-scope", message, "name the types that it takes")
    names = {name for rule in rules for name in mentioned(rule)} | (types or set())
    call.check(action, types=tuple(sorted(names)), owner=request.owner)
    for name in sorted(names):
        for each in asked.holders(name):
            if each.id != request.id and not principal.covers_owner(each.owner):
                message = f"'{name}' is a rule of somebody who is not in the scope of '{principal.name}'"
                raise refused(403, "owner-out-of-scope", message)
    if request.shadows:
        visible(call, request.shadows)


def visible(call: Call, id: str) -> Request:
    """A request that stands, if whoever asks may have to do with it: else it is not there."""
    request = call.service.core.asked.requests.get(id)
    principal = call.principal
    is_hidden = principal is not None and not principal.sees_all_owners
    if request is None or (principal is not None and is_hidden and not principal.covers_owner(request.owner)):
        raise refusal("request-unknown", f"there is no request '{id}'", status=404)
    return request
