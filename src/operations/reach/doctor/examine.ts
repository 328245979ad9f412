import { discover } from '../../../identity/accounts/openid/discovery.ts';
import type { Config } from '../../../platform/config.ts';
import { openDb } from '../../../platform/db/open.ts';
import { type Cipher, makeCipher } from '../../../platform/lib/cipher.ts';
import { SECOND_MS } from '../../../platform/lib/clock.ts';
import { readSecretKey } from '../../../platform/lib/secret-key.ts';
import { quote } from '../../../platform/messages.ts';
import { VERSION } from '../../../platform/version.ts';
import { right, wrong } from '../finding.ts';
import { judgeSender, type MailWay } from '../mail.ts';
import { judgeProviders } from '../providers.ts';
import { changeFor } from '../proxy-lines.ts';
import { type Approach, approach, judgeEnd } from './approach.ts';
import { ask, type Place } from './ask.ts';
import type { DoctorCheck, DoctorFinding } from './check.ts';
import { checkMailDns, checkMailServer } from './mail-server.ts';
import { below, type Meeting, meet } from './self.ts';
import { checkDisk, readStore, type StoreRecords } from './store.ts';
import {
  checkBody,
  checkClock,
  checkCompression,
  checkCookies,
  checkRequest,
  checkStream,
  type Met,
  proxyOf,
} from './through.ts';
import { realWorld, reasonOf, type World, within } from './world.ts';

/**
 * Examines all that stands between people and the running server: that first, then its store, the way to its public
 * address, what proxies do with requests, and the servers that it talks to. Each check is found at most once, and what
 * follows from another fault is not told as one.
 * @param publicUrl where people reach the server; null: at `BASE_URL`
 */
export async function* examine(
  config: Config,
  publicUrl: string | null,
  world: World = realWorld,
): AsyncGenerator<DoctorFinding> {
  const found = new Set<DoctorCheck>();
  for await (const finding of examineAll(config, publicUrl, world)) {
    if (found.has(finding.check)) continue;
    found.add(finding.check);
    yield finding;
  }
}

async function* examineAll(config: Config, publicUrl: string | null, world: World): AsyncGenerator<DoctorFinding> {
  const cipher = makeCipher(config.secretKey ?? readSecretKey(config) ?? '');
  const local = localPlace(config);
  const meeting = await meet(local, cipher, world.now());
  if (meeting.kind === 'ours') yield right({ check: 'server', seen: local.url.host });
  const baseUrl = meeting.kind === 'ours' ? meeting.details.baseUrl : config.baseUrl;
  const way = await approach(new URL(publicUrl ?? baseUrl), cipher, world);
  const met = metOn(way) ?? (meeting.kind === 'ours' ? meeting : null);
  if (meeting.kind !== 'ours') yield judgeServer(local, meeting, way);
  if (met) yield* judgeSettings(met, config);
  const records = await examineStore(config, met && (metOn(way) ? way.place : local));
  yield records.finding;
  yield await checkDisk(config);
  yield* met ? way.findings : way.findings.filter(isNoConsequence(local));
  yield* await judgeEnd(way, cipher, world, met && local.url.origin);
  if (way.place && way.meeting?.kind === 'ours')
    yield* examineProxy(way.place, way.meeting, { cipher, world, records });
  if (met) yield checkClock(met.now, world.now());
  yield* examineOthers(config, records, world);
}

/** Where the server listens, as it is reached from its own machine. */
function localPlace({ host, port }: Config): Place {
  const address = { '0.0.0.0': '127.0.0.1', '::': '::1', localhost: '127.0.0.1' }[host] ?? host;
  return { url: new URL(`http://${address.includes(':') ? `[${address}]` : address}:${port}`), address };
}

function metOn({ meeting }: Approach): Met | null {
  return meeting?.kind === 'ours' ? meeting : null;
}

function judgeServer({ url }: Place, meeting: Exclude<Meeting, { kind: 'ours' }>, way: Approach): DoctorFinding {
  if (way.place && metOn(way)) return right({ check: 'server', seen: way.place.url.host });
  if (meeting.kind === 'none') {
    const why = quote(
      `No server responds at ${url.host}: start it, or run this command with its settings (HOST, PORT).`,
    );
    return wrong({ check: 'server', seen: reasonOf(meeting.error) }, why, 'npm start');
  }
  const why = quote(
    `What responds at ${url.host} is not a server of this store and version: another program has the port, or the settings of this command (PORT, SECRET_KEY, DATA_DIR) are not those of the server.`,
  );
  return wrong({ check: 'server', seen: String(meeting.reply.status) }, why, null);
}

