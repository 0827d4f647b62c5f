"""What goes between docgraph and the process that reads for it: lines of JSON, checked; bytes of files behind them.

Nothing that comes back is believed to be what it should be: every line is validated, and bounded before it is read.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import IO, Literal

from pydantic import Field, ValidationError

from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.report import Adjusted, Rejected

MAX_LINE = 100_000_000
"""Bytes of one line: a document of four million characters twice (its text, its sections), each escaped."""
Item = Document | Relationship | Rejected | Adjusted


class Bounds(Frozen):
    """Seconds of processor time and bytes of memory that reading a file may take."""

    seconds: float = Field(gt=0)
    memory: int = Field(gt=0)


class Asked(Frozen):
    """A file to be read, ``n_bytes`` of which follow; with ``names`` several, which are asked for one by one."""

    loader: str
    source: str
    names: tuple[str, ...] = ()
    n_bytes: int = Field(ge=0)
    bounds: Bounds


class Given(Frozen):
    """A file that was asked for, ``n_bytes`` of which follow; ``failed`` = why it cannot be read."""

    n_bytes: int = Field(default=0, ge=0)
    failed: str = ""
    bounds: Bounds


class Answer(Frozen):
    """One line: a part of what was read, a file that is wanted, or how it ended."""

    document: Document | None = None
    relationship: Relationship | None = None
    rejected: Rejected | None = None
    adjusted: Adjusted | None = None
    wanted: str | None = None
    ended: Literal["read", "refused", "unreadable", "memory", "damaged"] | None = None
    reason: str = ""
    again: bool = True
    """Whether the process reads on; it ends itself where a file left it large."""

    @property
    def item(self) -> Item | None:
        """The part of what was read, if it is one."""
        return self.document or self.relationship or self.rejected or self.adjusted


_NAMES: Mapping[type, str] = {
    Document: "document",
    Relationship: "relationship",
    Rejected: "rejected",
    Adjusted: "adjusted",
}


def line_of(item: Item) -> bytes:
    """An item as a line. Raises ValueError for what is no JSON."""
    return b'{"%s":%s}\n' % (_NAMES[type(item)].encode(), item.model_dump_json().encode())


def send(to: IO[bytes], value: Frozen, data: bytes = b"") -> None:
    """Write a line, and the bytes behind it. Raises OSError where nobody reads."""
    to.write(value.model_dump_json().encode() + b"\n")
    if data:
        to.write(data)
    to.flush()


def answer(line: bytes) -> Answer:
    """A line of the process that reads. Raises ValueError for what is none, or is too long."""
    if len(line) > MAX_LINE or not line.endswith(b"\n"):
        raise ValueError("a line of the answer is cut off or too long")
    try:
        return Answer.model_validate_json(line)
    except ValidationError as error:
        raise ValueError(f"the answer is not as agreed: {error.error_count()} faults") from None


def own_streams() -> tuple[IO[bytes], IO[bytes]]:
    """(what comes in, what goes out); whatever else is printed goes nowhere."""
    outgoing = os.fdopen(os.dup(1), "wb")
    incoming = os.fdopen(os.dup(0), "rb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)
    return incoming, outgoing
