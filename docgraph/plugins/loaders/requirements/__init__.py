"""Requirements that stand in formats of their own."""
