"""Plug-ins that order texts by how well they answer a question; one file each."""
