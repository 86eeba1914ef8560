"""`tocsin service`: a service that runs, from the command line: its state, its requests, whom it told, its keys."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tocsin.errors import UsageError
from tocsin.service.client import Client

EXAMPLES = """\
examples:
  export TOCSIN_URL=http://127.0.0.1:8750 TOCSIN_KEY=tk_...
  tocsin service status
  tocsin service requests                         all requests; with a name or an id, one of them
  tocsin service events --type failed --limit 20
  tocsin service detections --rule brute --newest
  tocsin service notifications brute --state dead
  tocsin service redrive brute                    sends its dead letters again
  tocsin service keys                             lists them; 'keys new NAME --role sensor' makes one
  tocsin service keys new me --role operator --store tocsin-data/tocsin.db      while no service runs on it
  tocsin service backup copy.db
  tocsin service restore copy.db --store tocsin-data/tocsin.db      while no service runs on it
"""

Show = Callable[[Any], Iterable[str]]
STATES: Final = ("pending", "delivered", "dead", "cancelled")
ROLES: Final = ("sensor", "subscriber", "operator")
_WIDEST: Final = 60
MOST_AT_ONCE: Final = 1000
"""Events or detections of one page."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `service`."""
    parser.add_argument(
        "what",
        choices=(
            "status", "requests", "events", "detections", "notifications", "redrive", "refused", "audit", "keys",
            "backup", "restore",
        ),
        help="what is asked for, or done",
    )  # fmt: skip
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="a request, a file, or 'new NAME', 'rotate ID', 'revoke ID'"
    )
    parser.add_argument("--url", metavar="URL", help="where the service is (TOCSIN_URL, or http://127.0.0.1:8750)")
    parser.add_argument("--json", action="store_true", help="write what the service answers")
    parser.add_argument("--type", help="events or detections of this type")
    parser.add_argument("--source", help="events of this source")
    parser.add_argument("--rule", help="detections of this rule")
    parser.add_argument("--from", dest="since", metavar="TIME", help="from this time on")
    parser.add_argument("--to", metavar="TIME", help="up to this time")
    parser.add_argument("--limit", type=int, default=100, help="how many, at most (100)")
    parser.add_argument("--newest", action="store_true", help="the newest first")
    parser.add_argument("--state", choices=STATES, help="notifications that are in this state")
    parser.add_argument("--role", default="subscriber", choices=ROLES, help="the role of a new key (subscriber)")
    parser.add_argument(
        "--types", action="append", default=[], help="event types in a new key's scope, with * patterns"
    )
    parser.add_argument("--owners", action="append", default=[], help="owners in a new key's scope")
    parser.add_argument("--days", type=float, help="for how many days a new key is valid")
    parser.add_argument(
        "--rates", metavar="NAME=N,...", help="a new key's rates: requests, requests_at_once, events, events_at_once"
    )
    parser.add_argument(
        "--store",
        metavar="PATH",
        help="restore: where the service's data are to be; keys new: where they are, while no service runs",
    )


def run(options: argparse.Namespace) -> int:
    """Asks the service, and shows what it answers."""
    if options.what == "restore":
        return _restore(options)
    if options.what == "keys" and options.store is not None:
        return _key_in_the_store(options)
    client = Client(options.url)
    answer, show = _ASKED[options.what](client, options)
    if options.json:
        json.dump(answer, sys.stdout, indent=2, ensure_ascii=False)
        print()
    else:
        for line in show(answer):
            print(line)
    return 0


def _status(client: Client, options: argparse.Namespace) -> tuple[Any, Show]:
    return client.call("GET", "/v1/status"), _pairs


def _requests(client: Client, options: argparse.Namespace) -> tuple[Any, Show]:
    if options.names:
        return client.call("GET", f"/v1/requests/{_id_of(client, options.names[0])}"), _pairs
    answer = client.call("GET", "/v1/requests")["requests"]
    return answer, _table("id", "name", "owner", "version", "enabled", "detections", "changed")


def _events(client: Client, options: argparse.Namespace) -> tuple[Any, Show]:
    return _page(client, options, "/v1/events"), _objects


def _detections(client: Client, options: argparse.Namespace) -> tuple[Any, Show]:
    return _page(client, options, "/v1/detections"), _table("number", "time", "rule", "events", "notification")


def _page(client: Client, options: argparse.Namespace, path: str) -> list[Any]:
    """As many as are asked for. The service looks into so much of its history at a time, and says where it stopped."""
    query = {name: getattr(options, name) for name in ("type", "source", "rule", "to")}
    query |= {"from": options.since, "newest": "true" if options.newest else None}
    items, after = list[Any](), ""
    while True:
        limit = min(options.limit - len(items), MOST_AT_ONCE)
        page = client.call("GET", path, **query, limit=limit, after=after or None)
        items += page["items"]
        after = page.get("next") or ""
        if not after or len(items) >= options.limit:
            return items


def _notifications(client: Client, options: argparse.Namespace) -> tuple[Any, Show]:
    id = _id_of(client, _one_name(options))
    answer = client.call("GET", f"/v1/requests/{id}/deliveries", state=options.state, limit=options.limit)
    return answer, _deliveries


def _redrive(client: Client, options: argparse.Namespace) -> tuple[Any, Show]:
    return client.call("POST", f"/v1/requests/{_id_of(client, _one_name(options))}/redrive", {}), _pairs


