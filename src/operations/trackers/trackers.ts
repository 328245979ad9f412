import type { Selectable } from 'kysely';
import { lockBoard } from '../../identity/board/board.ts';
import { type Actor, requireRight } from '../../identity/users/authority.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { badRequest, conflict, notFound } from '../../platform/errors.ts';
import { type Cipher, DecryptionError } from '../../platform/lib/cipher.ts';
import { makeId, makeToken } from '../../platform/lib/ids.ts';
import { type LocalizedMessage, msg } from '../../platform/messages.ts';
import type { Sender } from '../../webhooks/http/sender.ts';
import { makeTrackerClient, makeTrackerDial, type TrackerClient } from './client.ts';
import { readFailure, TrackerFault } from './fault.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { jira } from './jira.ts';
import type { TrackerKind } from './kinds.ts';
import { linear } from './linear.ts';
import type { Found, TrackerProduct } from './product.ts';

/** What follows once an issue was completed: the team is asked, its ideas are completed, or nothing. */
export const trackerRules = ['ASK', 'COMPLETE', 'NOTHING'] as const;
export type TrackerRule = (typeof trackerRules)[number];

type TrackerTable = {
  board_id: string;
  id: string;
  kind: TrackerKind;
  /** What the tracker calls it, such as `acme/app`. */
  project: string;
  /** What the tracker calls the project whatever its name is, and the account that the token is of; '' if that is unknown. */
  project_key: string;
  account: string;
  api_url: string;
  /** Both encrypted: what Earshot signs in with, and what signs the requests of the tracker. */
  token: string;
  secret: string;
  rule: TrackerRule;
  /** Whether a comment tells each issue of votes and statuses. */
  tells_issues: 0 | 1;
  date_created: number;
  /** Changes until then were read, by the clock of the tracker. */
  date_read: number;
  /** When changes are read next. While there are failures, nothing else is asked before. */
  date_due: number;
  failures: number;
  failure: string | null;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    trackers: TrackerTable;
  }
}

export type TrackerRow = Selectable<TrackerTable>;

/** A tracker as its settings show it. */
export type TrackerView = {
  id: string;
  kind: TrackerKind;
  project: string;
  rule: TrackerRule;
  tellsIssues: boolean;
  /** Where the tracker sends its requests. */
  url: string;
  /** Whether the tracker can be asked to make its webhook, and no secret is to be entered there. */
  makesHook: boolean;
  dateRead: number;
  failure: LocalizedMessage | null;
};

type AdminContext = RequestContext & { actor: Actor };

const MAX_TRACKERS = 20;
const MAX_TOKEN = 500;
export const TRACKERS_PATH = '/api/v1/trackers';

/** The description of each tracker. */
export const products: Readonly<Record<TrackerKind, TrackerProduct>> = {
  GITHUB: github,
  GITLAB: gitlab,
  LINEAR: linear,
  JIRA: jira,
};

/** The trackers of a board. @throws FORBIDDEN */
export async function listTrackers(context: AdminContext): Promise<TrackerView[]> {
  requireRight(context.actor, 'board.edit');
  return (await findTrackers(context.db.read, context.board.id)).map((row) => viewTracker(context, row));
}

export function findTrackers(reader: Reader, boardId: string): Promise<TrackerRow[]> {
  return reader.selectFrom('trackers').selectAll().where('board_id', '=', boardId).orderBy('id').execute();
}

function viewTracker({ board, baseUrl }: AdminContext, row: TrackerRow): TrackerView {
  const { id, kind, project, rule } = row;
  const url = `${baseUrl}${TRACKERS_PATH}/${board.pid}/${id}`;
  const [tellsIssues, makesHook] = [row.tells_issues === 1, products[kind].makeHook !== undefined];
  return {
    id,
    kind,
    project,
    rule,
    tellsIssues,
    url,
    makesHook,
    dateRead: row.date_read,
    failure: readFailure(row.failure),
  };
}

