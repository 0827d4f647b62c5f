"""Programs of users, which type checkers read and nobody runs."""
