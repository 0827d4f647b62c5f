"""The section of all relationships: filter, table, detail, focus graph, changes."""
