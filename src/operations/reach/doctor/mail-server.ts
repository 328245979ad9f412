import { connect, type Socket } from 'node:net';
import { checkMailDomain, nameInSpf, senderDomain } from '../../../identity/settings/dns.ts';
import { verifyMailServer } from '../../../platform/mail/transport.ts';
import { quote } from '../../../platform/messages.ts';
import { type Finding, right, unclear, wrong } from '../finding.ts';
import { isOfThisMachine } from '../visited.ts';
import { destroy, openTls } from './connection.ts';
import { type World, within } from './world.ts';

/** The ports of mail servers if a URL has none. */
const PORTS: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 };

/** Whether the mail server accepts a connection, TLS, the user and the password. No mail is sent. */
export async function checkMailServer(smtpUrl: string, mailFrom: string): Promise<Finding<'mailServer'>> {
  const { protocol, hostname, port, username } = new URL(smtpUrl);
  const login = username === '' ? '' : 'user:password@';
  const place = { host: hostname, port: Number(port) || (PORTS[protocol] ?? 25) };
  const subject = { check: 'mailServer', seen: `${protocol}//${place.host}:${place.port}` } as const;
  try {
    await verifyMailServer(smtpUrl, mailFrom);
    return right(subject);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const [other, speaks] = protocol === 'smtps:' ? ['smtp:', speaksPlain] : ['smtps:', speaksTls];
    if (code !== 'EAUTH' && (await speaks(place))) {
      const why = quote(`Port ${place.port} is for ${other}, not for ${protocol}.`);
      return wrong(subject, why, `SMTP_URL=${other}//${login}${place.host}:${place.port}`);
    }
    const line = `SMTP_URL=${protocol}//user:password@${place.host}:${place.port}`;
    return wrong(subject, quote(message.slice(0, MAX_WORDS)), code === 'EAUTH' ? line : null);
  }
}

const MAX_WORDS = 300;

type Port = { host: string; port: number };

async function speaksTls({ host, port }: Port): Promise<boolean> {
  const url = new URL(`https://${host}:${port}`);
  return openTls({ url, address: host.replace(/^\[|\]$/g, '') }, []).then(
    (socket) => {
      destroy(socket);
      return true;
    },
    () => false,
  );
}

async function speaksPlain({ host, port }: Port): Promise<boolean> {
  const socket: Socket = connect({ host: host.replace(/^\[|\]$/g, ''), port });
  try {
    const greeting = await within(
      new Promise<Buffer>((resolve, reject) =>
        socket.once('data', resolve).once('error', reject).once('close', reject),
      ),
    );
    return greeting.toString('latin1').startsWith('220');
  } catch {
    return false;
  } finally {
    destroy(socket);
  }
}

/** What DNS says of who may send mail for the domain of the sender. */
export async function checkMailDns(mailFrom: string, smtpUrl: string, world: World): Promise<Finding<'mailDns'>[]> {
  const domain = senderDomain(mailFrom);
  if (domain === null) return [];
  const found = await checkMailDomain(domain, world.dns);
  if (!found) return [unclear({ check: 'mailDns', seen: domain }, quote('DNS does not respond.'))];
  const seen = quote([...found.spf, ...found.dmarc].join(' · ') || '–');
  const subject = { check: 'mailDns', seen } as const;
  const { hostname } = new URL(smtpUrl);
  const sender = isOfThisMachine(hostname) ? 'mx' : nameInSpf(hostname);
  if (found.spf.length === 0) {
    const why = quote(`DNS does not say who may send mail for ${domain} (SPF): receivers take it for spam.`);
    return [wrong(subject, why, `${domain}. TXT "v=spf1 ${sender} ~all"`)];
  }
  if (found.dmarc.length > 0) return [right(subject)];
  const why = quote(`DNS does not say what to do with forged mail of ${domain} (DMARC): large receivers require it.`);
  return [wrong(subject, why, `_dmarc.${domain}. TXT "v=DMARC1; p=none"`)];
}
