import type { LoaderFunctionArgs } from 'react-router';
import { exportBytes, exportFormats, exportHeaders } from '#src/operations/exports/export.ts';
import { requireMember } from '../../parts/requests/member.ts';

/** The board as a file, with what the visitor may see of it. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const { visit, context } = await requireMember(args, 'board.edit');
  const { logFault } = visit;
  const asked = args.url.searchParams;
  const format = exportFormats.find((known) => known === asked.get('format')) ?? 'csv';
  const content = { comments: asked.get('comments') === 'on', votes: asked.get('votes') === 'on' };
  const options = { format, ...content, viewer: context.actor, hasByteOrderMark: format === 'csv' };
  const bytes = exportBytes(context, options, logFault);
  return new Response(bytes, { headers: exportHeaders(context, format) });
}
