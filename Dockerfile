FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY scripts scripts
COPY src src
COPY web web
RUN node scripts/prepare.js
RUN node scripts/notices.ts

FROM node:26-slim
WORKDIR /app
COPY package.json ./
COPY web/i18n web/i18n
COPY examples examples
COPY --from=build /app/THIRD-PARTY-NOTICES.md THIRD-PARTY-NOTICES.md
COPY --from=build /app/dist dist
COPY --from=build /app/web/build web/build
# The program has its packages in it, but for what draws pictures: native code, and a font.
COPY --from=build /app/node_modules/sharp node_modules/sharp
COPY --from=build /app/node_modules/@img node_modules/@img
COPY --from=build /app/node_modules/detect-libc node_modules/detect-libc
COPY --from=build /app/node_modules/semver node_modules/semver
COPY --from=build /app/node_modules/@expo-google-fonts node_modules/@expo-google-fonts
ENV HOST=0.0.0.0 DATA_DIR=/data NODE_COMPILE_CACHE=/app/node_modules/.cache/earshot
RUN mkdir -p /data node_modules/.cache/earshot && chown node /data node_modules/.cache/earshot && chmod 700 /data
USER node
VOLUME /data
EXPOSE 4000
# A server that waits for its database is alive: readiness is for proxies to check, at /readyz.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 4000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js", "serve"]
