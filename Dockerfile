# Builds the program with the web app in it, and keeps nothing else.
#   docker build --tag parlour .
#   docker run --publish 7420:7420 --volume parlour:/data parlour --base-url http://NAME:7420
FROM rust:1.95-slim-trixie AS build
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /parlour
COPY . .
RUN cargo xtask build-web && cargo build --release --package parlour

FROM debian:trixie-slim
RUN useradd --system --uid 7420 --home-dir /data --create-home parlour
COPY --from=build /parlour/target/release/parlour /usr/local/bin/parlour
USER parlour
VOLUME /data
# 7421 only with `--metrics-listen 0.0.0.0:7421`: /metrics, for those who run it.
EXPOSE 7420
HEALTHCHECK CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/7420 && printf 'GET /healthz HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["parlour", "serve", "--listen", "0.0.0.0:7420", "--data", "/data"]