/**
 * Connects a board with a project of a tracker, once it could be read. If it is connected, also by a former name, the token takes
 * the place of the earlier one.
 * @param named the project as a person names it
 * @returns the id of the tracker, and the secret to sign its requests with
 * @throws FORBIDDEN; BAD_REQUEST if it is no project, or cannot be read
 */
export async function connectTracker(
  context: AdminContext,
  sender: Sender,
  { kind, named, token }: { kind: TrackerKind; named: string; token: string },
): Promise<{ id: string; secret: string }> {
  const { db, board, clock, actor } = context;
  requireRight(actor, 'board.edit');
  const product = products[kind];
  const found = product.parseProject(named);
  if (!found) throw badRequest(msg('trackerProjectInvalid'), 'project');
  const signIn = token.trim();
  if (signIn === '' || signIn.length > MAX_TOKEN || !/^[\x21-\x7e]+$/.test(signIn))
    throw badRequest(msg('trackerTokenInvalid'), 'token');
  const place = {
    ...found,
    projectKey: '',
    account: '',
    token: signIn,
    cipher: sender.cipher,
    product,
    version: sender.version,
    dial: makeTrackerDial(sender),
  };
  const { project, projectKey, account } = await check(product, makeTrackerClient(place));
  return db.transaction(async (tx) => {
    await lockBoard(tx, board.id);
    const known = (await findTrackers(tx, board.id)).find(
      (row) => row.kind === kind && row.api_url === found.apiUrl && row.project_key === projectKey,
    );
    if (known) return renew(tx, context, sender.cipher, known, { token: signIn, project, account });
    if ((await findTrackers(tx, board.id)).length >= MAX_TRACKERS) throw conflict(msg('trackerTooMany', MAX_TRACKERS));
    const [id, secret, now] = [makeId(), makeToken(32), clock.now()];
    await tx
      .insertInto('trackers')
      .values({
        board_id: board.id,
        id,
        kind,
        project,
        project_key: projectKey,
        account,
        api_url: found.apiUrl,
        token: sender.cipher.encrypt(signIn, placeOf(board.id, id, 'token')),
        secret: sender.cipher.encrypt(secret, placeOf(board.id, id, 'secret')),
        rule: 'ASK',
        tells_issues: 1,
        date_created: now,
        date_read: now,
        date_due: now,
        failures: 0,
      })
      .execute();
    return { id, secret };
  });
}

/** Gives a connected tracker another token, of which the name of the project and the account are, too. */
async function renew(
  tx: Tx,
  { board, clock }: AdminContext,
  cipher: Cipher,
  known: TrackerRow,
  { token, ...found }: { token: string; project: string; account: string },
): Promise<{ id: string; secret: string }> {
  const secret = readSecret(known, cipher) ?? makeToken(32);
  const seal = (column: 'token' | 'secret', text: string) => cipher.encrypt(text, placeOf(board.id, known.id, column));
  const secrets = { token: seal('token', token), secret: seal('secret', secret) };
  const set = { ...found, ...secrets, date_due: clock.now(), failures: 0, failure: null };
  await tx.updateTable('trackers').set(set).where('board_id', '=', board.id).where('id', '=', known.id).execute();
  // What the former token could not read.
  const links = tx.updateTable('issue_links').set({ is_read: 0, date_due: clock.now() });
  const failed = links.where('board_id', '=', board.id).where('failure', 'is not', null);
  await failed.where('tracker_id', '=', known.id).execute();
  return { id: known.id, secret };
}

/** What signs the requests of a tracker; null if the key of the store was lost since. */
function readSecret(row: TrackerRow, cipher: Cipher): string | null {
  try {
    return cipher.decrypt(row.secret, placeOf(row.board_id, row.id, 'secret'));
  } catch (error) {
    if (error instanceof DecryptionError) return null;
    throw error;
  }
}

async function check(product: TrackerProduct, client: TrackerClient): Promise<Found> {
  try {
    return await product.check(client);
  } catch (error) {
    if (!(error instanceof TrackerFault)) throw error;
    throw badRequest(msg('trackerUnreadable', error.said), error.field);
  }
}

