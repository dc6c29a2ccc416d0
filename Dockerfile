# Norn with a compiler: docker run --rm -v "$PWD:/work" norn check test.c
FROM rust:1.95-slim-bookworm AS build
WORKDIR /norn
COPY . .
RUN cargo build --locked --profile dist -p norn

FROM debian:bookworm-slim
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends clang libc6-dev libstdc++-12-dev \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 norn
COPY --from=build /norn/target/dist/norn /usr/local/bin/norn
USER 1000
WORKDIR /work
ENTRYPOINT ["norn"]
