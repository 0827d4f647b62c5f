"""Findings as a queue, in words, and how far somebody is with them."""
