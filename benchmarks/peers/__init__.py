"""Libraries that do like work, each in an environment of its own, beside docgraph and hand-written code."""
