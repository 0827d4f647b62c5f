"""Who works with docgraph where it knows: a name that signs, a role that says what may be changed, and sign-ins."""

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


class SignIn(Frozen):
    """One sign-in of somebody in one browser, as the database keeps it; moments are ISO 8601 in UTC, to the second.

    What the browser holds is a random token; kept is its hash alone, so that nobody who reads this can sign in by it.
    """

    sign_in_id: str = Field(pattern="^[0-9a-f]{64}$", description="SHA-256 of the token that the browser holds.")
    name: str = Field(min_length=1, max_length=MAX_BY, description="The name that signs edits and judgments.")
    subject: str = Field(description="Who it is to the identity provider.")
    role: Role = Field(default="viewer", description="The role when it was last asked for.")
    claims: str = Field(description="SHA-256 of what the ID token says; another token of theirs is no part of this.")
    browser: str = Field(default="", max_length=60, description="Browser and system, as the browser says.")
    created: str = Field(description="When they signed in.")
    last_seen: str = Field(description="When they last did something, to about a minute.")
    expires: str = Field(description="Until when it counts at most.")
    ended_at: str = Field(default="", description="When it was ended; empty = by nobody.")
    ended_by: str = Field(default="", max_length=MAX_BY, description="Who ended it.")

    def counts(self, now: str) -> bool:
        """Whether it still lets somebody in: nobody ended it, and its time is not over."""
        return not self.ended_at and now < self.expires

    @property
    def short_id(self) -> str:
        """The beginning of the id, for people: enough to tell sign-ins apart."""
        return self.sign_in_id[:12]
