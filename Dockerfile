FROM node:26-slim
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY src src
ENV HOST=0.0.0.0 DATA_DIR=/data
RUN mkdir /data && chown node /data
USER node
VOLUME /data
EXPOSE 4000
CMD ["node", "src/main.ts", "serve"]
