"""The life of requests, in any order of calls: what is read is what was asked for last, and what is gone is not there."""

from __future__ import annotations

import json
from typing import Any

import hypothesis
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from tests.service.processes import ServiceProcess

EXPRESSIONS = st.sampled_from(["a ; b", "a & b", "a ; ; b", "b ; a"])


def test_requests_live_as_they_are_told_to(shared_service: ServiceProcess) -> None:
    class Lives(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.known: dict[str, tuple[str, bool]] = {}
            self.gone = ["r0"]

        def call(self, method: str, path: str, document: Any = None) -> tuple[int, Any]:
            body = b"" if document is None else json.dumps(document).encode()
            return shared_service.raw(f"/v1/requests{path}", body, method=method)

        @rule(name=st.sampled_from(["one", "two", "three"]), expression=EXPRESSIONS)
        def create(self, name: str, expression: str) -> None:
            names = {self.call("GET", f"/{id}")[1]["name"] for id in self.known}
            status, answer = self.call("POST", "", document(name, expression))
            is_right = name not in names and "; ;" not in expression
            assert status == (201 if is_right else 422)
            if is_right:
                self.known[answer["id"]] = (expression, True)

        @precondition(lambda self: self.known)
        @rule(data=st.data(), expression=EXPRESSIONS)
        def change(self, data: st.DataObject, expression: str) -> None:
            id = data.draw(st.sampled_from(sorted(self.known)))
            name = self.call("GET", f"/{id}")[1]["name"]
            status, _ = self.call("PUT", f"/{id}", document(name, expression))
            assert status == (422 if "; ;" in expression else 200)
            if status == 200:
                self.known[id] = (expression, True)

        @precondition(lambda self: self.known)
        @rule(data=st.data(), enabled=st.booleans())
        def switch(self, data: st.DataObject, enabled: bool) -> None:
            id = data.draw(st.sampled_from(sorted(self.known)))
            assert self.call("POST", f"/{id}/{'enable' if enabled else 'disable'}")[0] == 200
            self.known[id] = (self.known[id][0], enabled)

        @precondition(lambda self: self.known)
        @rule(data=st.data())
        def cancel(self, data: st.DataObject) -> None:
            id = data.draw(st.sampled_from(sorted(self.known)))
            assert self.call("DELETE", f"/{id}")[0] == 204
            del self.known[id]
            self.gone.append(id)

        @rule()
        def read(self) -> None:
            status, answer = self.call("GET", "")
            assert status == 200
            told = {each["id"]: (each["document"]["expression"], each["enabled"]) for each in answer["requests"]}
            assert told == self.known
            for method, path in (("GET", ""), ("DELETE", ""), ("POST", "/enable")):
                assert self.call(method, f"/{self.gone[-1]}{path}")[0] == 404

        def teardown(self) -> None:
            self.read()
            for id in self.known:
                assert self.call("DELETE", f"/{id}")[0] == 204

    limits = hypothesis.settings(
        max_examples=15, stateful_step_count=12, derandomize=True, database=None, deadline=None
    )
    run_state_machine_as_test(Lives, settings=limits)  # type: ignore[no-untyped-call]


def document(name: str, expression: str) -> dict[str, str]:
    return {"name": name, "language": "eps", "expression": expression, "window": "1 hour"}
