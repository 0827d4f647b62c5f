"""How many imports of a workspace are kept where nobody says it."""

KEPT = 50
"""The newest; the oldest go."""
