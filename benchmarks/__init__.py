"""Benchmarks: docgraph beside hand-written code that does the same work, in the same run."""
