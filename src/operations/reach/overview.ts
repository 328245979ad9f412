import { findBoardByDomain } from '../../identity/board/board.ts';
import type { Reader } from '../../platform/db/db.ts';
import type { SignInProvider } from '../../platform/sign-in-settings.ts';
import type { Finding } from './finding.ts';
import { judgeMail, judgeSender, listMailResults, type MailWay } from './mail.ts';
import { judgeProviders } from './providers.ts';
import { judgeRequest } from './request.ts';
import type { Seen } from './seen.ts';
import { hostnamesIn } from './visited.ts';

type Overview = {
  seen: Seen;
  trustProxy: number | readonly string[];
  boardId: string;
  mail: MailWay;
  providers: readonly SignInProvider[];
};

/** What stands between people and a board, as far as the request for its overview and its own records tell. */
export async function judgeReach(
  reader: Reader,
  { seen, trustProxy, boardId, mail, providers }: Overview,
): Promise<Finding[]> {
  const { baseUrl } = mail;
  const domains = await findDomains(reader, seen);
  return [
    ...judgeRequest(seen, { baseUrl, trustProxy, domains }),
    judgeMail(await listMailResults(reader, boardId), mail),
    ...judgeSender(mail),
    ...judgeProviders(providers, baseUrl),
  ];
}

/** The custom domains among the names in a request. */
async function findDomains(reader: Reader, seen: Seen): Promise<string[]> {
  const names = hostnamesIn(seen);
  const found = await Promise.all(names.map((name) => findBoardByDomain(reader, name)));
  return names.filter((_, n) => found[n]);
}
