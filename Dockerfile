# The server as an image. The packages are those of requirements.lock, checked by hash; what is left
# of the build stays behind in the first stage.
FROM python:3.11-slim-bookworm AS build
WORKDIR /build
COPY requirements.lock .
RUN python -m venv /opt/fieldapi \
    && /opt/fieldapi/bin/pip install --no-cache-dir --require-hashes --requirement requirements.lock
COPY pyproject.toml README.md ./
COPY fieldapi fieldapi
COPY sync sync
COPY migrations migrations
# Hatchling builds the wheel; the environment that runs gets the wheel and nothing of the builder.
RUN pip wheel --no-cache-dir --no-deps --wheel-dir dist . \
    && /opt/fieldapi/bin/pip install --no-cache-dir --no-deps dist/*.whl

FROM python:3.11-slim-bookworm
# Fonts for documents in Gujarati, Hindi, Kannada and Malayalam. Whatever Debian 12 has of them now:
# a version that Debian has replaced can no longer be fetched.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends fonts-noto-core \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /var/lib/fieldapi --create-home fieldapi
COPY --from=build /opt/fieldapi /opt/fieldapi
ENV PATH=/opt/fieldapi/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    FIELDAPI_DATA=/var/lib/fieldapi
USER 10001
VOLUME /var/lib/fieldapi
EXPOSE 8000
# Told to end it finishes the requests at hand, for 30 seconds: give it 45.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
ENTRYPOINT ["fieldapi"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
