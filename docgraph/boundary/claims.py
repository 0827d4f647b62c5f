"""What an identity provider says of somebody, read as a person with a role; everything else is nobody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from docgraph.domain.person import MAX_BY, ROLES, Person, Role

SUBJECT = "sub:"
"""How a subject begins in a list of accounts; every other entry is an e-mail address."""


@dataclass(frozen=True)
class RoleRules:
    """How claims become a role: accounts by name, then the ``claim`` of the provider, then ``default``.

    A name is a verified e-mail address, or a subject written ``sub:…``: neither can be taken for the other.
    """

    admins: Sequence[str] = ()
    curators: Sequence[str] = ()
    claim: str | None = None
    default: Role | Literal["none"] = "viewer"


def parse_accounts(names: tuple[str, ...]) -> tuple[str, ...]:
    """The entries of a list of accounts as they are. Raises ValueError for one that is neither address nor subject."""
    for name in names:
        if not name.removeprefix(SUBJECT).strip() or ("@" not in name and not name.startswith(SUBJECT)):
            shown = name[:60]
            raise ValueError(f"{shown!r} is not an e-mail address; if it is a subject, write it as {SUBJECT + shown!r}")
    return names


def person_of(claims: Mapping[str, Any], rules: RoleRules) -> Person | None:
    """Who an ID token names, and what they may do; None for a token without a subject and for who is turned away.

    An account counts by its subject, and by its e-mail address where the provider says that it is verified: an address
    that is not may be anybody's. The name that signs is that address, else what the provider calls them with the
    subject behind it, so that two people never sign alike.
    """
    subject = _text(claims.get("sub"))
    if not subject:
        return None
    address = _text(claims.get("email")) if claims.get("email_verified") is True else ""
    role = _role(subject, address, claims, rules)
    if role is None:
        return None
    called = _text(claims.get("name")) or _text(claims.get("preferred_username"))
    name = address or (f"{called[:100]} ({subject})" if called else subject)
    return Person(name=name[:MAX_BY], role=role)


def signed_in_since(claims: Mapping[str, Any]) -> float | None:
    """When the token was issued, seconds since 1970; None where it does not say."""
    issued = claims.get("iat")
    return float(issued) if isinstance(issued, int | float) and not isinstance(issued, bool) else None


def _role(subject: str, address: str, claims: Mapping[str, Any], rules: RoleRules) -> Role | None:
    listed: tuple[tuple[Role, Sequence[str]], ...] = (("admin", rules.admins), ("curator", rules.curators))
    for role, names in listed:
        if any(_is_called(name, subject, address) for name in names):
            return role
    given = claims.get(rules.claim) if rules.claim else None
    several = given if isinstance(given, list | tuple) else (given,)
    said = {each for each in several if isinstance(each, str)}
    if stated := [role for role in ROLES if role in said]:
        return stated[-1]
    return None if rules.default == "none" else rules.default


def _is_called(name: str, subject: str, address: str) -> bool:
    """Whether an entry of a list means this account: a subject that reads like an address is no address."""
    if name.startswith(SUBJECT):
        return name.removeprefix(SUBJECT) == subject
    return "@" in name and bool(address) and name.casefold() == address.casefold()


def _text(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
