"""Pages of components: MDX and what is like it."""
