"""One name in the two forms that Unicode has for it."""
