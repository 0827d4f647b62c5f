"""Measures answers by judgments, and says what differs between configurations, how surely, and whether a gate holds."""
