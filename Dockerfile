# Holdfast in a container: `docker build -t holdfast .`, then see docs/install.md.
#
# The runtime is the Node of the lockfile; both images only provide the C library. Their tags always name the same release. To pin a
# build exactly, give the digests as well: --build-arg RUN_IMAGE=debian:trixie-20260803-slim@sha256:…
ARG BUILD_IMAGE=node:26.7.0-trixie-slim
ARG RUN_IMAGE=debian:trixie-20260803-slim

FROM ${BUILD_IMAGE} AS install
WORKDIR /opt/holdfast
COPY . .
# The runtime comes with headers and manuals, which are not needed here.
RUN npm ci --omit=dev --no-audit --no-fund \
 && rm -rf node_modules/node-linux-*/include node_modules/node-linux-*/share node_modules/node-linux-*/CHANGELOG.md \
 && install -d -o 10001 -g 10001 node_modules/.cache \
 && install -d -m 0700 -o 10001 -g 10001 /var/lib/holdfast
# Compiled code is cached per user, so the user of the service creates it.
USER 10001:10001
RUN node_modules/.bin/node scripts/build/fill-compile-cache.mjs

FROM ${RUN_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Holdfast" \
      org.opencontainers.image.description="Self-hosted live configuration, player saves and sign-in for games and apps" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# The one library that the runtime needs and the slim image lacks.
COPY --from=install /usr/lib/*-linux-gnu/libatomic.so.1 /usr/local/lib/
RUN ldconfig
COPY --from=install /opt/holdfast /opt/holdfast
COPY --from=install --chown=10001:10001 /opt/holdfast/node_modules/.cache /opt/holdfast/node_modules/.cache
COPY --from=install --chown=10001:10001 /var/lib/holdfast /var/lib/holdfast
ENV PATH=/opt/holdfast/node_modules/.bin:/usr/local/bin:/usr/bin:/bin \
    NODE_COMPILE_CACHE_READONLY=1 \
    SVC_HOST=0.0.0.0 \
    SVC_DATA_DIR=/var/lib/holdfast
WORKDIR /opt/holdfast
USER 10001:10001
VOLUME /var/lib/holdfast
EXPOSE 8787
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "/opt/holdfast/deploy/container/health.mjs"]
# There is no shell in between: `holdfast` becomes Node, which is process 1 and gets SIGTERM itself.
ENTRYPOINT ["holdfast"]
CMD ["serve"]
