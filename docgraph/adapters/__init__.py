"""docgraph as a retriever of other libraries: one file each, which imports its library when it is imported."""
