"""What the environment says: texts of settings under one prefix, one that becomes a part of names, and the account."""

from __future__ import annotations

import getpass
import os
import re
from collections.abc import Iterable


def written(prefix: str, names: Iterable[str]) -> dict[str, str]:
    """Name → text of its variable, in capitals or not; an empty variable counts as not set."""
    there = {name.lower(): text for name, text in os.environ.items() if text}
    return {name: there[key] for name in names if (key := (prefix + name).lower()) in there}


def account() -> str:
    """The name of the operating system's user; empty where there is none: a container may run as a number alone."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def checked_schema_prefix(text: str) -> str:
    """A beginning of schemas' names. Raises ValueError."""
    if text and (not re.fullmatch(r"[a-z][a-z0-9_]{0,19}", text, re.ASCII) or text.startswith("pg_")):
        raise ValueError("write a letter, then letters, digits and _, at most 20, in lower case, and not pg_")
    return text
