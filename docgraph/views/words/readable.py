"""Markdown and reStructuredText as a person reads them aloud: without their marks. What comes out is still escaped."""

from __future__ import annotations

import re

_ROLE = re.compile(r":([A-Za-z][\w.+-]{0,30}(?::[\w.+-]{1,30})?):`~?!?([^`\n]{1,300})`")
_LINKED = re.compile(r"^(.*?)\s*<[^<>]*>$")
_LITERAL = re.compile(r"``([^`\n]{1,300})``|`([^`\n]{1,300})`_{0,2}")
_IMAGE_OR_LINK = re.compile(r"!?\[([^\[\]\n]{0,300})\]\([^()\s]{0,500}\)")
_STRONG = re.compile(r"(?<![\w*])(\*{1,3})(?=\S)([^*\n]{1,300}?)(?<=\S)\1(?![\w*])")
_NUMBERED = {"pep": "PEP", "rfc": "RFC"}


def readable(text: str) -> str:
    """A quoted sentence without roles, links, code marks and emphasis: ``:pep:`649``` is "PEP 649"."""
    text = _ROLE.sub(lambda match: _role(match[1], match[2]), text)
    text = _IMAGE_OR_LINK.sub(r"\1", text)
    text = _LITERAL.sub(lambda match: match[1] or _without_target(match[2]), text)
    return _STRONG.sub(r"\2", text)


def _role(name: str, inside: str) -> str:
    shown = _without_target(inside)
    return f"{_NUMBERED[name]} {shown}" if name in _NUMBERED and shown.isdecimal() else shown


def _without_target(inside: str) -> str:
    """``words <address>`` is its words; an address alone stays."""
    found = _LINKED.match(inside)
    return found[1] if found and found[1] else inside