/**
 * Has a tracker make the webhook that sends its changes, or enable it again, with the rights of the token.
 * @throws FORBIDDEN, NOT_FOUND, DecryptionError; BAD_REQUEST if it refuses, or people enter the webhook there
 */
export async function makeTrackerHook(context: AdminContext, sender: Sender, id: string): Promise<void> {
  requireRight(context.actor, 'board.edit');
  const row = (await findTrackers(context.db.read, context.board.id)).find((each) => each.id === id);
  if (!row) throw notFound('Tracker');
  const { makeHook } = products[row.kind];
  if (!makeHook) throw badRequest('This tracker takes its webhook by hand only; see docs/trackers.md');
  const { url } = viewTracker(context, row);
  const { secret } = decryptTracker(row, sender.cipher);
  try {
    await makeHook(openTracker(row, { ...sender, dial: makeTrackerDial(sender) }), {
      url,
      secret,
    });
  } catch (error) {
    if (!(error instanceof TrackerFault)) throw error;
    throw badRequest(msg('trackerHookRefused', error.said));
  }
}

/** Changes what follows from the end of an issue, and whether issues are told. @throws FORBIDDEN, NOT_FOUND */
export async function changeTracker(
  context: AdminContext,
  id: string,
  { rule, tellsIssues }: { rule: TrackerRule; tellsIssues: boolean },
): Promise<void> {
  requireRight(context.actor, 'board.edit');
  const { db, board } = context;
  await db.transaction(async (tx) => {
    const update = tx.updateTable('trackers').set({ rule, tells_issues: tellsIssues ? 1 : 0 });
    const { numUpdatedRows } = await update.where('board_id', '=', board.id).where('id', '=', id).executeTakeFirst();
    if (numUpdatedRows === 0n) throw notFound('Tracker');
    tx.notify('issues');
  });
}

/** Ends a connection, and the links to its issues. The issues stay as they are. @throws FORBIDDEN, NOT_FOUND */
export async function disconnectTracker(context: AdminContext, id: string): Promise<void> {
  requireRight(context.actor, 'board.edit');
  const { db, board } = context;
  await db.transaction(async (tx) => {
    const links = tx.deleteFrom('issue_links').where('board_id', '=', board.id).where('tracker_id', '=', id);
    await links.execute();
    const query = tx.deleteFrom('trackers').where('board_id', '=', board.id).where('id', '=', id);
    const { numDeletedRows } = await query.executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound('Tracker');
  });
}

/** What signs the requests of a tracker. @throws FORBIDDEN, NOT_FOUND, DecryptionError */
export async function findTrackerSecret(context: AdminContext, cipher: Cipher, id: string): Promise<string> {
  requireRight(context.actor, 'board.edit');
  const row = (await findTrackers(context.db.read, context.board.id)).find((each) => each.id === id);
  if (!row) throw notFound('Tracker');
  return decryptTracker(row, cipher).secret;
}

/** What asks the project of a tracker. @throws DecryptionError */
export function openTracker(
  row: TrackerRow,
  { cipher, version, dial, signal }: Pick<Sender, 'cipher' | 'version' | 'dial'> & { signal?: AbortSignal },
): TrackerClient {
  const { token, secret } = decryptTracker(row, cipher);
  const place = {
    project: row.project,
    projectKey: row.project_key,
    account: row.account,
    apiUrl: row.api_url,
    token,
    secret,
    cipher,
    product: products[row.kind],
    version,
    dial,
  };
  return makeTrackerClient({ ...place, ...(signal && { signal }) });
}

/** Its secrets. @throws DecryptionError */
export function decryptTracker(row: TrackerRow, cipher: Cipher): { token: string; secret: string } {
  const read = (column: 'token' | 'secret') => cipher.decrypt(row[column], placeOf(row.board_id, row.id, column));
  return { token: read('token'), secret: read('secret') };
}

function placeOf(boardId: string, id: string, column: 'token' | 'secret'): string {
  return `trackers.${column} ${boardId} ${id}`;
}
