import type { Finding, OverviewCheck } from '../finding.ts';

/** What only an examination from outside finds. */
export type DoctorCheck =
  | OverviewCheck
  // The server itself.
  | 'server'
  | 'settings'
  | 'version'
  | 'store'
  | 'disk'
  // The way to the public address.
  | 'dns'
  | 'port'
  | 'certificate'
  | 'redirect'
  | 'self'
  | 'path'
  // What the proxy does with requests and responses.
  | 'cookies'
  | 'body'
  | 'stream'
  | 'clock'
  // Others that the server talks to.
  | 'mailServer'
  | 'mailDns'
  | 'issuer';

export type DoctorFinding = Finding<DoctorCheck>;
