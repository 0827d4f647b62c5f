"""The story and the picture that presenter mode shows."""
