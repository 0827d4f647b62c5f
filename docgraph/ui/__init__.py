"""The Streamlit side of the dashboard: frame, resources, widgets, the graph component."""
