"""Graphs that other programs wrote."""
