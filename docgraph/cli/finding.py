"""One part of a set-up that was examined, as ``docgraph doctor`` shows it."""

from __future__ import annotations

from pydantic import BaseModel


class Finding(BaseModel):
    """One part of the set-up: whether it is in order, what was found, and what to do when it is not."""

    name: str
    ok: bool
    detail: str
    hint: str = ""
