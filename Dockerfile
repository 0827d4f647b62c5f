# The dashboard without a database of its own: docker-compose.yml puts PostgreSQL with pgvector beside it.
# The image is named by digest, for x86-64 and ARM alike; the tag says what it is. A newer one: docs/containers.md.
ARG PYTHON_IMAGE=python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b

# Everything comes as a wheel of the lock file, checked by its hash, so no compiler is needed; what lacks a wheel
# stops the build here instead of being built from whatever there is.
FROM ${PYTHON_IMAGE} AS build
WORKDIR /src
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1
COPY pylock.toml ./
COPY tools/locked_requirements.py tools/
RUN python -m venv /opt/docgraph \
 && python tools/locked_requirements.py pylock.toml > requirements.txt \
 && /opt/docgraph/bin/pip install --only-binary :all: --require-hashes -r requirements.txt
COPY pyproject.toml PACKAGE.md LICENSE app.py ./
COPY docgraph docgraph
COPY pages pages
COPY sample_data sample_data
COPY .streamlit .streamlit
RUN /opt/docgraph/bin/pip install --no-deps . \
 && /opt/docgraph/bin/pip check

FROM ${PYTHON_IMAGE}
RUN useradd --create-home --uid 10001 docgraph
COPY --from=build /opt/docgraph /opt/docgraph
ENV PATH=/opt/docgraph/bin:$PATH PYTHONUNBUFFERED=1 DOCGRAPH_HOST=0.0.0.0 DOCGRAPH_PORT=8501
# By number, so that an orchestrator can see that it is not root.
USER 10001:10001
WORKDIR /home/docgraph
EXPOSE 8501
# Asks the database, not just whether a port is open: the dashboard answers while its database is away.
HEALTHCHECK --interval=30s --timeout=15s --start-period=120s --retries=3 \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/docgraph-health', timeout=12)"]
CMD ["docgraph", "dashboard", "--load-sample", "--no-browser"]
