"""Small graphs to test with."""
