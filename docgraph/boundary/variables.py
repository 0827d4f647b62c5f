"""What the environment says of settings: texts, read under one prefix."""

from __future__ import annotations

import os
from collections.abc import Iterable


def written(prefix: str, names: Iterable[str]) -> dict[str, str]:
    """Name → text of its variable, in capitals or not; an empty variable counts as not set."""
    there = {name.lower(): text for name, text in os.environ.items() if text}
    return {name: there[key] for name in names if (key := (prefix + name).lower()) in there}
