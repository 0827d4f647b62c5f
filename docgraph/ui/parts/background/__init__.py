"""Work in the background: done in a thread, kept by name, followed on the page while it runs, stopped on request."""
