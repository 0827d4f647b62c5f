"""The application: reads a request within its bounds, lets docgraph work in a thread, and writes what it says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Collection, Mapping
from functools import cache, lru_cache
from http import HTTPStatus
from typing import Any

import anyio
import anyio.to_thread
from pydantic import BaseModel
from pydantic_core import from_json
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route as Routed

from docgraph.boundary.logs import one_request
from docgraph.boundary.shape import check_json
from docgraph.domain.person import Person
from docgraph.domain.plan import RetrievalPlan, parse_plan
from docgraph.errors import NotFoundError
from docgraph.http_server.access import Access, values
from docgraph.http_server.messages import Workspaces
from docgraph.http_server.openapi import document
from docgraph.http_server.refusals import Problem, RefusedError, problem_of
from docgraph.http_server.routes import ROUTES, Call, Route
from docgraph.orchestration.docgraph import Docgraph

MAX_BODY = 4_000_000
"""Bytes of a request's body."""
MAX_VALUES = 200_000
"""Values of its JSON: a plan of a hundred documents has a few thousand."""
MAX_AT_ONCE = 4
"""Requests that are worked on; the others wait. A search may use several providers, each with a connection."""
MAX_SECONDS = 60.0
"""Seconds after which a request is answered without its result."""
READER = Person(name="HTTP", role="viewer")
JSON = "application/json"
Endpoint = Callable[[Request], Awaitable[Response]]


class Workplace:
    """An open docgraph and what of it is served; ``only`` = names of workspaces, empty for all."""

    def __init__(self, docgraph: Docgraph, *, only: Collection[str] = (), seconds: float = MAX_SECONDS) -> None:
        self._docgraph, self._only, self._seconds = docgraph, frozenset(only), seconds
        self._limiter = anyio.CapacityLimiter(MAX_AT_ONCE)
        self._opened = lru_cache(64)(self._open)

    def _open(self, name: str) -> Docgraph:
        return self._docgraph.use_workspace(name).acting_as(READER)

    def at(self, name: str | None) -> Docgraph:
        """The workspace, for reading. Raises NotFoundError for one that is not served, as for one that is not there."""
        if name is None:
            return self._docgraph.acting_as(READER)
        if self._only and name not in self._only:
            raise NotFoundError(f"there is no workspace {name[:60]!r}", hint="list them: GET /v1/workspaces")
        return self._opened(name)

    def answer(self, route: Route, call: Call) -> BaseModel:
        """What the route's work returns."""
        answer = route.work(call)
        if self._only and isinstance(answer, Workspaces):
            return Workspaces(workspaces=tuple(each for each in answer.workspaces if each.name in self._only))
        return answer

    async def work(self, route: Route, name: str | None, **given: Any) -> str:
        """The answer as JSON. What takes too long runs to its end in its thread and keeps its place until then."""

        def done() -> str:
            return self.answer(route, Call(self.at(name), **given)).model_dump_json(by_alias=True)

        task = asyncio.ensure_future(anyio.to_thread.run_sync(done, limiter=self._limiter))
        try:
            return await asyncio.wait_for(asyncio.shield(task), self._seconds)
        except TimeoutError:
            if task.done():
                raise
            task.add_done_callback(_heard)
            raise RefusedError(
                HTTPStatus.GATEWAY_TIMEOUT,
                "too_slow",
                f"there was no answer within {self._seconds:g} seconds",
                hint="ask for less, or again later; an edit may have been made: see the history",
            ) from None


def _heard(task: asyncio.Future[str]) -> None:
    """An error that nobody waits for any more is in the log of whoever raised it."""
    if not task.cancelled():
        task.exception()


def application(workplace: Workplace, access: Access) -> Starlette:
    """The ASGI application of all routes."""
    by_path: dict[str, dict[str, Endpoint]] = {"/openapi.json": {"GET": _openapi}}
    for route in ROUTES:
        by_path.setdefault(route.path, {})[route.method] = _endpoint(route, workplace, access)
    # Fixed paths come before those with a name in their place; one entry a path, so that 405 names all its methods.
    routes = [
        Routed(path.replace("{document_id}", "{document_id:path}"), _by_method(given), methods=list(given))
        for path, given in sorted(by_path.items(), key=lambda each: "{" in each[0])
    ]
    made = Starlette(routes=routes, exception_handlers={HTTPException: _unknown})
    made.router.redirect_slashes = False
    return made


def _by_method(endpoints: Mapping[str, Endpoint]) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        return await endpoints["GET" if request.method == "HEAD" else request.method](request)

    return endpoint


def _endpoint(route: Route, workplace: Workplace, access: Access) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        with one_request():
            try:
                access.check(values(request.scope, b"authorization"), route.needs)
                given: dict[str, Any] = {"document_id": request.path_params.get("document_id", "")}
                given |= {"query": route.query and _query(request, route.query)}
                given |= {"body": route.body and parsed(await _body(request), route.body)}
                text = await workplace.work(route, request.path_params.get("workspace"), **given)
                return Response(text, media_type=JSON)
            except ClientDisconnect:
                return Response(status_code=HTTPStatus.BAD_REQUEST)  # nobody reads it
            except Exception as error:  # the edge: whatever was raised is told in one form
                status, problem = problem_of(error)
                headers = error.headers if isinstance(error, RefusedError) else {}
                return Response(problem.model_dump_json(), status, headers, media_type=JSON)

    return endpoint


async def _body(request: Request) -> bytes:
    kind = [part.strip().lower() for part in request.headers.get("content-type", "").split(";")]
    if kind[0] != JSON or kind[1:] not in ([], ["charset=utf-8"]) or "content-encoding" in request.headers:
        raise RefusedError(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            "no_json",
            "a request has a body of JSON in UTF-8, not compressed",
            hint=f"send Content-Type: {JSON}",
        )
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY:
            raise RefusedError(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                "too_large",
                f"the body has more than {MAX_BODY:,} bytes",
                hint="ask for less at once",
            )
    return bytes(body)


def parsed(body: bytes, kind: type[BaseModel]) -> BaseModel:
    """The model in a body. Raises RefusedError for what is no JSON, ValidationError or PlanError for what it says."""
    try:
        text = body.decode()
        check_json(text, max_values=MAX_VALUES)
        from_json(text, allow_inf_nan=False)
    except ValueError as error:
        why = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
        raise RefusedError(
            HTTPStatus.BAD_REQUEST, "invalid_json", f"the body cannot be read: {why[:300]}", hint="send JSON as UTF-8"
        ) from None
    return parse_plan(text) if kind is RetrievalPlan else kind.model_validate_json(text)


def _query(request: Request, kind: type[BaseModel]) -> BaseModel:
    pairs = request.query_params.multi_items()
    given = dict(pairs)
    if len(given) != len(pairs):
        raise RefusedError(
            HTTPStatus.UNPROCESSABLE_ENTITY, "invalid_request", "a parameter is there twice", hint="give each once"
        )
    return kind.model_validate(given)


async def _openapi(_: Request) -> Response:
    return Response(_document_text(), media_type=JSON)


@cache
def _document_text() -> str:
    return json.dumps(document(ROUTES), ensure_ascii=False)


async def _unknown(_: Request, error: Exception) -> Response:
    status, headers = (error.status_code, error.headers) if isinstance(error, HTTPException) else (404, None)
    known = status == HTTPStatus.METHOD_NOT_ALLOWED
    problem = Problem(
        error="method_not_allowed" if known else "not_found",
        message="this address takes another method" if known else "there is no such address",
        hint="GET /openapi.json lists all",
    )
    return Response(problem.model_dump_json(), status, headers, media_type=JSON)
