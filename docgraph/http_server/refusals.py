"""Refused requests: the one form of an error, and the status and code that belong to each error of docgraph."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http import HTTPStatus

from pydantic import Field, ValidationError

from docgraph import errors
from docgraph.boundary.text import one_line
from docgraph.domain.frozen import Frozen
from docgraph.domain.request import request_error
from docgraph.orchestration.sources import told_outside

CODES: Mapping[type[errors.DocgraphError], tuple[int, str]] = {
    errors.NotFoundError: (404, "not_found"),
    errors.ConflictError: (409, "conflict"),
    errors.ForbiddenError: (403, "forbidden"),
    errors.RequestError: (422, "invalid_request"),
    errors.PlanError: (422, "invalid_plan"),
    errors.ComparisonError: (409, "not_comparable"),
    errors.EmbeddingMismatchError: (409, "embedder_mismatch"),
    errors.UserError: (422, "invalid_request"),
    errors.EnvironmentProblem: (503, "unavailable"),
}
"""Kind of error → (status, code); the first kind that an error is counts."""

_log = logging.getLogger("docgraph.http")


class Problem(Frozen):
    """Every response that is no answer: a stable code, what was wrong with the value, and what to do next."""

    error: str = Field(description="A stable code, such as `not_found`.")
    message: str = Field(description="What was wrong, in one line.")
    hint: str = Field(default="", description="What to do next.")


class RefusedError(Exception):
    """A request that is refused before docgraph is asked."""

    def __init__(self, status: int, code: str, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.status, self.problem = status, Problem(error=code, message=message, hint=hint)
        self.headers = {"www-authenticate": 'Bearer realm="docgraph"'} if status == HTTPStatus.UNAUTHORIZED else {}


def problem_of(error: Exception) -> tuple[int, Problem]:
    """(status, body) of an error: of a user's all of it, of the surroundings redacted, of a bug its type alone."""
    if isinstance(error, RefusedError):
        return error.status, error.problem
    if isinstance(error, ValidationError):
        if error.errors(include_url=False, include_input=False)[0]["type"] == "json_invalid":
            return HTTPStatus.BAD_REQUEST, Problem(
                error="invalid_json", message="the body is not valid JSON", hint="send JSON as UTF-8"
            )
        error = request_error(error)
    for kind, (status, code) in CODES.items():
        if isinstance(error, kind):
            said = (error.message, error.hint) if isinstance(error, errors.UserError) else told_outside(error)
            return status, Problem(error=code, message=one_line(said[0], 1_000), hint=one_line(said[1], 1_000))
    _log.error("internal error: %s", type(error).__name__, exc_info=error)
    return HTTPStatus.INTERNAL_SERVER_ERROR, Problem(
        error="internal",
        message=f"internal error: {type(error).__name__}",
        hint="set DOCGRAPH_DEBUG=1 for the server and see its log",
    )
