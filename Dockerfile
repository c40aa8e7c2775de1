# claimeven as a server: docker build -t claimeven . && docker run -p 8080:8080 -v claimeven:/data claimeven
# tests/test_dockerfile.py carries out these steps without Docker.

FROM node:20-slim AS page
WORKDIR /build
COPY web web
RUN cd web && npm install --no-save --no-audit --no-fund && npm run build

FROM python:3.11-slim AS wheel
WORKDIR /build
RUN apt-get update && apt-get install -y --no-install-recommends g++
COPY pyproject.toml CMakeLists.txt README.md LICENSE ./
COPY native native
COPY src src
COPY --from=page src/claimeven/server/static src/claimeven/server/static
RUN pip wheel --no-deps --wheel-dir dist .

FROM python:3.11-slim
WORKDIR /app
COPY --from=wheel dist dist
RUN pip install --no-cache-dir dist/*.whl && rm -r dist
RUN useradd --create-home player && mkdir /data && chown player /data
USER player
VOLUME /data
EXPOSE 8080 12345
CMD ["claimeven", "serve", "--host", "0.0.0.0", "--port", "8080", "--database", "sqlite:////data/games.db"]
