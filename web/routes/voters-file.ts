import type { LoaderFunctionArgs } from 'react-router';
import { exportVoters } from '#src/operations/exports/voters.ts';
import { requireVoters } from '../lib/voters.ts';

/** The voters of an idea as CSV. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const { visit, context, post } = await requireVoters(args);
  const { board } = context;
  return new Response(exportVoters(context, post.id, visit.logFault), {
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${board.pid}-${post.number}-voters.csv"`,
    },
  });
}