def _refused(client: Client, options: argparse.Namespace) -> tuple[Any, Show]:
    return client.call("GET", "/v1/refused")["items"], _table("at", "code", "message", "actor", "text")


def _audit(client: Client, options: argparse.Namespace) -> tuple[Any, Show]:
    return client.call("GET", "/v1/audit")["items"], _table("at", "actor", "action", "subject", "outcome", "details")


def _rates(text: str) -> dict[str, int]:
    """Rates as `--rates` says them; what is wrong with their names and numbers the service tells."""
    try:
        return {name.strip(): int(value) for name, value in (each.split("=") for each in text.split(","))}
    except ValueError:
        raise UsageError(f"--rates is NAME=NUMBER,..., not '{text}': events=100,events_at_once=1000") from None


def _keys(client: Client, options: argparse.Namespace) -> tuple[Any, Show]:
    match options.names:
        case []:
            return client.call("GET", "/v1/keys")["keys"], _table(
                "id", "name", "role", "types", "created", "expires", "revoked"
            )
        case ["new", name]:
            asked = {"name": name, "role": options.role, "types": options.types, "owners": options.owners}
            asked |= {} if options.days is None else {"days": options.days}
            asked |= {} if options.rates is None else {"rates": _rates(options.rates)}
            return client.call("POST", "/v1/keys", asked), _pairs
        case ["rotate", id]:
            return client.call("POST", f"/v1/keys/{id}/rotate", {}), _pairs
        case ["revoke", id]:
            client.call("DELETE", f"/v1/keys/{id}")
            return {"revoked": id}, _pairs
    raise UsageError("keys lists them; keys new NAME, keys rotate ID, keys revoke ID")


def _backup(client: Client, options: argparse.Namespace) -> tuple[Any, Show]:
    path = _one_name(options)
    return {"bytes": client.download("/v1/backup", path), "file": path}, _pairs


def _restore(options: argparse.Namespace) -> int:
    """Puts a backup where a service will look for it; only where none runs, and nothing is."""
    from tocsin.service.backups import restore

    path = _one_name(options)
    if options.store is None:
        raise UsageError("restore says where to: --store PATH")
    for line in restore(Path(path), Path(options.store)):
        print(line)
    return 0


def _key_in_the_store(options: argparse.Namespace) -> int:
    """A key for a service that does not run: so nobody is locked out who may write its data."""
    from tocsin.service.access.scopes import Scopes
    from tocsin.service.lost_keys import made_in

    if len(options.names) != 2 or options.names[0] != "new":
        raise UsageError("with --store there is 'keys new NAME' alone")
    if not options.store.startswith(("postgresql://", "postgres://")) and not Path(options.store).is_file():
        raise UsageError(f"there is no store {options.store}")
    scopes = Scopes(tuple(options.types) or ("*",), tuple(options.owners)) if options.types or options.owners else None
    issued = made_in(options.store, options.names[1], options.role, scopes=scopes, days=options.days)
    for line in _pairs({"id": issued.record.id, "name": issued.record.name, "role": options.role, "key": issued.text}):
        print(line)
    return 0


def _one_name(options: argparse.Namespace) -> str:
    if len(options.names) != 1:
        raise UsageError(f"tocsin service {options.what} takes one name")
    return str(options.names[0])


def _id_of(client: Client, name: str) -> str:
    """A request by its name, or by its id."""
    found = [
        each["id"] for each in client.call("GET", "/v1/requests")["requests"] if name in (each["name"], each["id"])
    ]
    if not found:
        raise UsageError(f"there is no request '{name}': tocsin service requests lists them")
    return str(found[0])


# -- what is shown -----------------------------------------------------------------------------------------------------


def _pairs(answer: Mapping[str, Any]) -> Iterable[str]:
    width = max((len(name) for name in answer), default=0)
    return [f"{name.ljust(width)}  {_cell(value, None)}" for name, value in answer.items()]


def _objects(answer: Sequence[Any]) -> Iterable[str]:
    return [json.dumps(each, ensure_ascii=False) for each in answer]


def _deliveries(answer: Mapping[str, Any]) -> Iterable[str]:
    yield from _table("target", "where", "health", "reason")(answer["targets"])
    yield ""
    yield from _table("number", "target", "state", "attempts", "updated", "due", "error")(answer["items"])


def _table(*names: str) -> Show:
    def lines(rows: Sequence[Mapping[str, Any]]) -> Iterable[str]:
        cells = [list(names), *([_cell(row.get(name), _WIDEST) for name in names] for row in rows)]
        widths = [max(len(row[place]) for row in cells) for place in range(len(names))]
        for row in cells:
            yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()

    return lines


def _cell(value: object, widest: int | None) -> str:
    text = "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    plain = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return plain if widest is None or len(plain) <= widest else plain[: widest - 3] + "..."


_ASKED: Final[Mapping[str, Callable[[Client, argparse.Namespace], tuple[Any, Show]]]] = {
    "status": _status,
    "requests": _requests,
    "events": _events,
    "detections": _detections,
    "notifications": _notifications,
    "redrive": _redrive,
    "refused": _refused,
    "audit": _audit,
    "keys": _keys,
    "backup": _backup,
}
