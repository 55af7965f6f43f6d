# One process, no root, everything that it keeps in /data. See docs/containers.md.
FROM python:3.13-slim-bookworm AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /venv
COPY requirements/server.txt /build/requirements/server.txt
RUN /venv/bin/pip install --require-hashes -r /build/requirements/server.txt
COPY pyproject.toml README.md LICENSE /build/
COPY src /build/src
RUN /venv/bin/pip install --no-deps /build && /venv/bin/pip uninstall --yes pip

FROM python:3.13-slim-bookworm
RUN useradd --uid 10001 --no-create-home --home-dir /data hindsight \
    && install --directory --owner hindsight --mode 0700 /data
COPY --from=build /venv /venv
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    HINDSIGHT_MEMORY_STORE_URL=sqlite:////data/memory.db \
    HINDSIGHT_MEMORY_HOST=0.0.0.0 \
    HINDSIGHT_MEMORY_PORT=8080
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8080/healthz', timeout=4)"]
STOPSIGNAL SIGTERM
CMD ["hindsight-memory", "serve"]
