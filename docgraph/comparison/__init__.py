"""Comparison: what changed between two runs, why things left, and the numbers for it; pure, over the runs alone."""
