"""The shape of the graph: documents that stand alone or point at many, relationships that bring nothing in."""
