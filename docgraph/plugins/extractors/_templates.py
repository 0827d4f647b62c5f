"""Finds links that a site's templates make: ``[b]({{< ref "b.md" >}})``, ``{% link b.md %}``, ``--8<-- "b.md"``."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

EXPRESSION = r"\{\{[^{}\n]{1,500}\}\}|\{%[^%\n]{1,500}%\}|\{![^!{}\n]{1,500}!\}"
_EXPRESSION = re.compile(EXPRESSION)
_SNIPPET = re.compile(r";?-{1,5}8<-{1,5}[ \t]{1,5}(?:\"([^\"\n]{1,500})\"|'([^'\n]{1,500})')")
_ADDRESS = re.compile(
    rf"\(\s{{0,20}}<?((?:[^\s(){{}}<>]{{0,300}}(?:{EXPRESSION})){{1,4}}[^\s(){{}}<>]{{0,300}})>?"
    r"(?:\s{1,20}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))?\s{0,20}\)"
)
_DEFINITION = re.compile(
    rf"^( {{0,3}}\[[^\[\]\n]{{1,200}}\]:[ \t]{{0,20}})((?:{EXPRESSION})[^\s]{{0,300}})", re.MULTILINE
)
SIGNS = ("{{", "{%", "{!", "8<-")


def may_hold(text: str) -> bool:
    """Whether any template may stand in a text."""
    return any(sign in text for sign in SIGNS)


def is_template(target: str) -> bool:
    """Whether an address is one that a template has to be asked for."""
    return bool(_EXPRESSION.search(target)) or target.startswith(("--8<--", "-8<-", ";--8<--"))


def address_at(text: str, start: int) -> tuple[str, int] | None:
    """(address, where it ends) of the brackets that begin at ``start``, where a template is in it."""
    found = _ADDRESS.match(text, start)
    return (found[1], found.end()) if found else None


def expression_at(text: str, start: int) -> tuple[str, int] | None:
    """(template, where it ends) of the template that begins at ``start``."""
    found = _EXPRESSION.match(text, start) or _SNIPPET.match(text, start)
    return (found[0], found.end()) if found else None


def with_definitions(text: str) -> str:
    """The text with templates in link definitions in a form that a Markdown parser reads as an address."""
    return _DEFINITION.sub(lambda found: found[1] + quote(found[2], safe=""), text)


def as_written(address: str) -> str:
    """An address with the templates in it as their author wrote them."""
    return unquote(address) if "%7b" in address.casefold() else address
