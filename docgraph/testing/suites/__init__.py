"""The compliance suites, one for each kind of plug-in."""
