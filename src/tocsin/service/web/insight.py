"""What would be, and why: a request tried out beforehand, the graph that all share, reasons, back-tests, shadows."""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeAlias

import msgspec
from starlette.responses import JSONResponse, Response

from tocsin.service.access.permissions import Action
from tocsin.service.access.scopes import ANY
from tocsin.service.kept import FIRST_LOOK, MOST_ASKED
from tocsin.service.questioner import Questioner, Unanswered
from tocsin.service.replays import MOST_STEPS
from tocsin.service.requests import Request, RequestFault
from tocsin.service.server import Service
from tocsin.service.web.confines import check_reach, visible
from tocsin.service.web.endpoints import Call, Endpoint, RefusedCall, refused
from tocsin.service.web.progress import LINES, Progress
from tocsin.service.web.requests import ONE, checked, defaults_of, document_of, request_of
from tocsin.service.web.requests import create as created
from tocsin.service.web.shapes import Fault, RequestBody, Warned

PATIENCE: Final = 60.0
"""Seconds for a question about what is kept."""


class Why(msgspec.Struct):
    """What is asked: about a detection, or a rule at a time."""

    detection: str | None = None
    rule: str | None = None
    at: str | None = None
    event: str | None = None
    limit: int | None = None


class Backtest(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A request to be run over what is kept; beside a standing one, if `against` says which."""

    request: RequestBody
    from_: str | None = msgspec.field(default=None, name="from")
    to: str | None = None
    against: str | None = None


class Misses(Backtest):
    """A request for whose near misses are looked: in so many events, the latest, and how many misses are told."""

    events: Annotated[int, msgspec.Meta(ge=1, le=MOST_ASKED)] = FIRST_LOOK
    limit: Annotated[int, msgspec.Meta(ge=1, le=100)] = 5


class Mark(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """An event that is kept, as it is known from outside: by what it is, where and when, and its id if it has one."""

    type: str
    time: str
    source: str = ""
    id: str = ""


MarkedGroups: TypeAlias = list[Annotated[list[Mark], msgspec.Meta(min_length=1, max_length=12)]]


class Marked(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """Examples of events that belong together, and of some that do not."""

    together: Annotated[MarkedGroups, msgspec.Meta(min_length=1, max_length=20)]
    apart: Annotated[MarkedGroups, msgspec.Meta(max_length=20)] = []
    from_: str | None = msgspec.field(default=None, name="from")
    to: str | None = None


class ProposedRule(msgspec.Struct):
    """A rule in words, what the examples have in common that led to it, and what it would have fired on."""

    expression: str
    because: list[str]
    found: int
    wrong: int
    detections: int
    is_cut: bool
    times: list[str]


class Proposed(msgspec.Struct):
    """Proposed rules, the best first; how many were tried, on how many events; what was not looked at."""

    proposals: list[ProposedRule]
    tried: int
    events: int
    together: int
    apart: int
    remarks: list[str]


class Draft(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A request under construction; a drawing, if there is one, takes the place of its expression."""

    request: RequestBody
    drawing: Any = None


class Notation(msgspec.Struct, omit_defaults=True):
    """A rule in one language: the keys of its document, or why that language cannot say it."""

    language: str
    document: dict[str, Any] | None = None
    remarks: list[str] = []
    faults: list[Fault] = []


class Composed(msgspec.Struct):
    """A rule as a document, as a drawing, and in every notation."""

    document: dict[str, Any]
    drawing: dict[str, Any]
    notations: list[Notation]
    program: str
    """In Python; nothing, where that cannot say it."""


class Replay(Backtest):
    """A request to be stepped through events: through those given here, or the last ones that are kept."""

    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_STEPS)] = MOST_STEPS
    events: Annotated[list[dict[str, Any]], msgspec.Meta(max_length=MOST_STEPS)] | None = None


class Step(msgspec.Struct, omit_defaults=True):
    """An event, what was detected at it, how much each rule holds after it, and the moment it waits for next."""

    event: dict[str, Any] | None
    detections: list[dict[str, Any]]
    held: dict[str, dict[str, int]]
    due: str = ""


class Holding(msgspec.Struct, omit_defaults=True, rename={"from_": "from"}):
    """Events that a part of a rule holds `from` a step `to` another, and how that ends.

    They are `used` up, have `expired`, are `replaced` by newer ones or `dropped`, as they can lead to nothing.
    """

    rule: str
    part: str
    events: list[str]
    from_: int
    to: int | None = None
    end: str = ""


