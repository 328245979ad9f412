import type { LoaderFunctionArgs } from 'react-router';
import { CSV_TYPE } from '#src/operations/exports/csv.ts';
import { exportVoters } from '#src/operations/exports/voters.ts';
import { requireVoters } from './voters.ts';

/** The voters of an idea as CSV. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const { visit, context, post } = await requireVoters(args);
  const { board } = context;
  return new Response(exportVoters(context, post.id, visit.logFault), {
    headers: {
      'content-type': CSV_TYPE,
      'content-disposition': `attachment; filename="${board.pid}-${post.number}-voters.csv"`,
    },
  });
}
