"""Entry of the dashboard: ``python app.py``, ``streamlit run app.py``, or ``docgraph dashboard``.

The script behind the pages lives in ``docgraph/ui/shell/shell.py``: a ``pages/`` folder beside the *main* script would
switch Streamlit to its own page menu until the shell has run once.
"""

import sys
from pathlib import Path

import streamlit as st

ROOT = Path(__file__).resolve().parent
if (ROOT / "docgraph").is_dir() and str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from docgraph.ui.shell import server  # noqa: E402

app = st.App(
    server.SHELL,
    secrets=server.sign_in(),
    routes=server.routes(),
    middleware=server.middleware(),
    lifespan=server.lifespan,
    on_script_error=server.on_script_error,
)

if __name__ == "__main__":
    from docgraph.settings import read_settings
    from docgraph.ui.frame.launcher import launch

    settings = read_settings()
    launch(settings.host, settings.port, allowed_hosts=settings.answered_names, max_upload_mb=settings.max_upload_mb)
