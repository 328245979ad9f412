import multipart, { type Multipart, type MultipartFile } from '@fastify/multipart';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { type FileRow, fileUrl, MAX_FILE_BYTES } from '../../feedback/files/files.ts';
import type { FileFolder } from '../../feedback/files/folder.ts';
import { dropFile, keepFile, receiveFile } from '../../feedback/files/uploading.ts';
import type { Admission, Gate } from '../../identity/keys/gate.ts';
import { actorHeadersOf, requirePermission } from '../../identity/keys/request.ts';
import type { Actors } from '../../identity/users/actors.ts';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Db } from '../../platform/db/db.ts';
import { AppError, badRequest } from '../../platform/errors.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { withKey } from '../with-key.ts';

/** The parts that uploads are made of. */
type UploadDeps = { db: Db; clock: Clock; baseUrl: string; folder: FileFolder; gate: Gate; actors: Actors };

/** Where files are uploaded. */
export const UPLOAD_PATH = '/api/v1/files';

/** Takes files at `/api/v1/files`, one in a request. Nothing of a body is read before every check has passed. */
export async function uploadRoute(app: FastifyInstance, deps: UploadDeps): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  // One byte more than is allowed reaches the folder, which counts.
  await app.register(multipart, { limits: { fileSize: MAX_FILE_BYTES + 1 }, throwFileSizeLimit: false });
  app.post(UPLOAD_PATH, async (request, reply) => {
    try {
      const file = await withKey(deps, request, reply, (admission) => upload(deps, admission, request));
      const { id, name, content_type: contentType, size } = file;
      const url = fileUrl({ ...file, is_public: 1 }, deps.baseUrl);
      return reply.code(201).send({ id, name, contentType, size, url });
    } catch (error) {
      // A client that is still sending reads the response afterwards.
      request.raw.unpipe().resume();
      throw error;
    }
  });
}

async function upload(deps: UploadDeps, admission: Admission, request: FastifyRequest): Promise<FileRow> {
  try {
    return await receive(await makeCall(deps, admission, request), deps.folder, request);
  } catch (error) {
    throw asRefusal(error);
  }
}

/** The checks that follow those of the key, in their order. */
async function makeCall(
  { db, clock, baseUrl, actors }: UploadDeps,
  admission: Admission,
  request: FastifyRequest,
): Promise<ActorContext> {
  const { key, board } = admission;
  requirePermission(admission, 'WRITE', 'an upload');
  const actor = await actors.find(board, actorHeadersOf(request), key.defaultUserId);
  if (actor instanceof AppError) throw actor;
  requireRight(actor, 'take.part');
  return { db, clock, baseUrl, board, actor };
}

async function receive(context: ActorContext, folder: FileFolder, request: FastifyRequest): Promise<FileRow> {
  if (!request.isMultipart()) throw badRequest('Content-Type must be multipart/form-data', 'content-type');
  const parts = request.parts();
  const first = await nextPart(parts);
  if (first.done || first.value.type !== 'file') throw onlyOneFile();
  const { filename, file }: MultipartFile = first.value;
  const received = await receiveFile(context, folder, { name: filename ?? '', bytes: file });
  try {
    if (!(await nextPart(parts)).done) throw onlyOneFile();
  } catch (error) {
    await dropFile(context, folder, received.id);
    throw error;
  }
  return context.db.transaction((tx) => keepFile(tx, context, received));
}

/** @throws BAD_REQUEST for a body that cannot be read, whatever its parser reports: its boundary may be too long */
async function nextPart(parts: AsyncIterableIterator<Multipart>): Promise<IteratorResult<Multipart>> {
  try {
    return await parts.next();
  } catch (error) {
    throw badRequest(`The body cannot be read: ${error instanceof Error ? error.message : error}`, 'file');
  }
}

function onlyOneFile(): AppError {
  return badRequest('The body must have one part, which is a file', 'file');
}

/** What the body parser refuses is a mistake in the request. */
function asRefusal(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const isOfBody = (error as FastifyError).code?.startsWith('FST_') || BROKEN.test(error.message);
  return isOfBody ? badRequest(`The body cannot be read: ${error.message}`, 'file') : error;
}

/** How the errors of the body parser begin, which have no code. */
const BROKEN = /multipart|boundary|terminated early|aborted/i;
