# Tocsin, compiled, without what compiled it. docs/install.md says how to use it.
#
#   docker build -t tocsin .
#   docker build -t tocsin:spark --build-arg EXTRAS=all --build-arg JAVA=17 .
ARG BASE=python:3.11-slim-bookworm

FROM ${BASE} AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY pyproject.toml setup.py README.md LICENSE requirements.lock ./
# The versions that were tested. Without the hashes: pip would ask for one of Tocsin itself.
RUN sed -e '/^ *--hash/d' -e 's/ *\\$//' requirements.lock > constraints.txt \
    && python -m venv /opt/tocsin
COPY src src
ARG EXTRAS=arrow,console,brokers,service
RUN TOCSIN_COMPILE=always /opt/tocsin/bin/python -m pip install --no-cache-dir --disable-pip-version-check \
        --constraint constraints.txt ".[${EXTRAS}]" \
    && /opt/tocsin/bin/tocsin --version | grep -q compiled

FROM ${BASE}
# Java is for Spark alone, and three times as large as the rest.
ARG JAVA=
RUN if [ -n "${JAVA}" ]; then \
        apt-get update \
        && apt-get install --yes --no-install-recommends "openjdk-${JAVA}-jre-headless" \
        && rm -rf /var/lib/apt/lists/*; \
    fi \
    && useradd --uid 10001 --create-home --shell /usr/sbin/nologin tocsin \
    && install --directory --owner=tocsin --group=tocsin /data
COPY --from=build /opt/tocsin /opt/tocsin
COPY docker/health.py /opt/tocsin/health.py
ENV PATH=/opt/tocsin/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    TOCSIN_HEALTH=http://127.0.0.1:9464/metrics
# A number, so that a cluster sees without a look into the image that it is not root.
USER 10001
WORKDIR /data
VOLUME /data
# That of `tocsin serve`.
EXPOSE 8750
# What is process 1 gets no signal that it has not asked for; Python asks for this one.
STOPSIGNAL SIGINT
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 \
    CMD ["python", "/opt/tocsin/health.py"]
ENTRYPOINT ["tocsin"]
CMD ["--help"]
