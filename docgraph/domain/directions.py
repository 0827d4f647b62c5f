"""Vectors that come from outside: checked, and brought to unit length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from docgraph.domain.graph import Vector

_UNIT = 1e-3
_SHORTEST, _LONGEST = 1e-12, 1e30
"""Beyond these lengths squares leave the range of 32-bit numbers, and a similarity would be NaN."""


def direction(vector: Sequence[float] | NDArray[np.floating[Any]], dimension: int, *, what: str) -> Vector:
    """The direction of a vector, shape (dimension,), float32: a unit vector is kept bit for bit, others are scaled.

    Raises ValueError with one line that begins with ``what``: no numbers, another width, NaN or infinity, no length.
    """
    import numpy as np

    try:
        array = np.asarray(vector, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{what} is not a list of numbers") from None
    if array.shape != (dimension,):
        found = f"{array.size:,} numbers" if array.ndim == 1 else f"the shape {array.shape}"
        raise ValueError(f"{what} has {found}, the workspace's embedder gives {dimension}")
    with np.errstate(over="ignore", invalid="ignore"):
        length = float(np.linalg.norm(array))
    if not _SHORTEST < length < _LONGEST:  # so it is where a value is not finite
        if not np.isfinite(array).all():
            raise ValueError(f"{what} has a value that is not finite")
        raise ValueError(f"{what} has the length {length:g}: it has no usable direction")
    return _scaled(array, length)


def unit(vector: Sequence[float] | NDArray[np.floating[Any]]) -> Vector:
    """The vector at length 1, float32: bit for bit where it has that length already (to 1/1000)."""
    import numpy as np

    array = np.asarray(vector, dtype=np.float64)
    return _scaled(array, float(np.linalg.norm(array)))


def _scaled(array: NDArray[np.float64], length: float) -> Vector:
    return (array if abs(length - 1) < _UNIT else array / length).astype("float32")


def are_unit(vectors: Sequence[Sequence[float] | None], dimension: int) -> bool:
    """Whether ``unit`` would keep each of these bit for bit; False where that is not easily told, and for no numbers.

    One look at all of them: thousands of vectors a second come with records.
    """
    import numpy as np

    try:
        array = np.array(vectors, dtype=np.float64)
    except (TypeError, ValueError):
        return False
    if array.shape != (len(vectors), dimension) or not np.isfinite(array).all():
        return False
    with np.errstate(over="ignore"):
        lengths = np.sqrt(np.square(array).sum(axis=1))
    return bool((np.abs(lengths - 1) < _UNIT - 1e-9).all())
