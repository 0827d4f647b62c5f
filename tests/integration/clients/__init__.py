"""What other people's packages really do, each in an environment of its own."""
