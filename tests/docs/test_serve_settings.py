"""The pages about settings and access have every setting, action and refusal, as the code has them.

`TOCSIN_RENEW=1` writes the tables anew.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tocsin.service.access.permissions import TABLE, Role, Scope
from tocsin.service.access.refusals import STATUS
from tocsin.service.setting_kinds import each_setting
from tocsin.service.settings import Settings
from tocsin.service.settings_file import settings_of

DOCS = Path(__file__).resolve().parents[2] / "docs"

MEANINGS = {
    "no-credentials": "there is no header `Authorization`",
    "malformed-credentials": "the header has neither a key nor a token",
    "unknown-key": "the key is not one of this service; the hint says if it was mistyped",
    "key-expired": "the key's end has come",
    "key-revoked": "the key was revoked",
    "token-malformed": "this is no token of access",
    "token-algorithm": "the token is signed with an algorithm that is not accepted",
    "token-unknown-key": "the token is signed with a key that the provider does not publish",
    "token-signature": "the signature is wrong",
    "token-expired": "the token's end has come",
    "token-not-yet-valid": "the token is valid from a later time, or was issued in the future",
    "token-issuer": "another provider issued the token",
    "token-audience": "the token is meant for another service",
    "token-claims": "a claim is missing, or is not what it must be",
    "token-without-role": "no value of the role claim means a role here",
    "role-not-permitted": "the role may not do that",
    "type-out-of-scope": "an event type is not in scope",
    "owner-out-of-scope": "the request belongs to somebody who is not in scope",
    "too-many-failures": "too many attempts with wrong keys came from this address",
    "too-many-requests": "the key's rate of requests is used up",
    "too-many-events": "the key's rate of events is used up",
    "batch-above-rate": "the batch is larger than what the key may ever send at once",
    "identity-provider-unreachable": "the provider's keys cannot be had",
}


def row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def setting_rows() -> Iterator[str]:
    yield from ("| setting | value | default | meaning |", "| --- | --- | --- | --- |")
    for each in each_setting(Settings):
        default = f"`{each.default}`" if each.default not in ("", "none", "required") else each.default
        yield row(f"`{each.path}`", each.kind, default, each.meaning)


def action_rows() -> Iterator[str]:
    yield from ("| action | sensor | subscriber | operator | confined by | |", "| --- | --- | --- | --- | --- | --- |")
    for each in TABLE:
        marks = ["yes" if role in each.roles else "" for role in Role]
        yield row(f"`{each.action}`", *marks, "" if each.scope is Scope.NONE else each.scope.value, each.meaning)


def refusal_rows() -> Iterator[str]:
    yield from ("| code | status | when |", "| --- | --- | --- |")
    for code, status in STATUS.items():
        yield row(f"`{code}`", str(status), MEANINGS[code])


@pytest.mark.parametrize(
    ("page", "part", "rows"),
    [
        ("serve-settings.md", "settings", setting_rows),
        ("serve-access.md", "actions", action_rows),
        ("serve-access.md", "refusals", refusal_rows),
    ],
)
def test_the_table_is_that_of_the_code(page: str, part: str, rows: object) -> None:
    path = DOCS / page
    text = path.read_text(encoding="utf-8")
    begin, end = f"<!-- {part}: written by the test of this page -->\n", "<!-- end -->"
    before, marked, rest = text.partition(begin)
    told, _, after = rest.partition(end)
    expected = "\n" + "\n".join(rows()) + "\n\n"  # type: ignore[operator]
    assert marked
    if os.environ.get("TOCSIN_RENEW"):
        path.write_text(before + begin + expected + end + after, encoding="utf-8")
        return
    assert told == expected


def test_every_code_has_its_meaning_and_no_other() -> None:
    assert MEANINGS.keys() == STATUS.keys()


def blocks(page: str) -> list[str]:
    return re.findall(r"```yaml\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)


def test_the_examples_are_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOCSIN_STORE_PASSWORD", "x")
    (tmp_path / "tls").mkdir()
    for name in ("tls/chain.pem", "tls/key.pem", "rules.gem"):
        (tmp_path / name).touch()
    (everyday,), (oidc,) = blocks("serve-settings.md"), blocks("serve-access.md")
    found = settings_of(everyday, str(tmp_path / "serve.yaml"))
    assert found.warnings == ()
    assert found.store.is_postgresql
    assert settings_of(oidc, str(tmp_path / "serve.yaml")).access.oidc is not None


@pytest.mark.parametrize("page", ["serve-settings.md", "serve-access.md"])
def test_links_lead_somewhere(page: str) -> None:
    links = re.findall(r"\]\(([^)#]+)", (DOCS / page).read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (DOCS / link).exists()] == []
