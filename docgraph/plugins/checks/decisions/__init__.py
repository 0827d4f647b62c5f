"""What people decided, and what changed since."""
