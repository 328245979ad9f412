import { isRestorable } from '#src/feedback/lifecycle/deleting.ts';
import { boardUrl } from '#src/identity/board/board.ts';
import { may } from '#src/identity/users/authority.ts';
import type { View } from '../../parts/requests/joining.ts';
import { wasJustDone } from '../../parts/requests/toasts.ts';

/** What the visitor has just done that this page goes on with: an idea deleted, the board set up. */
export type JustDone = { deleted: string | null; ready: string | null };

/** What the address of the list says was just done, if it was. */
export async function viewJustDone(
  { visit, context }: View,
  request: Request,
  query: URLSearchParams,
): Promise<JustDone> {
  if (!wasJustDone(request, query)) return { deleted: null, ready: null };
  const deleted = query.get('deleted');
  const isSetUp = query.get('done') === 'setup' && may(context.actor, 'board.edit');
  return {
    deleted: deleted && (await isRestorable(context, deleted)) ? deleted : null,
    ready: isSetUp ? boardUrl(context.board, visit.baseUrl) : null,
  };
}
