"""Who works with docgraph where it knows: a name that signs, and a role that says what may be changed."""

from __future__ import annotations

from typing import Literal, get_args

from pydantic import Field, field_validator

from docgraph.domain.frozen import Frozen

MAX_BY = 200
"""Characters of a name that signs."""
MAX_REASON = 2_000
"""Characters of what somebody says why."""

Role = Literal["viewer", "curator", "admin"]
"""What somebody may do: a viewer reads; a curator also decides (relationships, judgments, findings, saved runs, memory,
calibration); an admin also imports, removes documents, and makes and removes workspaces."""

ROLES: tuple[Role, ...] = get_args(Role)


class Person(Frozen):
    """Somebody who was recognised, by a sign-in or by the program that embeds docgraph; the name signs what they do."""

    name: str = Field(min_length=1, max_length=MAX_BY, description="The name that signs edits and judgments.")
    role: Role = Field(default="viewer", description="What this person may do.")

    @field_validator("name")
    @classmethod
    def _on_one_line(cls, name: str) -> str:
        kept = " ".join("".join(each if each.isprintable() else " " for each in name).split())
        if not kept:
            raise ValueError("a person has a name")
        return kept

    def may(self, needed: Role) -> bool:
        """Whether the role is ``needed`` or a higher one."""
        return ROLES.index(self.role) >= ROLES.index(needed)
