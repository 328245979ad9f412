import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileFolder } from '../feedback/files/folder.ts';
import type { AccountAccess } from '../identity/accounts/access.ts';
import type { Accounts } from '../identity/accounts/accounts.ts';
import { beginOperation } from '../identity/activity/activity.ts';
import { type BoardRow, findBoard } from '../identity/board/board.ts';
import type { KeyForm } from '../identity/keys/managing.ts';
import type { Operation, RequestContext } from '../identity/users/request-context.ts';
import type { UserRow } from '../identity/users/users.ts';
import type { AgentSignIn } from '../operations/agents/agents.ts';
import type { ImportJobs } from '../operations/imports/job-runner.ts';
import type { Seen } from '../operations/reach/seen.ts';
import type { TokenKeys } from '../operations/sso/board-token.ts';
import type { PublishedKeys } from '../operations/sso/published-keys.ts';
import type { Db } from '../platform/db/db.ts';
import { notFound } from '../platform/errors.ts';
import { networkOf } from '../platform/http/ip.ts';
import type { Clock } from '../platform/lib/clock.ts';
import type { Logger } from '../platform/lib/log.ts';
import type { NetworkLimit } from '../platform/limits/network-limit.ts';
import type { MailTransport } from '../platform/mail/transport.ts';
import type { Sender } from '../webhooks/http/sender.ts';
import type { WebhookForm } from '../webhooks/managing/managing.ts';
import type { Embed } from './embedding.ts';
import { People } from './people.ts';
import type { Picture } from './pictures/picture.ts';
import { renderPicture } from './pictures/rendering.ts';

/** What the server lends to the loaders and actions of the pages, for one request. */
export type Visit = {
  readonly requestId: string;
  /** Whether a form was sent: the page that answers it stays where it is, with what was typed. */
  readonly isForm: boolean;
  /** For inline scripts and styles, see `security.ts`. */
  readonly nonce: string;
  /** Whether pages become files that work without the server: they have no scripts, no forms and no ages. */
  readonly isStatic: boolean;
  /** The frame on another site that shows the page, if any. */
  readonly embed: Embed | null;
  /** The built style sheets as one text, for a page that has them in itself; null if it links them. */
  readStyles(paths: readonly string[]): string | null;
  /** Gives the browser a cookie with the response. */
  setCookie(cookie: string): void;
  /** The language that the visitor asks for, see `askedLanguage`; in a frame, the site around it does. */
  readonly asked: string | null;
  /** The language of the response: that of the board's pages, else `asked`. */
  language(): string | null;
  /** The language of a board's pages for a viewer: what they have chosen or ask for, or the board's. */
  languageOn(board: BoardRow, user: UserRow | null): string;
  /** The client's IP address, behind any trusted proxies. */
  readonly address: string;
  /** The host that the visitor typed, with its port. */
  readonly host: string;
  readonly baseUrl: string;
  /** The path under which the server is reached, see `prefixOf`; the addresses within pages are without it. */
  readonly prefix: string;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  /** What the request changes on a board, which the team can undo as a whole. */
  readonly operation: Operation;
  /** Sends requests to the receivers of webhooks. */
  readonly sender: Sender;
  readonly mail: MailSettings;
  /** The bytes of uploaded files. */
  readonly folder: FileFolder;
  /** The imports that run in this process. */
  readonly imports: ImportJobs;
  /** The agents that ask to be connected to a board. */
  readonly agents: AgentSignIn;
  /** What the server sees of the way that the request came. */
  readonly seen: Seen;
  readonly trustProxy: number | readonly string[];
  /** The operations on the visitor's account. */
  readonly access: AccountAccess;
  /** Who the visitor is on boards. */
  readonly people: People;
  /** The published keys that check tokens of single sign-on. */
  readonly tokenKeys: TokenKeys;
  /** @throws NOT_FOUND if the board does not exist, or the visitor may not see it; an error page for a form kept for another one */
  openBoard(pid: string | undefined): Promise<RequestContext>;
  /**
   * The board of a visitor who is about to get access, by a token or an invitation: nothing of the board may be shown
   * before.
   * @throws NOT_FOUND
   */
  openDoor(pid: string | undefined): Promise<RequestContext>;
  /** A form that creates an API key, see `issueKey`. */
  keyForm(nonce: string): KeyForm;
  /** A form that creates a webhook. */
  webhookForm(id: string): WebhookForm;
  /** Makes changes to keys and boards take effect immediately in this process. */
  keysChanged(): void;
  /** Refuses documents that a publishable key may not send. @throws BAD_REQUEST */
  requireDocuments(source: string): void;
  /** Makes changes to a user take effect immediately in this process. */
  personChanged(user: UserRow): void;
  /** Counts a search of the visitor. @throws RATE_LIMIT_EXCEEDED */
  countSearch(): Promise<void>;
  /** The picture of a link, as PNG. @throws RATE_LIMIT_EXCEEDED when the visitor's network has caused too many */
  drawPicture(picture: Picture): Promise<Buffer>;
  logFault(error: unknown): void;
};

/** How the server sends mail, limited to what owners may see. */
export type MailSettings = {
  transport: MailTransport;
  /** The host of the mail server; null when mail becomes files. */
  server: string | null;
  from: string;
  /** Where those files are. */
  folder: string;
  /** The domain of mail that comes in; null: none does. */
  domainIn: string | null;
};

