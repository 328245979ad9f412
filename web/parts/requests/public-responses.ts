import type { LoaderFunctionArgs } from 'react-router';
import { isPrivate } from '#src/identity/users/entry.ts';
import type { RequestContext } from '#src/identity/users/request-context.ts';
import { type Picture, versionOf } from '#src/pages/pictures/picture.ts';
import type { Visit } from '#src/pages/visit.ts';
import { visitContext } from '../../lib/visit.ts';
import { orErrorPage } from './failure.ts';
import { openBoard } from './member.ts';

/** Caches keep these responses only for minutes, because posts and boards can be hidden. */
export const KEPT = 'public, max-age=300';

/** A board that anonymous visitors see. @throws for any other the response for a board that does not exist */
export async function openToAll(args: LoaderFunctionArgs): Promise<{ visit: Visit; context: RequestContext }> {
  const context = await openBoard(args);
  if (isPrivate(context.board)) throw new Response(null, { status: 404 });
  return { visit: args.context.get(visitContext), context };
}

/** Responds with XML. */
export function answerXml(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'application/xml; charset=utf-8', 'cache-control': KEPT } });
}

/** Responds with the picture of a link. Its tag is known before it is drawn, so that a copy costs nothing to confirm. */
export async function answerPicture(request: Request, visit: Visit, picture: Picture) {
  const version = versionOf(picture);
  const headers = { etag: `"${version}"`, 'cache-control': KEPT };
  if (request.headers.get('if-none-match')?.includes(version)) return new Response(null, { status: 304, headers });
  const png = await orErrorPage(visit.drawPicture(picture));
  const ofPng = { 'content-type': 'image/png', 'content-length': String(png.byteLength) };
  return new Response(new Uint8Array(png), { headers: { ...headers, ...ofPng } });
}
