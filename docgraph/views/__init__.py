"""Drawings and tables of plans and runs as plain data; no Streamlit here."""
