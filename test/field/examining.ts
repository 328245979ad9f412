import type { TestContext } from 'node:test';
import { examine } from '../../src/operations/reach/doctor/examine.ts';
import type { World } from '../../src/operations/reach/doctor/world.ts';
import { readConfig } from '../../src/platform/config.ts';
import type { Engine } from '../../src/platform/db/db.ts';
import { startDns } from '../support/dns.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import type { Passing } from '../support/passing.ts';
import { findFreePort } from '../support/postgres.ts';
import { environmentFor, type RunningServer, startServer } from '../support/process.ts';
import { type ReverseProxy, startProxy } from '../support/proxy.ts';
import { readCertificate } from '../support/raw-receiver.ts';
import { makeStorePlace } from '../support/store.ts';

/** The name in the certificates of the tests. */
export const NAME = 'hooks.example.com';

/** A server behind a proxy with TLS, and all that it needs. */
export type Installation = {
  server: RunningServer;
  proxy: ReverseProxy;
  mailServer: MailServer;
  baseUrl: string;
  /** The settings of the server, with which `doctor` runs. */
  env: Record<string, string>;
  world: World;
  /** What is wrong, with the lines to change. */
  examine(options?: Examining): Promise<Record<string, string | null>>;
};

type Examining = { env?: Record<string, string>; url?: string | null; world?: Partial<World> };
type Settings = { baseUrl?: (port: number) => string; isSecure?: boolean; env?: Record<string, string> };

/** What a proxy that ends TLS must do, and no more. */
export const healthy: Passing = {
  headers: (sent, { address }) => ({ ...sent, 'x-forwarded-for': address, 'x-forwarded-proto': 'https' }),
};

/** Installs a server, in a process of its own, as it should be, except for what is set otherwise. */
export async function install(t: TestContext, engine: Engine, settings: Settings = {}): Promise<Installation> {
  const { isSecure = true, baseUrl: baseUrlAt = (port) => `https://${NAME}:${port}` } = settings;
  const port = await findFreePort();
  const baseUrl = baseUrlAt(port);
  const mailServer = await startMailServer(t);
  const mail = { SMTP_URL: mailServer.url, MAIL_FROM: `Acme <ideas@${NAME}>` };
  const place = await makeStorePlace(t, engine);
  const env = { ...environmentFor(place), ...mail, BASE_URL: baseUrl, TRUST_PROXY: '127.0.0.1', ...settings.env };
  const server = await startServer(t, env);
  const proxy = await startProxy(t, [server.url], { passing: healthy, port, isSecure });
  const world = await makeWorld(t);
  const own = { ...env, PORT: new URL(server.url).port };
  return {
    server,
    proxy,
    mailServer,
    baseUrl,
    world,
    env: own,
    examine: (options = {}) => findWrong({ ...own, ...options.env }, { ...world, ...options.world }, options.url),
  };
}

async function findWrong(env: Record<string, string>, world: World, url: string | null = null) {
  const wrong: Record<string, string | null> = {};
  for await (const { check, isRight, change } of examine(readConfig(env), url, world)) {
    if (isRight === false) wrong[check] = change?.line ?? null;
  }
  return wrong;
}

/** Where the name leads to this machine, the authority of the tests is known, and DNS has records for mail. */
async function makeWorld(t: TestContext): Promise<World> {
  const { server } = await startDns(t, (name) => {
    const value = name.startsWith('_dmarc.') ? 'v=DMARC1; p=none' : 'v=spf1 mx ~all';
    return [{ type: 'TXT', value }];
  });
  return {
    lookup: async () => ['127.0.0.1'],
    dns: { servers: [server] },
    authorities: [readCertificate('authority')],
    httpPort: 80,
    now: Date.now,
    ownAddresses: () => ['127.0.0.1'],
  };
}