class Replayed(msgspec.Struct):
    """The steps, and what parts of the rules hold meanwhile; whether there would be more of them."""

    steps: list[Step]
    is_cut: bool
    holdings: list[Holding]
    holdings_are_cut: bool


class Difference(msgspec.Struct):
    """What a shadow and the request that it is tried out beside have found."""

    live: str
    both: int
    live_only: int
    shadow_only: int
    given_up: int


def standing(service: Service) -> dict[str, Any]:
    """The requests that stand, for the process that answers."""
    return {
        "requests": {id: dict(each.document) for id, each in service.core.asked.requests.items() if each.is_enabled},
        "defaults": defaults_of(service),
    }


async def _asked(
    call: Call, question: str, seconds: float, *, of: Questioner | None = None, **given: Any
) -> dict[str, Any]:
    asked = of or call.service.questioner
    try:
        return await asked.ask(question, seconds, **standing(call.service), **given)
    except Unanswered as error:
        raise RefusedCall(error.status, [RequestFault(**fault) for fault in error.faults]) from None


class How(msgspec.Struct):
    """Whether a request is only tried: what it would cost and share, and how much it may find."""

    dry_run: str | None = None


def is_dry(call: Call) -> bool:
    """Whether something is only tried."""
    return call.http.query_params.get("dry_run", "no") not in ("0", "false", "no")


async def create(call: Call) -> Warned | JSONResponse:
    """A new request; with `?dry_run` what it would cost and share, and how much it may find: then nothing is kept."""
    call.query(How)
    if not is_dry(call):
        return await created(call)
    document = await document_of(call)
    await checked(call, document)
    made = call.service.core.asked.made("new", document, _owner(call), call.now)  # as ever, what is wrong is said
    check_reach(call, Action.CREATE_REQUEST, made)
    seconds = call.service.settings.limits.planning / 1e6 + PATIENCE
    return JSONResponse(await _asked(call, "dry_run", seconds, document=document))


def _owner(call: Call) -> str:
    return "" if call.principal is None else call.principal.owner


async def graph(call: Call) -> JSONResponse:
    """The graph that all requests share, with what each part holds."""
    answer = await _asked(call, "graph", PATIENCE)
    return JSONResponse(answer | {"held": call.service.core.stats()})


async def why(call: Call) -> JSONResponse:
    """Why a detection was made, or why a rule made none: what came nearest, and what it failed at."""
    asked = call.query(Why)
    if asked.detection is None and asked.rule is None:
        raise refused(422, "query-invalid", "say which: ?detection=ID, or ?rule=NAME&at=TIME")
    request = await _explained(call, asked)
    call.check(Action.EXPLAIN, owner=None if request is None else request.owner)
    events = [] if asked.event is None else [asked.event]
    given: dict[str, Any] = {
        "rule": asked.rule,
        "detection": asked.detection,
        "at": asked.at,
        "events": events,
        "limit": asked.limit,
    }
    return JSONResponse(await _asked(call, "why", PATIENCE, **given))


async def _explained(call: Call, asked: Why) -> Request | None:
    """The request that is asked about; None where its rule stands no more, which confines nobody but operators."""
    core, principal = call.service.core, call.principal
    is_confined = principal is not None and not principal.sees_all_owners
    wanted, rule = asked.detection, asked.rule
    if wanted is None:
        request = core.asked.requests.get(core.asked.owners.get(rule or "", ""))
        if request is None and is_confined:
            raise refused(422, "question-invalid", f"there is no rule '{(rule or '')[:60]}'")
        return request
    one = await call.service.read(lambda store: store.detection(wanted))
    request = None if one is None else core.asked.requests.get(one.request)
    if one is None or (request is None and is_confined):
        raise refused(404, "detection-unknown", f"there is no detection '{wanted[:60]}'")
    return request


async def _candidate(call: Call, body: Backtest) -> dict[str, Any]:
    """What is asked about a request that is run over events, once it is clear that it may be."""
    document = {key: value for key, value in msgspec.to_builtins(body.request).items() if value is not None}
    before = None if body.against is None else visible(call, body.against)
    await checked(call, document)
    candidate = call.service.core.asked.made("candidate", document, _owner(call), call.now, before)
    check_reach(call, Action.BACKTEST, candidate)
    return {"document": document, "from": body.from_, "to": body.to, "against": body.against or ""}