/** The parts of a request that a visit needs. */
export type Visitor = {
  requestId: string;
  isForm: boolean;
  /** The only visitor whom a form may be sent by; null if it was not kept by a browser. */
  keptFor: string | null;
  /** Whether the visitor comes from elsewhere, and has probably none of our files yet. */
  isArriving: boolean;
  nonce: string;
  address: string;
  host: string;
  cookies: string | undefined;
  userAgent: string | undefined;
  /** See `askedLanguage`. */
  language: string | null;
  setCookie(cookie: string): void;
  readSeen(): Seen;
  embed: Embed | null;
};

export type VisitDeps = {
  db: Db;
  clock: Clock;
  log: Logger;
  baseUrl: string;
  prefix: string;
  secretKey: string;
  accounts: Accounts;
  sender: Sender;
  mail: MailSettings;
  folder: FileFolder;
  trustProxy: number | readonly string[];
  limits: Record<'searches' | 'pictures', NetworkLimit>;
  published: PublishedKeys;
  imports: ImportJobs;
  agents: AgentSignIn;
  /** The built files for browsers; null while developing. */
  clientFolder: string | null;
  /** See `Visit`. */
  isStatic?: boolean;
  keysChanged(): void;
  requireDocuments(source: string): void;
  personChanged(user: UserRow): void;
};

/** Creates what the pages work with in one request. */
export function makeVisit(deps: VisitDeps, visitor: Visitor): Visit {
  const { db, clock, log, baseUrl, prefix, secretKey, accounts, sender, mail, folder, keysChanged, personChanged } =
    deps;
  const { limits, published, imports, agents, clientFolder, trustProxy, requireDocuments, isStatic = false } = deps;
  const access = accounts.of(visitor);
  const { requestId, isForm, isArriving, nonce, address, host, setCookie, embed } = visitor;
  const operation = beginOperation();
  const languages = languagesOf(visitor);
  let language = languages.asked;
  const boards = new Map<string, Promise<BoardRow | null>>();
  const people = new People(deps, visitor, access);
  async function openDoor(pid = ''): Promise<RequestContext> {
    // Several loaders of one page request the same board.
    boards.set(pid, boards.get(pid) ?? findBoard(db.read, pid));
    const board = await boards.get(pid);
    if (!board) throw notFound('Board');
    return { db, clock, baseUrl, board, operation };
  }
  return {
    requestId,
    isForm,
    nonce,
    isStatic,
    embed,
    readStyles: (paths) => (isArriving && clientFolder !== null ? readStyles(clientFolder, prefix, paths) : null),
    setCookie,
    ...languages,
    language: () => language,
    address,
    host,
    baseUrl,
    prefix,
    db,
    clock,
    log,
    operation,
    sender,
    mail,
    folder,
    imports,
    agents,
    get seen() {
      return visitor.readSeen();
    },
    trustProxy,
    access,
    people,
    tokenKeys: { cipher: sender.cipher, published },
    async openBoard(pid) {
      const context = await openDoor(pid);
      await requireSender(visitor, people, context.board);
      if (!(await people.mayEnter(context.board))) throw notFound('Board');
      language = languages.languageOn(context.board, await people.on(context.board));
      return context;
    },
    openDoor,
    ...formsOf(secretKey),
    requireDocuments,
    keysChanged() {
      boards.clear();
      keysChanged();
    },
    personChanged,
    countSearch: async () => limits.searches.count(networkOf(address)),
    drawPicture: (picture) => renderPicture(picture, () => limits.pictures.count(networkOf(address))),
    logFault: (err) => log.error({ requestId, err }, 'A page failed'),
  };
}

function formsOf(serverSecret: string): Pick<Visit, 'keyForm' | 'webhookForm'> {
  return { keyForm: (nonce) => ({ serverSecret, nonce }), webhookForm: (id) => ({ serverSecret, id }) };
}

/** What a browser kept for one visitor is refused from another, who has signed in since. @throws an error page */
async function requireSender({ keptFor }: Visitor, people: People, board: BoardRow): Promise<void> {
  if (keptFor === null || keptFor === ((await people.idOn(board)) ?? 'anyone')) return;
  throw new Response(null, { status: 412 });
}

/** What a visitor is to be written in. A frame is written as the site around it is. */
function languagesOf({ embed, language }: Visitor): Pick<Visit, 'asked' | 'languageOn'> {
  const asked = embed ? (embed.locale ?? null) : language;
  return { asked, languageOn: (board, user) => embed?.locale ?? (user ? user.locale : asked) ?? board.locale };
}

/** The texts of the built style sheets: few, and the same for every page. */
const texts = new Map<string, string>();

/**
 * Reads style sheets for a page that has them in itself.
 * @param folder the built files for browsers
 * @param prefix that of the server
 * @param paths as pages link them, for example `/assets/root-DyJvL6ao.css` below the prefix; React Router ends those with
 * `#` that a part of the page loads later, too
 */
function readStyles(folder: string, prefix: string, paths: readonly string[]): string {
  return paths
    .map((path) => {
      const text = texts.get(path) ?? readSheet(folder, prefix, path);
      texts.set(path, text);
      return text;
    })
    .join('\n');
}

/** Within a page, what a sheet names relative to itself is named by its whole path. */
function readSheet(folder: string, prefix: string, path: string): string {
  const sheet = readFileSync(join(folder, path.slice(prefix.length).replace(/#$/, '')), 'utf8');
  return sheet.replaceAll('url(./', `url(${prefix}/assets/`);
}
