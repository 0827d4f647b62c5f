"""Small runs and graphs to test with."""
