"""The rules that every store keeps, by what they are about."""
