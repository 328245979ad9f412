import type { LoaderFunctionArgs } from 'react-router';
import { BYTE_ORDER_MARK, CSV_TYPE, toLine } from '#src/operations/exports/csv.ts';
import { findJob } from '#src/operations/imports/jobs.ts';
import { requireMember } from '../../parts/requests/member.ts';
import { readProblems } from './imports.ts';

/** The problems of the last plan or import as CSV. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const { context } = await requireMember(args, 'board.edit');
  const { db, board } = context;
  const job = await findJob(db.read, board.id);
  if (!job) throw new Response(null, { status: 404 });
  const rows = readProblems(job).map(({ line, column, message }) => toLine([line, column ?? '', message]));
  return new Response([BYTE_ORDER_MARK, toLine(['Line', 'Column', 'Problem']), ...rows].join(''), {
    headers: {
      'content-type': CSV_TYPE,
      'content-disposition': `attachment; filename="${board.pid}-import-problems.csv"`,
    },
  });
}
