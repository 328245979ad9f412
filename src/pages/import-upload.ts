import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FileFolder } from '../feedback/files/folder.ts';
import { dropFile } from '../feedback/files/uploading.ts';
import { type BoardRow, findBoard } from '../identity/board/board.ts';
import { may } from '../identity/users/authority.ts';
import type { ActorContext } from '../identity/users/request-context.ts';
import type { UserRow } from '../identity/users/users.ts';
import type { ImportJobs } from '../operations/imports/job-runner.ts';
import { findJob, stateOf } from '../operations/imports/jobs.ts';
import { IMPORT_FORM_BYTES, MAX_IMPORT_BYTES, receiveExport } from '../operations/imports/upload.ts';
import type { Db } from '../platform/db/db.ts';
import { AppError, conflict, type ErrorCode } from '../platform/errors.ts';
import { bodyTooLarge, leaveBodies, withBody } from '../platform/http/body.ts';
import { openFormFile } from '../platform/http/form-file.ts';
import { requireMediaType } from '../platform/http/media-type.ts';
import type { OwnOrigins } from '../platform/http/own-origins.ts';
import { prefixOf } from '../platform/http/prefix.ts';
import type { Clock } from '../platform/lib/clock.ts';
import { msg } from '../platform/messages.ts';
import { FROM_ELSEWHERE, Refusal } from './refusal.ts';

/** What the page is asked to report, by the code of the error. */
const PROBLEMS: Partial<Record<ErrorCode, string>> = {
  PAYLOAD_TOO_LARGE: 'too-large',
  BAD_REQUEST: 'empty',
  CONFLICT: 'busy',
};
const NOT_RECEIVED = 'not-received';

type Deps = {
  db: Db;
  clock: Clock;
  baseUrl: string;
  folder: FileFolder;
  imports: ImportJobs;
  origins: OwnOrigins;
  /** The user of the board who sends a request. */
  findUser(request: FastifyRequest, reply: FastifyReply, board: BoardRow): Promise<UserRow | null>;
};

/**
 * Takes the file of the form for imports, which is too large to be read like other forms: it is written to disk as it
 * arrives, once the sender may import. The answer leads back to the page, which reports the rest.
 */
export async function takeImports(app: FastifyInstance, deps: Deps): Promise<void> {
  const uploading = new Set<string>();
  leaveBodies(app);
  app.post<{ Params: { pid: string } }>('/b/:pid/settings/import/file', async (request, reply) => {
    if (!(await deps.origins.sent(request))) throw new Refusal(403, FROM_ELSEWHERE);
    const page = `${prefixOf(deps.baseUrl)}/b/${encodeURIComponent(request.params.pid)}/settings/import`;
    const problem = await within(deps, uploading, request, reply);
    reply.header('cache-control', 'private, no-store');
    return reply.redirect(problem ? `${page}?problem=${problem}` : page, 303);
  });
}

type UploadRequest = FastifyRequest<{ Params: { pid: string } }>;

/** Lets a board have one upload at a time. @returns why nothing was taken; null if the page itself tells */
async function within(deps: Deps, uploading: Set<string>, request: UploadRequest, reply: FastifyReply) {
  const { db, clock, baseUrl } = deps;
  const board = await findBoard(db.read, request.params.pid);
  const actor = board && (await deps.findUser(request, reply, board));
  if (!board || !actor || !may(actor, 'board.edit')) return null;
  if (uploading.has(board.id)) return 'busy';
  uploading.add(board.id);
  try {
    await take({ db, clock, baseUrl, board, actor }, deps, request);
    return null;
  } catch (error) {
    return problemOf(error);
  } finally {
    uploading.delete(board.id);
  }
}

async function take(context: ActorContext, { folder, imports }: Deps, request: FastifyRequest): Promise<void> {
  const { db, clock, board } = context;
  const { headers } = request;
  const job = await findJob(db.read, board.id);
  if (job && stateOf(job, clock.now()) === 'RUNNING') throw conflict(msg('importIsRunning'));
  const most = MAX_IMPORT_BYTES + IMPORT_FORM_BYTES;
  if (Number(headers['content-length']) > most) throw bodyTooLarge(most);
  const { boundary } = requireMediaType(headers['content-type'], 'multipart/form-data');
  await withBody(request, most, async (chunks) => {
    const { name, bytes } = await openFormFile(chunks, boundary);
    const id = await receiveExport(context, folder, bytes);
    await imports.plan(context, { id, name }).catch(async (error) => {
      await dropFile(context, folder, id);
      throw error;
    });
  });
}

function problemOf(error: unknown): string {
  if (!(error instanceof AppError)) throw error;
  const { code, field } = error.extensions;
  const isOfFile = code !== 'BAD_REQUEST' || field === 'file';
  return (isOfFile && PROBLEMS[code]) || NOT_RECEIVED;
}
