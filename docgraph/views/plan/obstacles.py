"""What keeps a document out of a plan, in the words of the screen rather than of the request."""

from __future__ import annotations

from docgraph.domain.explanation import Obstacle
from docgraph.views.plan.limits import cut_by
from docgraph.views.words import counts


def in_words(obstacle: Obstacle) -> str:
    """One sentence for an obstacle; its edges are shown beside it, so they are not repeated."""
    value = obstacle.value or 0
    match obstacle.kind:
        case "cut_by_limit" if obstacle.limit not in (None, "max_seeds"):
            would = f" (would be {counts.ordinal(obstacle.place)})" if obstacle.place else ""
            return f"Related, but {cut_by(obstacle.limit or '', value)}{would}"
        case "type_off":
            types = sorted({via for _, via, _ in obstacle.edges})
            return f"{counts.plural(len(types), 'type')} switched off: {', '.join(types)}"
        case "reasons_only":
            types = sorted({via for _, via, _ in obstacle.edges})
            return f"Related, but only by {', '.join(types)}, which gives reasons and adds no document"
        case "relationships_off":
            return "Relationships are switched off; with them on, one leads to it"
        case "incoming_only":
            return "Only an incoming relationship: it points to the plan, not the other way"
        case "two_hops":
            return "Two hops away; a second hop is never taken"
        case "from_non_expanding_seed":
            return f"A relationship leads to it from a match that does not lead on ({value} may)"
    return obstacle.text[:1].upper() + obstacle.text[1:]
