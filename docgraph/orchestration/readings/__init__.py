"""Snapshots that know more than the store told them now: recorded answers, and rankings out of saved plans."""
