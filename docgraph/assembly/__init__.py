"""Turns retrieved evidence into the text a model would receive, under a token budget."""
