"""Plug-ins that find candidates for a question; one file each."""
