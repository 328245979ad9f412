/** Settings for mail that comes in; see docs/capture.md. */
export type MailInConfig = {
  /** The domain of the addresses of boards and replies, in lower case. */
  domain: string;
  /** Signs or accompanies what is sent to the HTTP intake; null: there is none. */
  secret: string | null;
  /** The port of the SMTP listener; null: there is none. */
  smtpPort: number | null;
  /** The address to listen on; null: that of the HTTP server. */
  smtpHost: string | null;
  /** Files of a certificate and its key, for STARTTLS. */
  certificate: { certFile: string; keyFile: string } | null;
};

const text = (allowed: string, form: RegExp) => ({
  fallback: '',
  allowed,
  parse: (given: string) => (given === '' || form.test(given) ? given : null),
});

/** As those in `config.ts`. */
export const mailInSettings = {
  INBOUND_MAIL_DOMAIN: text('a domain such as in.example.com', /^(?=.{1,190}$)([a-z0-9-]+\.)*[a-z0-9-]+$/i),
  INBOUND_MAIL_SECRET: text('at least 16 characters', /^.{16,500}$/),
  INBOUND_SMTP_PORT: {
    fallback: '',
    allowed: 'a port number from 1 to 65535',
    parse: (given: string) =>
      given === '' ? 0 : /^[1-9]\d{0,4}$/.test(given) && Number(given) <= 65_535 ? Number(given) : null,
  },
  INBOUND_SMTP_HOST: text('an address or host name to listen on', /^[\w.:-]+$/),
  INBOUND_SMTP_CERT: text('a file with a certificate and its chain', /./),
  INBOUND_SMTP_KEY: text('the file with the key of that certificate', /./),
};

type Name = keyof typeof mailInSettings;
type Read = <K extends Name>(name: K) => Exclude<ReturnType<(typeof mailInSettings)[K]['parse']>, null>;

/** The settings as they are used. */
export function readMailIn(read: Read): MailInConfig | null {
  const [domain, secret, smtpPort, smtpHost, certFile, keyFile] = [
    read('INBOUND_MAIL_DOMAIN'),
    read('INBOUND_MAIL_SECRET'),
    read('INBOUND_SMTP_PORT'),
    read('INBOUND_SMTP_HOST'),
    read('INBOUND_SMTP_CERT'),
    read('INBOUND_SMTP_KEY'),
  ];
  if (!domain) return null;
  return {
    domain: domain.toLowerCase(),
    secret: secret || null,
    smtpPort: smtpPort || null,
    smtpHost: smtpHost || null,
    certificate: certFile && keyFile ? { certFile, keyFile } : null,
  };
}

/** What is missing beside what is given. */
export function findMailInConflicts(isGiven: (name: Name) => boolean): string[] {
  const found: string[] = [];
  const others = (Object.keys(mailInSettings) as Name[]).filter((name) => name !== 'INBOUND_MAIL_DOMAIN');
  const given = others.filter(isGiven);
  if (given.length > 0 && !isGiven('INBOUND_MAIL_DOMAIN')) {
    found.push(`INBOUND_MAIL_DOMAIN: not set, though ${given.join(', ')} is`);
  }
  if (isGiven('INBOUND_MAIL_DOMAIN') && !isGiven('INBOUND_MAIL_SECRET') && !isGiven('INBOUND_SMTP_PORT')) {
    found.push('INBOUND_MAIL_DOMAIN: mail has no way in; set INBOUND_MAIL_SECRET or INBOUND_SMTP_PORT, too');
  }
  if (isGiven('INBOUND_SMTP_CERT') !== isGiven('INBOUND_SMTP_KEY')) {
    found.push('INBOUND_SMTP_CERT, INBOUND_SMTP_KEY: both are needed for STARTTLS');
  }
  return found;
}
