import multipart from '@fastify/multipart';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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
import { AppError, badRequest, conflict, type ErrorCode } from '../platform/errors.ts';
import type { OwnOrigins } from '../platform/http/own-origins.ts';
import type { Clock } from '../platform/lib/clock.ts';
import { FROM_ELSEWHERE, Refusal } from './refusal.ts';

/** Errors of the parser of forms that have no code, and those of a client that has gone. */
const BROKEN = /multipart|boundary|terminated early|aborted|unexpected end|premature close/i;

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
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  // One byte more than is allowed reaches the folder, which counts.
  const limits = { fileSize: MAX_IMPORT_BYTES + 1, files: 1, fields: 10, fieldSize: IMPORT_FORM_BYTES };
  await app.register(multipart, { limits, throwFileSizeLimit: false });
  app.post<{ Params: { pid: string } }>('/b/:pid/settings/import/file', async (request, reply) => {
    try {
      if (!(await deps.origins.sent(request))) throw new Refusal(403, FROM_ELSEWHERE);
      const page = `/b/${encodeURIComponent(request.params.pid)}/settings/import`;
      const problem = await within(deps, uploading, request, reply);
      reply.header('cache-control', 'private, no-store');
      return reply.redirect(problem ? `${page}?problem=${problem}` : page, 303);
    } finally {
      // A browser that is still sending reads the response afterwards.
      request.raw.unpipe().resume();
    }
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
  const job = await findJob(db.read, board.id);
  if (job && stateOf(job, clock.now()) === 'RUNNING') throw conflict('An import is running');
  const length = Number(request.headers['content-length']);
  if (length > MAX_IMPORT_BYTES + IMPORT_FORM_BYTES) throw new AppError('PAYLOAD_TOO_LARGE', 'The form is too large');
  const part = await request.file();
  if (!part) throw badRequest('The form has no file', 'file');
  const id = await receiveExport(context, folder, part.file);
  await imports.plan(context, { id, name: part.filename ?? '' }).catch(async (error) => {
    await dropFile(context, folder, id);
    throw error;
  });
}

function problemOf(error: unknown): string {
  if (error instanceof AppError) return PROBLEMS[error.code] ?? NOT_RECEIVED;
  const { code = '', message } = error as FastifyError;
  if (code.startsWith('FST_') || code.startsWith('ERR_STREAM') || BROKEN.test(message)) return NOT_RECEIVED;
  throw error;
}
