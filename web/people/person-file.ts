import type { LoaderFunctionArgs } from 'react-router';
import { exportOwnData, ownDataHeaders } from '#src/operations/exports/own-data.ts';
import { toByteStream } from '#src/platform/http/byte-stream.ts';
import { orErrorPage } from '../parts/requests/failure.ts';
import { countChange } from '../parts/requests/joining.ts';
import { requireMember } from '../parts/requests/member.ts';
import { requireErasable } from './person.ts';

/**
 * Everything that a board stores about a user, as a file for who asks the team for it. The account is not in it: it belongs to
 * the user, and to other boards of the server.
 */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const { visit, context } = await requireMember(args, 'user.erase');
  const user = await requireErasable(context, args.params.user ?? '');
  await orErrorPage(countChange({ visit, context }));
  const data = exportOwnData(visit, { account: null, people: [user] });
  return new Response(toByteStream(data, visit.logFault), { headers: ownDataHeaders(visit, `user-${user.id}`) });
}
