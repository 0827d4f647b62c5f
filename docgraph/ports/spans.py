"""What records spans of work for somebody who watches the program; nobody does unless it is configured."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any

Attributes = Mapping[str, Any]
Spans = Callable[[str, Attributes], AbstractContextManager[Callable[[Attributes], None]]]
"""Opens a span of a name with its first attributes; what it yields takes those that are known later."""


@contextmanager
def no_spans(name: str, attributes: Attributes) -> Iterator[Callable[[Attributes], None]]:
    """Nobody watches."""
    del name, attributes
    yield _ignored


def _ignored(attributes: Attributes) -> None:
    del attributes
