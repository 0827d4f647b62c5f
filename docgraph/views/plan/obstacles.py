"""What keeps a document out of a plan, in the words of the screen rather than of the request."""

from __future__ import annotations

from docgraph.domain.explanation import Obstacle
from docgraph.views.words import counts


def in_words(obstacle: Obstacle) -> str:
    """One sentence for an obstacle; its edges are shown beside it, so they are not repeated."""
    value = obstacle.value or 0
    match obstacle.kind:
        case "cut_by_limit" if obstacle.limit not in (None, "max_seeds"):
            would = f", next at position {obstacle.place:,}" if obstacle.place else ""
            return f"Related, but {counts.left_out(obstacle.limit or '', value)}{would}"
        case "type_off":
            types = sorted({via for _, via, _ in obstacle.edges})
            return f"{counts.plural(len(types), 'type')} switched off: {', '.join(types)}"
        case "reasons_only":
            types = sorted({via for _, via, _ in obstacle.edges})
            return f"Related only through {', '.join(types)}, which gives reasons but adds no document"
        case "relationships_off":
            return "Relationships are switched off; one of them leads to it"
        case "incoming_only":
            return "It links to a document of the plan; only links from the plan are followed"
        case "two_hops":
            return "Two relationships away; a plan follows only one"
        case "from_non_expanding_seed":
            return f"A match links to it, but only {counts.plural(value, 'match is', 'matches are')} followed"
    return obstacle.text[:1].upper() + obstacle.text[1:]
