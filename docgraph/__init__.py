"""docgraph: plan retrieval over related documents, then execute the plan."""
