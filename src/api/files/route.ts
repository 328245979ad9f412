import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type FileRow, fileUrl, MAX_FILE_BYTES } from '../../feedback/files/files.ts';
import type { FileFolder } from '../../feedback/files/folder.ts';
import { keepFile, receiveFile } from '../../feedback/files/uploading.ts';
import { takeFromBudget } from '../../identity/keys/budget.ts';
import type { Admission, Gate } from '../../identity/keys/gate.ts';
import { actorHeadersOf, requirePermission } from '../../identity/keys/request.ts';
import type { Actors } from '../../identity/users/actors.ts';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Db } from '../../platform/db/db.ts';
import { AppError } from '../../platform/errors.ts';
import { withBody } from '../../platform/http/body.ts';
import { openFormFile } from '../../platform/http/form-file.ts';
import { requireMediaType } from '../../platform/http/media-type.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { withKey } from '../with-key.ts';

type UploadDeps = { db: Db; clock: Clock; baseUrl: string; folder: FileFolder; gate: Gate; actors: Actors };

export const UPLOAD_PATH = '/api/v1/files';

/** What a form with a file has besides its bytes. */
const FORM_BYTES = 65_536;

/** Takes files at `/api/v1/files`, one in a request. Nothing of a body is read before every check has passed. */
export async function uploadRoute(app: FastifyInstance, deps: UploadDeps): Promise<void> {
  app.post(UPLOAD_PATH, async (request, reply) => {
    const file = await withKey(deps, request, reply, async (admission) =>
      receive(await makeCall(deps, admission, request), deps.folder, request),
    );
    const { id, name, content_type: contentType, size } = file;
    const url = fileUrl({ ...file, is_public: 1 }, deps.baseUrl);
    return reply.code(201).send({ id, name, contentType, size, url });
  });
}

/** The checks that follow those of the key, in their order. */
async function makeCall(
  { db, clock, baseUrl, actors }: UploadDeps,
  admission: Admission,
  request: FastifyRequest,
): Promise<ActorContext> {
  const { key, board } = admission;
  requirePermission(admission, 'WRITE', 'an upload');
  const actor = await actors.find(board, actorHeadersOf(request), key);
  if (actor instanceof AppError) throw actor;
  requireRight(actor, 'take.part');
  await takeFromBudget({ db, clock }, key, { operations: 1, votes: 0 });
  return { db, clock, baseUrl, board, actor };
}

async function receive(context: ActorContext, folder: FileFolder, request: FastifyRequest): Promise<FileRow> {
  const { boundary } = requireMediaType(request.headers['content-type'], 'multipart/form-data');
  return withBody(request, MAX_FILE_BYTES + FORM_BYTES, async (chunks) => {
    const received = await receiveFile(context, folder, await openFormFile(chunks, boundary));
    return context.db.transaction((tx) => keepFile(tx, context, received));
  });
}
