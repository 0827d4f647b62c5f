# The dashboard without a database of its own: docker-compose.yml puts PostgreSQL with pgvector beside it.
FROM python:3.12-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE app.py ./
COPY docgraph docgraph
COPY pages pages
COPY sample_data sample_data
COPY .streamlit .streamlit
RUN python -m venv /opt/docgraph && /opt/docgraph/bin/pip install --no-cache-dir .

FROM python:3.12-slim
RUN useradd --create-home --uid 10001 docgraph
COPY --from=build /opt/docgraph /opt/docgraph
ENV PATH=/opt/docgraph/bin:$PATH PYTHONUNBUFFERED=1 DOCGRAPH_HOST=0.0.0.0 DOCGRAPH_PORT=8501
USER docgraph
WORKDIR /home/docgraph
EXPOSE 8501
HEALTHCHECK --interval=15s --timeout=5s --start-period=90s --retries=4 \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
CMD ["docgraph", "dashboard", "--load-sample", "--no-browser"]
