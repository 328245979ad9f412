import type { LoaderFunctionArgs } from 'react-router';
import { exportOwnData, ownDataHeaders } from '#src/operations/exports/own-data.ts';
import { toByteStream } from '#src/platform/http/byte-stream.ts';
import { countAttempt } from '#src/platform/limits/throttle.ts';
import { isFailure, retryHeaders, wordsOf } from '../../parts/requests/failure.ts';
import { listOwnPeople, requireSelf } from '../../parts/requests/member.ts';

/** Everything that is stored about the user, as a file. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const own = await requireSelf(args);
  const { visit, account, user } = own;
  try {
    await countAttempt(visit.db, visit.clock, 'copies of', account?.id ?? user?.id ?? '');
  } catch (error) {
    if (!isFailure(error)) throw error;
    const headers = { 'content-type': 'text/plain; charset=utf-8', ...retryHeaders(error) };
    return new Response(wordsOf(error), { status: 429, headers });
  }
  const data = exportOwnData(visit, { account, people: await listOwnPeople(own) });
  return new Response(toByteStream(data, visit.logFault), { headers: ownDataHeaders(visit) });
}
