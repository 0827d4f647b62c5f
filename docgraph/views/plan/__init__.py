"""A plan as a graph, tables and words."""
