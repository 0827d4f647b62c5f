"""First runs on folders that people have, walked in a real browser and counted: acts, seconds, dead ends."""
