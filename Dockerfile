# syntax=docker/dockerfile:1
# One image; the command chooses the service: node apps/<service>/dist/main.js. Without one, all services in one process.

FROM node:24-bookworm-slim AS build
ENV NX_DAEMON=false NO_UPDATE_NOTIFIER=1
WORKDIR /app
# The lock file lacks other platforms' optional binaries, which `npm ci` refuses: `npm install` adds this platform's.
# It builds as well (`prepare`).
COPY . .
RUN --mount=type=cache,target=/root/.npm npm install --no-audit --no-fund
# What runs needs no compiler and no tests; of the encoder's runtime, only this system's binaries.
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/onnxruntime-node/bin/*/darwin node_modules/onnxruntime-node/bin/*/win32 .nx \
  && find apps libs -name node_modules -prune -o \
    \( -name '*.ts' -o -name '*.map' -o -name '.tsbuildinfo' \) -type f -exec rm {} +

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Postmaster" \
  org.opencontainers.image.description="Composite vector retrieval for many tenants" \
  org.opencontainers.image.licenses="Apache-2.0"
RUN groupadd --gid 10001 postmaster \
  && useradd --uid 10001 --gid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin postmaster \
  && mkdir /data && chown 10001:10001 /data && chmod 700 /data
WORKDIR /app
# Owned by root: the process can't change its own code. It writes to /data and /tmp alone.
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/models models
COPY --from=build /app/libs libs
COPY --from=build /app/apps apps
# `postmaster` is the command line.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 POSTMASTER_DATA=/data PATH=/app/node_modules/.bin:$PATH
USER 10001:10001
VOLUME /data
EXPOSE 4000
# Node is the first process and stops gracefully by itself.
STOPSIGNAL SIGTERM
CMD ["node", "apps/standalone/dist/main.js"]
