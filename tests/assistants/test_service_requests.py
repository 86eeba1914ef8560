"""Rules saved at a service: made, changed, refused; the key goes nowhere else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.assistants.services import FAULT, Service
from tocsin.assistants.service_requests import SAID, NotSaved, ServiceRequests
from tocsin.assistants.tool_arguments import RequestedRule
from tocsin.errors import UsageError

RULE = {"name": "pair", "language": "gem", "expression": "a ; b"}


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as made:
        yield made


def test_a_rule_is_made_and_changed(service: Service) -> None:
    requests = ServiceRequests.of_environment({"TOCSIN_URL": service.url + "/", "TOCSIN_KEY": service.key})
    made = requests.save(RULE)
    assert (made["id"], made["version"]) == ("r1", 1)
    changed = requests.save({**RULE, "window": "5 min"}, changed="r1")
    assert (changed["version"], changed["document"]) == (2, {**RULE, "window": "5 min"})
    assert [each[:2] for each in service.asked[1:]] == [("GET", "/v1/requests/r1"), ("PUT", "/v1/requests/r1")]


def test_a_change_leaves_what_people_said_as_it_is(service: Service) -> None:
    requests = ServiceRequests(service.url, service.key)
    said = {"callback": [{"url": "https://x"}], "owner": "ops", "enabled": False, "budget": "1 MB"}
    service.requests["r1"] = {"id": "r1", "version": 1, "document": {**RULE, "window": "1 h", **said}}
    changed = requests.save({**RULE, "expression": "a & b"}, changed="r1")
    assert changed["document"] == {**RULE, "expression": "a & b", **said}


def test_a_dry_run_keeps_nothing(service: Service) -> None:
    requests = ServiceRequests(service.url, service.key)
    assert requests.save(RULE, dry_run=True) == {"cost": {"state": "bounded"}}
    with pytest.raises(UsageError, match="a dry run says what a new request would cost"):
        requests.save(RULE, changed="r1", dry_run=True)
    assert (service.requests, len(service.asked)) == ({}, 1)


def test_what_may_be_said_is_what_the_tool_takes() -> None:
    assert set(RequestedRule.model_fields) == SAID


def test_an_id_is_no_path(service: Service) -> None:
    with pytest.raises(NotSaved, match="there is no such request"):
        ServiceRequests(service.url, service.key).save(RULE, changed="../keys?x")
    assert service.asked[0][1] == "/v1/requests/..%2Fkeys%3Fx"


@pytest.mark.parametrize(
    ("key", "rule", "said"),
    [
        ("tk_other", RULE, "not saved: the service does not know this key (there is no such key)"),
        ("tk_reader", RULE, "not saved: this key does not allow it"),
        (Service.key, {**RULE, "expression": "bad"}, "not saved: the service refuses this rule (unexpected 'bad')"),
    ],
)
def test_refusals_are_said(service: Service, key: str, rule: dict[str, object], said: str) -> None:
    with pytest.raises(NotSaved) as error:
        ServiceRequests(service.url, key).save(rule)
    assert str(error.value).startswith(said)
    assert service.requests == {}
    assert (error.value.faults == [FAULT]) is (rule is not RULE)


def test_the_key_is_not_sent_on(service: Service) -> None:
    with Service(moved=f"{service.url}/v1/requests") as moved, pytest.raises(NotSaved, match="the service answers 307"):
        ServiceRequests(moved.url, service.key).save(RULE)
    assert service.asked == []


def test_a_service_that_is_not_there_is_named() -> None:
    with Service() as gone:
        url = gone.url
    with pytest.raises(UsageError, match=rf"the service at {url} cannot be asked: .*refused"):
        ServiceRequests(url, "tk_x").save(RULE)


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x/", "127.0.0.1:8750", "http://"])
def test_an_address_is_http(url: str) -> None:
    with pytest.raises(UsageError, match=r"TOCSIN_URL is '.*', which is not the address of a service"):
        ServiceRequests.of_environment({"TOCSIN_URL": url, "TOCSIN_KEY": "tk_x"})