/** While the server is down, its own port being closed is no other fault. */
function isNoConsequence({ url }: Place): (finding: DoctorFinding) => boolean {
  return ({ check, seen }) => check !== 'port' || !new RegExp(`^${url.port}\\b`).test(seen.text);
}

function* judgeSettings({ details }: Met, config: Config): Generator<DoctorFinding> {
  const [theirs, ours] = [settingsLine(details), settingsLine(config)];
  if (theirs === ours) yield right({ check: 'settings', seen: theirs });
  else {
    const why = quote(
      'The server runs with other settings than this command: run it with those of the server, or restart the server.',
    );
    yield wrong({ check: 'settings', seen: theirs }, why, `${theirs} npm run -s earshot -- doctor`);
  }
  if (details.version === VERSION) return yield right({ check: 'version', seen: VERSION });
  const why = quote(`The server runs another version than this command, which is ${VERSION}: restart it.`);
  yield wrong({ check: 'version', seen: details.version }, why, 'systemctl restart earshot');
}

function settingsLine({
  baseUrl,
  trustProxy,
}: Pick<Config, 'baseUrl'> & { trustProxy: number | readonly string[] }): string {
  return `BASE_URL=${baseUrl} TRUST_PROXY=${trustProxy}`;
}

const STORE_MS = 15 * SECOND_MS;

/** The store as this command reads it, and as a running server says at `/readyz`. */
async function examineStore(config: Config, server: Place | null): Promise<StoreRecords> {
  const db = openDb(config);
  const failed = (words: string): StoreRecords => {
    return { finding: wrong({ check: 'store', seen: db.engine }, quote(words), null), domains: [], mail: null };
  };
  try {
    const records = await within(readStore(db, mailWay(config)), STORE_MS).catch((error) => failed(reasonOf(error)));
    if (!server || records.finding.isRight === false) return records;
    const { status, text } = await ask({ ...server, url: below(server.url, '/readyz') });
    return status === 503 ? { ...records, ...failed(`The server is not ready: ${text.slice(0, 300)}`) } : records;
  } catch (error) {
    return failed(`/readyz: ${reasonOf(error)}`);
  } finally {
    await within(db.close()).catch(() => {});
  }
}

function mailWay({ smtpUrl, mailFrom, baseUrl }: Config): MailWay {
  return { server: smtpUrl === null ? null : new URL(smtpUrl).host, from: mailFrom, baseUrl };
}

type Examination = { cipher: Cipher; world: World; records: StoreRecords };

async function* examineProxy(
  place: Place,
  met: Met,
  { cipher, world, records }: Examination,
): AsyncGenerator<DoctorFinding> {
  const fitting = (finding: DoctorFinding): DoctorFinding => {
    return { ...finding, change: finding.change && changeFor(proxyOf(met.reply), finding.change) };
  };
  for (const finding of await checkRequest(place, met, cipher, world, records.domains)) yield fitting(finding);
  yield fitting(await checkCookies(place, met, cipher));
  yield fitting(await checkCompression(place));
  yield fitting(await checkStream(place, met));
  yield fitting(await checkBody(place, met));
}

async function* examineOthers(config: Config, records: StoreRecords, world: World): AsyncGenerator<DoctorFinding> {
  const { smtpUrl, mailFrom, baseUrl, signInProviders } = config;
  if (records.mail) yield records.mail;
  yield* judgeSender(mailWay(config));
  if (smtpUrl !== null) {
    yield await checkMailServer(smtpUrl, mailFrom);
    yield* await checkMailDns(mailFrom, smtpUrl, world);
  }
  yield* judgeProviders(signInProviders, baseUrl);
  const openid = signInProviders.find((provider) => provider.openid)?.openid;
  if (openid) yield await checkIssuer(openid.issuer);
}

async function checkIssuer(issuer: string): Promise<DoctorFinding> {
  try {
    return right({ check: 'issuer', seen: (await discover(issuer)).issuer });
  } catch (error) {
    return wrong({ check: 'issuer', seen: issuer }, quote((error as Error).message), null);
  }
}
