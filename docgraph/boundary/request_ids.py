"""One id for everything that is done for one request: a run of a page, a command, a call of an assistant."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_current: ContextVar[str] = ContextVar("docgraph.request", default="")


def request_id() -> str:
    """The id of what is done now, 12 hexadecimal digits; empty outside of any request."""
    return _current.get()


def begin_request() -> str:
    """A new request from here on, in this thread or task; its id."""
    made = secrets.token_hex(6)
    _current.set(made)
    return made


@contextmanager
def one_request() -> Iterator[str]:
    """Inside, everything belongs to one new request."""
    token = _current.set(secrets.token_hex(6))
    try:
        yield _current.get()
    finally:
        _current.reset(token)
