"""Claims of an identity provider as a person with a role: what counts, what does not, and who is nobody."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph.boundary.claims import RoleRules, person_of, signed_in_since
from docgraph.domain.person import Person

RULES = RoleRules(admins=("Ann@docs.example", "sub:subject-9"), curators=("ben@docs.example",), claim="groups")


def of(rules: RoleRules = RULES, **claims: Any) -> Person | None:
    return person_of({"sub": "subject-1", **claims}, rules)


@pytest.mark.parametrize(
    ("claims", "role"),
    [
        ({"email": "ann@docs.example", "email_verified": True}, "admin"),
        ({"email": "BEN@docs.example", "email_verified": True}, "curator"),
        ({"email": "ann@docs.example", "email_verified": False}, "viewer"),
        ({"email": "ann@docs.example"}, "viewer"),
        ({"email": "ann@docs.example", "email_verified": "true"}, "viewer"),
        ({"sub": "subject-9"}, "admin"),
        ({"sub": "ann@docs.example"}, "viewer"),
        ({"sub": "Ann@docs.example"}, "viewer"),
        ({"sub": "sub:subject-9"}, "viewer"),
        ({"email": "sub:subject-9", "email_verified": True}, "viewer"),
        ({"name": "subject-9", "preferred_username": "Ann@docs.example"}, "viewer"),
        ({"groups": "curator"}, "curator"),
        ({"groups": ["staff", "curator", "viewer"]}, "curator"),
        ({"groups": {"admin": True}}, "viewer"),
        ({"groups": [["admin"]]}, "viewer"),
        ({"groups": None}, "viewer"),
        ({"roles": ["admin"]}, "viewer"),
    ],
)
def test_a_role_comes_from_verified_addresses_subjects_and_the_named_claim(claims: dict[str, Any], role: str) -> None:
    found = of(**claims)
    assert found is not None
    assert found.role == role


def test_everybody_else_gets_the_default_or_is_turned_away() -> None:
    assert of(RoleRules(default="curator")) == Person(name="subject-1", role="curator")
    assert of(RoleRules(default="none")) is None
    assert of(RoleRules(default="none", curators=("sub:subject-1",))) == Person(name="subject-1", role="curator")
    assert of(RoleRules(default="none", claim="groups"), groups=["viewer"]) == Person(name="subject-1")


@pytest.mark.parametrize("subject", [None, "", "  ", 7])
def test_a_token_without_a_subject_is_nobody(subject: object) -> None:
    assert person_of({"sub": subject, "email": "ann@docs.example", "email_verified": True}, RULES) is None


@pytest.mark.parametrize(
    ("claims", "name"),
    [
        ({"email": "ann@docs.example", "email_verified": True, "name": "Ben"}, "ann@docs.example"),
        ({"email": "ann@docs.example", "name": "Ann  Lee"}, "Ann Lee (subject-1)"),
        ({"preferred_username": "ann"}, "ann (subject-1)"),
        ({"name": "x" * 500}, f"{'x' * 100} (subject-1)"),
        ({}, "subject-1"),
    ],
)
def test_a_signature_says_what_the_provider_vouches_for(claims: dict[str, Any], name: str) -> None:
    found = of(**claims)
    assert found is not None
    assert found.name == name


def test_a_sign_in_without_its_moment_has_none() -> None:
    assert signed_in_since({"iat": 1700000000}) == 1700000000.0
    assert [signed_in_since({"iat": each}) for each in ("1700000000", True, None)] == [None] * 3
