"""The shell: server, security headers, and the script behind every page."""
