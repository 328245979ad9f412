import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findPictureByToken } from '../../feedback/files/account-pictures.ts';
import { type FoundFile, findFileByToken } from '../../feedback/files/files.ts';
import type { FileFolder } from '../../feedback/files/folder.ts';
import { isRasterImage } from '../../feedback/files/sniffing.ts';
import { PICTURE_PATH } from '../../identity/accounts/rules.ts';
import { type BoardRow, requireBoard } from '../../identity/board/board.ts';
import type { Gate } from '../../identity/keys/gate.ts';
import { actorHeadersOf, apiKeyOf, requirePermission } from '../../identity/keys/request.ts';
import type { Actors } from '../../identity/users/actors.ts';
import { isPrivate } from '../../identity/users/entry.ts';
import type { Db } from '../../platform/db/db.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { findViewer } from '../viewer.ts';

type Parameters = { boardId: string; id: string; token: string };
type Range = { start: number; end: number };

/** The parts that files are served by; `mayEnter` says whether the sender of a request may see a board. */
type ServingDeps = {
  db: Db;
  folder: FileFolder;
  gate: Gate;
  actors: Actors;
  mayEnter(request: FastifyRequest, reply: FastifyReply, board: BoardRow): Promise<boolean>;
};

/**
 * Serves files to anyone with their URL; those of private boards to people who may see the board and to its API keys.
 * The bytes of a file never change, so a copy stays valid as long as it may be kept.
 */
export function serveFiles(app: FastifyInstance, deps: ServingDeps): void {
  const { db, folder } = deps;
  app.get<{ Params: Parameters }>('/files/:boardId/:id/:token/*', async (request, reply) => {
    const { boardId, id, token } = request.params;
    const file = await findFileByToken(db.read, boardId, id, token);
    if (!file || (isPrivate(file) && !(await mayOpen(deps, file, request, reply)))) throw notFound('File');
    const etag = `"${file.id}"`;
    const isKept = request.headers['if-none-match']?.includes(etag);
    const range = readRange(request, etag, file.size);
    // Headers of the file are for its bytes, not for the error when there are none.
    const bytes = isKept || range === 'unsatisfiable' ? null : await open(folder, file.id, range);
    describe(file, reply);
    if (isKept) return reply.code(304).send();
    if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${file.size}`).send();
    if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.size}`);
    reply.header('content-length', range ? range.end - range.start + 1 : file.size);
    return reply.send(bytes);
  });
}

/** Serves the pictures of accounts to anyone with their URL, which changes with the picture. */
export function servePictures(app: FastifyInstance, { db, folder }: Pick<ServingDeps, 'db' | 'folder'>): void {
  app.get<{ Params: { id: string; token: string } }>(`${PICTURE_PATH}/:id/:token`, async (request, reply) => {
    const { id, token } = request.params;
    const picture = await findPictureByToken(db.read, id, token);
    if (!picture) throw notFound('File');
    const etag = `"${id}"`;
    const isKept = request.headers['if-none-match']?.includes(etag);
    const bytes = isKept ? null : await open(folder, id, null);
    sendHeaders(reply, picture.content_type, 'inline', etag).header('cache-control', CACHED_FOR_A_DAY);
    if (isKept) return reply.code(304).send();
    return reply.header('content-length', picture.size).send(bytes);
  });
}

/**
 * A key opens the files of its board, without an acting user: it is the team's own system. One that acts only as one user
 * opens them as that user.
 */
async function mayOpen(
  { db, gate, actors, mayEnter }: ServingDeps,
  file: FoundFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const apiKey = apiKeyOf(request);
  if (apiKey === undefined) return mayEnter(request, reply, await requireBoard(db.read, file.board_id));
  const admission = await gate.admit({ apiKey, address: request.address });
  requirePermission(admission, 'READ', 'a file');
  const { board, key } = admission;
  if (key.isBound) await findViewer(actors, actorHeadersOf(request), board, key);
  gate.countAnswer(admission, undefined);
  return board.id === file.board_id;
}

/** Describes the bytes of a file, and how long they may be cached. */
function describe(file: FoundFile, reply: FastifyReply): void {
  const place = isRasterImage(file.content_type) ? 'inline' : 'attachment';
  const name = `filename="${asciiOf(file.name)}"; filename*=UTF-8''${encode(file.name)}`;
  // A post can be hidden, which a cache would not notice; branding images are public.
  const kept = file.look === null ? CACHED_FOR_A_DAY : 'public, max-age=31536000, immutable';
  // Files of private boards are revalidated on every use, since who may see them changes.
  const keep = isPrivate(file) ? 'private, no-cache' : kept;
  sendHeaders(reply, file.content_type, `${place}; ${name}`, `"${file.id}"`)
    .header('cache-control', keep)
    .header('accept-ranges', 'bytes');
}

const CACHED_FOR_A_DAY = 'private, max-age=86400, immutable';

/** Browsers never get anything that they would execute, whatever the bytes are. */
function sendHeaders(reply: FastifyReply, contentType: string, disposition: string, etag: string): FastifyReply {
  return reply
    .type(contentType)
    .header('content-disposition', disposition)
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('referrer-policy', 'no-referrer')
    .header('etag', etag);
}

async function open(folder: FileFolder, id: string, range: Range | null) {
  try {
    return await folder.read(id, range ?? undefined);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new AppError('SERVICE_UNAVAILABLE', 'This file is not in the data folder of this server');
  }
}

/** One range of bytes; any other request gets the whole file, as the standard allows. */
function readRange({ headers }: FastifyRequest, etag: string, size: number): Range | 'unsatisfiable' | null {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
  if ((from === '' && to === '') || (headers['if-range'] ?? etag) !== etag) return null;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (start >= size || (from === '' && Number(to) === 0)) return 'unsatisfiable';
  return start <= end ? { start, end } : null;
}

function asciiOf(name: string): string {
  return name.replace(/[^ -~]|[%"\\]/g, '_');
}

/** As in RFC 8187, which allows fewer characters than a URL. */
function encode(name: string): string {
  return encodeURIComponent(name).replace(/['()*!]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
