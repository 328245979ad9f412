import type { ActionFunctionArgs } from 'react-router';
import { filePath } from '#src/feedback/files/files.ts';
import type { Uploaded } from '../lib/picture-upload.ts';
import { isFailure, retryHeaders, wordsOf } from '../parts/requests/failure.ts';
import { readFormWithFile } from '../parts/requests/forms.ts';
import { countChange, findParticipant } from '../parts/requests/joining.ts';
import { takeFile } from '../parts/requests/uploads.ts';

export { refuseToShow as loader } from '../lib/post-only.ts';

/** Keeps a picture for an idea or a comment that is being written: scripts send it as soon as it is chosen. */
export async function action(args: ActionFunctionArgs) {
  const participant = await findParticipant(args);
  if (!participant) throw new Response(null, { status: 403 });
  const { file } = await readFormWithFile(args.request, 'file');
  if (!file) throw new Response(null, { status: 400 });
  try {
    await countChange(participant);
    const row = await takeFile(participant, file);
    const uploaded = { id: row.id, name: row.name, href: filePath(row, row.held_token) };
    return Response.json(uploaded satisfies Uploaded);
  } catch (error) {
    if (!isFailure(error)) throw error;
    return Response.json({ message: wordsOf(error) } satisfies Uploaded, { status: 422, headers: retryHeaders(error) });
  }
}
