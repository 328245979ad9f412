import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BoardRow } from '../identity/board/board.ts';
import { readSeen } from '../operations/reach/seen.ts';
import { askedLanguage } from './language.ts';
import { People } from './people.ts';
import { isArriving } from './request.ts';
import type { VisitDeps, Visitor } from './visit.ts';

export type PeopleDeps = Pick<VisitDeps, 'db' | 'clock' | 'baseUrl' | 'accounts'>;

/** Whether the sender of a request may see a board, for files that browsers load besides pages. */
export function mayEnterBy(
  deps: PeopleDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  board: BoardRow,
): Promise<boolean> {
  return peopleOf(deps, request, reply).mayEnter(board);
}

/** The people behind a request, on each board. */
export function peopleOf(deps: PeopleDeps, request: FastifyRequest, reply: FastifyReply): People {
  const visitor = readVisitor(request, reply, '');
  return new People(deps, visitor, deps.accounts.of(visitor));
}

/** What a request says of the visitor who sent it. */
export function readVisitor(request: FastifyRequest, reply: FastifyReply, nonce: string): Visitor {
  const { id, address, headers, method } = request;
  return {
    requestId: id,
    isForm: method === 'POST',
    keptFor: readKeptFor(headers),
    isArriving: isArriving(headers),
    nonce,
    address,
    host: headers.host ?? '',
    cookies: headers.cookie,
    userAgent: headers['user-agent'],
    language: askedLanguage(headers),
    embed: null,
    setCookie: (cookie) => reply.header('set-cookie', cookie),
    readSeen: () => readSeen(request),
  };
}

/** Whom a form is sent for, if its browser had kept it (`web/parts/frame/outbox.tsx`): the id of a visitor, or `anyone`. */
function readKeptFor({ 'earshot-sender': sender }: FastifyRequest['headers']): string | null {
  return typeof sender === 'string' ? sender : null;
}

/** Tells a browser whose page it is, so that it keeps those of one visitor only (`web/public/worker.js`). */
export async function markPage(reply: FastifyReply, people: People | null): Promise<void> {
  reply.header('earshot-visitor', (await people?.mark()) ?? 'anyone');
}
