"""Every route keeps to its OpenAPI document, whatever is sent: responses are those that it describes."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

from docgraph.http_server.openapi import document
from docgraph.http_server.refusals import CODES
from docgraph.http_server.routes import ROUTES, Route
from tests import ROOT
from tests.integration.http_api import JSON, READS, WRITES, client_of, small_workspace
from tests.integration.mcp_servers import QUERY

API = document(ROUTES)
POSTS = [route for route in ROUTES if route.method == "POST"]
GETS = [route for route in ROUTES if route.method == "GET"]
PATHS = {"workspace": "w", "document_id": "adr-1"}
REMOVAL = {"action": "remove", "key": ["design-1", "explains", "adr-1"]}
BODIES: dict[str, Any] = {
    "plan": {"query": QUERY, "relation_types": ["explains"], "overrides": {"without_types": ["supersedes"]}},
    "run": {"query": QUERY, "max_documents": 3},
    "explain": {"request": {"query": QUERY}, "document_id": "long"},
    "compare": {"request": {"query": QUERY}, "baseline": "plain"},
    "retrieve": {"query": QUERY, "mode": "accurate", "top_k": 3},
    "preview_edits": {"edits": [REMOVAL]},
    "edit_relationships": {"edits": [REMOVAL], "by": "Ann", "reason": "x", "dry_run": True},
}
KNOWN = re.compile("|".join({"invalid_json", "internal", *(code for _, code in CODES.values())}))

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=20),
    st.sampled_from(["w", "adr-1", "ms3", "explains", "../x", "'; drop table x; --", "<script>"]),
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with small_workspace() as dg:
        dg.runs.save(QUERY, name="one")
        yield client_of(dg, tokens=(READS, WRITES), shown=WRITES)


@cache
def _validator(name: str, status: str) -> Draft202012Validator:
    route = next(each for each in ROUTES if each.name == name)
    said = API["paths"][route.path][route.method.lower()]["responses"][status]
    return Draft202012Validator({**said["content"]["application/json"]["schema"], "components": API["components"]})


def _checked(route: Route, answer: Any) -> Any:
    """The response as JSON, held against what the document says of its status."""
    status = "200" if answer.status_code == 200 else f"{answer.status_code // 100}XX"
    assert answer.status_code < 500, answer.text
    assert answer.headers["content-type"] == "application/json"
    found = answer.json()
    _validator(route.name, status).validate(found)
    assert status == "200" or KNOWN.fullmatch(found["error"]), found
    return found


def _mutants(body: Any) -> st.SearchStrategy[Any]:
    """``body`` with something else in one of its places, without it, or with one thing more."""
    places = list(_places(body))

    @st.composite
    def changed(draw: st.DrawFn) -> Any:
        made = copy.deepcopy(body)
        *way, last = draw(st.sampled_from(places))
        at = made
        for step in way:
            at = at[step]
        kind = draw(st.sampled_from(["replace", "replace", "remove", "add"]))
        if kind == "remove":
            del at[last]
        elif kind == "add" and isinstance(at, dict):
            at[draw(st.text(max_size=8))] = draw(values)
        else:
            at[last] = draw(values)
        return made

    return changed()


def _places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in steps:
        yield (*way, step)
        yield from _places(inner, (*way, step))


def _body(route: Route, client: TestClient) -> Any:
    if route.name != "execute":
        return BODIES[route.name]
    return client.post("/v1/w/plan", json=BODIES["plan"]).json()


def test_the_document_is_whole() -> None:
    names = [each["operationId"] for methods in API["paths"].values() for each in methods.values()]
    assert len(set(names)) == len(names) == len(ROUTES)
    text = json.dumps(API)
    for name in re.findall(r'"\$ref": "#/components/schemas/([^"]+)"', text):
        assert name in API["components"]["schemas"]
    assert set(re.findall(r'"\$ref": "([^"]{0,21})', text)) == {"#/components/schemas/"}
    for schema in API["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    by_need = {each["x-docgraph-permission"]: each["security"] for m in API["paths"].values() for each in m.values()}
    assert by_need == {"anyone": [], "read": [{"token": []}], "write": [{"token": []}]}


def test_the_page_lists_the_routes() -> None:
    page = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(GET|POST) ([^`]+)` \|", page, flags=re.MULTILINE)
    assert [*rows] == [*((route.method, route.path) for route in ROUTES), ("GET", "/openapi.json")]


def test_the_bodies_of_the_page_are_taken(client: TestClient) -> None:
    page = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")
    examples = re.findall(r"8766/v1/harbor/(\w+)[^'\n]*'Content-Type: application/json' \\\n +-d '(.*?)'", page)
    assert [path for path, _ in examples] == ["retrieve", "plan", "relationships"]
    for path, body in examples:
        there = body.replace("design-queue", "design-1").replace("adr-001", "adr-1")
        answer = client.post(f"/v1/w/{path}", content=there, headers=JSON)
        assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("route", POSTS, ids=lambda route: route.name)
def test_a_valid_body_is_answered_as_described(client: TestClient, route: Route) -> None:
    body = _body(route, client)
    schema = API["paths"][route.path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    Draft202012Validator({**schema, "components": API["components"]}).validate(body)
    answer = client.post(route.path.format(**PATHS), json=body)
    assert answer.status_code == 200, answer.text
    _checked(route, answer)


@pytest.mark.parametrize("route", POSTS, ids=lambda route: route.name)
def test_a_changed_body_is_answered_as_described_and_never_fails(client: TestClient, route: Route) -> None:
    @settings(max_examples=60)
    @given(_mutants(_body(route, client)) | values)
    def holds(body: Any) -> None:
        sent = json.dumps(body)
        _checked(route, client.post(route.path.format(**PATHS), content=sent, headers=JSON))

    holds()


@pytest.mark.parametrize("route", GETS, ids=lambda route: route.name)
def test_a_list_is_answered_as_described_whatever_its_parameters_say(client: TestClient, route: Route) -> None:
    names = [*(route.query.model_fields if route.query else ()), "other"]
    path = route.path.format(**PATHS)
    assert client.get(path).status_code == 200
    _checked(route, client.get(path))

    @settings(max_examples=40)
    @given(st.dictionaries(st.sampled_from(names), st.integers().map(str) | st.text(max_size=20), max_size=3))
    def holds(given_: dict[str, str]) -> None:
        _checked(route, client.get(path, params=given_))

    holds()
