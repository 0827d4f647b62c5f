"""Checks a run against the promises of the seeds, with a number for each."""
