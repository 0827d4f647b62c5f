"""Takes in what a provider answered: whatever is no hit is left out and counted, and the rest is made safe."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from docgraph.domain.packet import ProviderHit

MAX_CONTENT = 100_000
"""Characters of one hit that are kept."""
MAX_TEXT = 10_000
"""Characters of one text in the metadata."""


@dataclass(frozen=True)
class Intake:
    """The hits of one provider, and how many things were no hits; ``broken`` = the answer as a whole was none."""

    hits: tuple[ProviderHit, ...] = ()
    n_malformed: int = 0
    broken: bool = False


def take(answer: Any, *, limit: int) -> Intake:
    """The first ``limit`` hits of an answer.

    An answer that is no collection, or that holds things of which none is a hit, is *broken*: a schema error. NaN and
    infinite scores become unknown. Raises nothing, whatever the answer is.
    """
    if not isinstance(answer, list | tuple):
        return Intake(broken=True)
    hits = tuple(_safe(each) for each in answer if _is_hit(each))
    n_malformed = len(answer) - len(hits)
    return Intake(hits[:limit], n_malformed, broken=bool(answer) and not hits)


def _is_hit(each: Any) -> bool:
    return isinstance(each, ProviderHit) and bool(each.content.strip()) and all(each.key)


def _safe(hit: ProviderHit) -> ProviderHit:
    unknown = hit.score is not None and not math.isfinite(hit.score)
    return hit.model_copy(
        update={
            "score": None if unknown else hit.score,
            "key": tuple(map(_text, hit.key)),
            "content": _text(hit.content[:MAX_CONTENT]),
            "source": _text(hit.source),
            "channels": tuple(map(_text, hit.channels)),
            "metadata": _plain(hit.metadata),
        }
    )


def _text(text: str) -> str:
    """``text`` as UTF-8 can carry it: half a surrogate pair becomes a question mark."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _plain(value: Any, depth: int = 0) -> Any:
    """JSON values only: of other things the type's name, None for NaN and infinity, nothing deeper than ten levels."""
    if depth > 10:
        return None
    if isinstance(value, dict):
        return {_text(str(name)): _plain(each, depth + 1) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each, depth + 1) for each in _bounded(value)]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return _text(value[:MAX_TEXT])
    return value if value is None or isinstance(value, int | bool) else f"<{type(value).__name__}>"


def _bounded(values: Iterable[Any]) -> list[Any]:
    return [each for _, each in zip(range(1_000), values, strict=False)]
