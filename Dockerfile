# claimeven as a server: docker build -t claimeven . && docker run -p 8080:8080 -v claimeven:/data claimeven
# Hosts that choose the port say so in PORT; a PostgreSQL database is named in DATABASE (docs/server.md).
# tests/outside/test_image.py builds it with buildah.

ARG NODE=docker.io/library/node:22-slim
ARG PYTHON=docker.io/library/python:3.13-slim

FROM ${NODE} AS page
WORKDIR /build
COPY web web
COPY src/claimeven/catalogue/told src/claimeven/catalogue/told
RUN cd web && npm ci --no-audit --no-fund && npm run build

FROM ${PYTHON} AS wheel
WORKDIR /build
RUN apt-get update && apt-get install -y --no-install-recommends g++
COPY pyproject.toml CMakeLists.txt README.md LICENSE ./
COPY native native
COPY src src
# What another stage has made is named from that stage's root, whatever its WORKDIR is.
COPY --from=page /build/src/claimeven/server/static src/claimeven/server/static
RUN pip wheel --no-deps --wheel-dir dist .

FROM ${PYTHON}
WORKDIR /app
COPY --from=wheel /build/dist dist
RUN pip install --no-cache-dir "$(echo dist/*.whl)[cluster]" && rm -r dist
RUN useradd --create-home player && mkdir /data && chown player /data
USER player
VOLUME /data
ENV PORT=8080 DATABASE=sqlite:////data/games.db
EXPOSE 8080 12345
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s \
  CMD ["sh", "-c", "exec python -c \"import urllib.request as u; u.urlopen('http://127.0.0.1:$PORT/api/health', timeout=8)\""]
CMD ["sh", "-c", "exec claimeven serve --host 0.0.0.0 --port \"$PORT\" --database \"$DATABASE\""]
