"""Judgments on whatever page: who judges, what is known, and their marks."""