async def backtest(call: Call) -> Response:
    """What a request would have detected in what is kept. As lines of JSON, also how far it has got."""
    given = await _candidate(call, await call.body(Backtest))
    historian = call.service.historian
    if LINES in call.http.headers.get("accept", ""):
        given |= standing(call.service)
        return Progress(lambda hear: historian.ask("backtest", PATIENCE * 5, hear, **given))
    return JSONResponse(await _asked(call, "backtest", PATIENCE * 5, of=historian, **given))


async def misses(call: Call) -> JSONResponse:
    """What came nearest to a request in what is kept, and what it failed at. Nothing is kept."""
    return await _over_events(call, "misses", await call.body(Misses))


async def replay(call: Call) -> JSONResponse:
    """A request stepped through events one by one. Nothing is kept."""
    return await _over_events(call, "replay", await call.body(Replay))


async def _over_events(call: Call, question: str, body: Misses | Replay) -> JSONResponse:
    given = await _candidate(call, body)
    historian = call.service.historian
    told = await _asked(call, question, PATIENCE, of=historian, **given, events=body.events, limit=body.limit)
    return JSONResponse(told)


async def proposed(call: Call) -> JSONResponse:
    """Rules that find the examples, proposed from them and tried on what is kept. Nothing is kept."""
    body, principal = await call.body(Marked), call.principal
    types = {mark.type for group in (*body.together, *body.apart) for mark in group}
    call.check(Action.BACKTEST, types=tuple(sorted(types)))
    is_confined = principal is not None and not principal.sees_all_owners and ANY not in principal.scopes.types
    given: dict[str, Any] = msgspec.to_builtins(body)
    given |= {"apart": given.get("apart", []), "types": sorted(types) if is_confined else None}
    return JSONResponse(await _asked(call, "proposed", PATIENCE, of=call.service.historian, **given))


async def composed(call: Call) -> JSONResponse:
    """A request under construction as a drawing and in every notation. Nothing is kept."""
    body = await call.body(Draft)
    document = {key: value for key, value in msgspec.to_builtins(body.request).items() if value is not None}
    service = call.service
    seconds = service.settings.limits.planning / 1e6
    given = {"document": document, "drawing": body.drawing, "defaults": defaults_of(service)}
    try:
        return JSONResponse(await service.planner.ask("composed", seconds, **given))
    except Unanswered as error:
        raise RefusedCall(error.status, [RequestFault(**fault) for fault in error.faults]) from None


async def shadow(call: Call) -> Difference:
    """What a shadow has found, beside the request that it is tried out for."""
    request = request_of(call, Action.READ_REQUEST)
    if not request.shadows:
        raise refused(404, "shadow-unknown", f"request '{request.id}' is no shadow: it has no 'shadow'")
    told = call.service.core.shadow(request.id)
    return Difference(request.shadows, told["both"], told["live only"], told["candidate only"], told["given up"])


ENDPOINTS: Final = (
    Endpoint(
        "POST",
        "/v1/requests",
        Action.CREATE_REQUEST,
        create,
        "Ask to be notified",
        Warned,
        RequestBody,
        How,
        201,
        errors=(404,),
        change="request.create",
    ),
    Endpoint("GET", "/v1/graph", Action.READ_GRAPH, graph, "The graph that all requests share", dict[str, Any]),
    Endpoint("GET", "/v1/why", Action.EXPLAIN, why, "Why, or why not", dict[str, Any], query=Why, errors=(404,)),
    Endpoint(
        "POST",
        "/v1/backtest",
        Action.BACKTEST,
        backtest,
        "Run a request over the past",
        dict[str, Any],
        Backtest,
        errors=(404,),
    ),
    Endpoint(
        "POST",
        "/v1/misses",
        Action.BACKTEST,
        misses,
        "What came nearest in the past",
        dict[str, Any],
        Misses,
        errors=(404,),
    ),
    Endpoint(
        "POST",
        "/v1/replay",
        Action.BACKTEST,
        replay,
        "Step a request through events",
        Replayed,
        Replay,
        errors=(404,),
    ),
    Endpoint(
        "POST",
        "/v1/proposals",
        Action.BACKTEST,
        proposed,
        "Propose rules from examples",
        Proposed,
        Marked,
    ),
    Endpoint(
        "POST",
        "/v1/notations",
        Action.CREATE_REQUEST,
        composed,
        "Show a rule as a drawing and in every notation",
        Composed,
        Draft,
    ),
    Endpoint("GET", f"{ONE}/shadow", Action.READ_REQUEST, shadow, "A shadow beside its request", Difference),
)
