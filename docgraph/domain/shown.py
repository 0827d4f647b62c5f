"""How a value shows itself in a notebook: it asks what draws values, which the front page names."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pandas import DataFrame


class Drawing(Protocol):
    """What draws values."""

    def html(self, value: Any) -> str:
        """HTML that stands alone: no script, every text escaped."""

    def frame(self, value: Any, **how: Any) -> DataFrame:
        """A new data frame; its columns are those of the value's ``to_pandas``."""


_known: list[Callable[[], Drawing]] = []


def drawn_by(find: Callable[[], Drawing]) -> None:
    """Say what draws values; it is found when the first one shows itself."""
    _known[:] = [find]


def html(value: Any) -> str:
    """HTML of a value, for a notebook."""
    return _known[0]().html(value)


def frame(value: Any, **how: Any) -> DataFrame:
    """A data frame of a value."""
    return _known[0]().frame(value, **how)
