"""Documents in lanes on the screen."""
