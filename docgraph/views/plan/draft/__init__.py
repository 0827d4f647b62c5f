"""A what-if draft against its base: what it changes, and how that looks."""
