import type { LoaderFunctionArgs } from 'react-router';
import { requireMember } from '../../lib/member.ts';

/** The board as a file, with what the visitor may see of it. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const { visit, context } = await requireMember(args, 'board.edit');
  const { features, logFault } = visit;
  const asked = args.url.searchParams;
  const format = features.exportFormats.find((known) => known === asked.get('format')) ?? 'csv';
  const content = { comments: asked.get('comments') === 'on', votes: asked.get('votes') === 'on' };
  const bytes = features.exportBytes(context, { format, ...content, viewer: context.actor }, logFault);
  return new Response(bytes, { headers: features.exportHeaders(context, format) });
}
