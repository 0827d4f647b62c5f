"""Conditions on metadata as tests of a row's facets; every value is bound by a name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docgraph.domain.where import Condition

_BETWEEN = '(facet COLLATE "C" >= %({low})s AND facet COLLATE "C" < %({high})s)'


def predicates(conditions: Sequence[Condition]) -> tuple[tuple[str, ...], dict[str, Any]]:
    """(tests that a row of ``document_nodes`` has to pass, their values by name).

    The index over facets answers what asks for a key; what asks for a range is looked at in the rows that have the
    field, which the index finds.
    """
    tests, values = [], dict[str, Any]()
    for number, condition in enumerate(conditions):
        keys, ranges, is_not, there = condition.wanted
        name = f"facets_{number}"
        values[name] = list(keys or (there,))
        test = f"facets && %({name})s::text[]"
        if ranges:
            between = []
            for place, (low, high) in enumerate(ranges):
                bounds = {"low": f"{name}_low_{place}", "high": f"{name}_high_{place}"}
                values |= {bounds["low"]: low, bounds["high"]: high}
                between.append(_BETWEEN.format(**bounds))
            test += f" AND EXISTS (SELECT FROM unnest(facets) AS facet WHERE {' OR '.join(between)})"
        tests.append(f"NOT ({test})" if is_not else f"({test})")
    return tuple(tests), values
