import { requireFewFiles } from '#src/feedback/files/attaching.ts';
import type { FileRow } from '#src/feedback/files/files.ts';
import { keepFile, receiveFile } from '#src/feedback/files/uploading.ts';
import { requireRight } from '#src/identity/users/authority.ts';
import type { ActorContext } from '#src/identity/users/request-context.ts';
import { requireFiles } from '#src/pages/form-body.ts';
import type { Visit } from '#src/pages/visit.ts';
import { networkOf } from '#src/platform/http/ip.ts';
import { countAttempt } from '#src/platform/limits/throttle.ts';

type Participant = { visit: Visit; context: ActorContext };

/** Keeps an uploaded file until something that is posted has it; if nothing ever does, it is removed. */
export async function takeFile({ visit, context }: Participant, file: File): Promise<FileRow> {
  requireRight(context.actor, 'take.part');
  await countUpload({ visit, context });
  const upload = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
  const received = await receiveFile(context, visit.folder, upload);
  return context.db.transaction((tx) => keepFile(tx, context, received));
}

/** Counts a file of a member: each account may be anyone's. @throws RATE_LIMIT_EXCEEDED */
async function countUpload({ visit: { db, clock, address }, context: { actor } }: Participant): Promise<void> {
  if (actor.role !== 'MEMBER') return;
  await countAttempt(db, clock, 'uploads of', actor.id);
  await countAttempt(db, clock, 'uploads from', networkOf(address));
}

/**
 * The ids of the files of a form: those that scripts have sent already, and those that came with it.
 * @throws BAD_REQUEST, before any of them is kept, when they are more than one thing may have
 */
export async function takeFiles(participant: Participant, form: Record<string, string>, files: readonly File[]) {
  requireFiles(form, 'file');
  const sent = Object.keys(form).flatMap((name) => /^file:(.*)$/.exec(name)?.[1] ?? []);
  requireFewFiles(sent.length + files.length);
  const rows: FileRow[] = [];
  for (const file of files) rows.push(await takeFile(participant, file));
  return [...sent, ...rows.map(({ id }) => id)];
}
