import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, UnsupportedBodyError } from '../../platform/errors.ts';
import type { RateWindow } from '../../platform/limits/rate-limit.ts';
import type { ActorHeaders } from '../users/actors.ts';
import { type Admission, RateLimitError } from './gate.ts';
import type { Permission } from './keys.ts';

/** The key from either of its headers. */
export function apiKeyOf(request: FastifyRequest): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '');
  return headerOf(request, 'apikey') ?? bearer?.[1];
}

/** The headers that say who acts. */
export function actorHeadersOf(request: FastifyRequest): ActorHeaders {
  return {
    ssotype: headerOf(request, 'ssotype'),
    ssoid: headerOf(request, 'ssoid'),
    userid: headerOf(request, 'userid'),
  };
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value.trim() : undefined;
}

/** @throws FORBIDDEN when the key lacks the permission; `what` describes what needs it */
export function requirePermission({ key }: Admission, needed: Permission, what: string): void {
  if (key.permissions.has(needed)) return;
  throw new AppError('FORBIDDEN', `This API key lacks the permission ${needed}, which ${what} needs`);
}

/** Reports the remaining requests in the headers of draft-ietf-httpapi-ratelimit-headers. */
export function sendWindows(reply: FastifyReply, windows: readonly RateWindow[], now: number): void {
  if (windows.length === 0) return;
  const policies = windows.map(({ seconds, limit }) => `"${seconds}s";q=${limit};w=${seconds}`);
  const states = windows.map(
    ({ seconds, remaining, resetAt }) =>
      `"${seconds}s";r=${remaining};t=${Math.max(0, Math.ceil((resetAt - now) / 1_000))}`,
  );
  reply.header('ratelimit-policy', policies.join(', ')).header('ratelimit', states.join(', '));
}

/** Reports when to try again after a refusal, the limits if they are the reason for it, and what would be supported. */
export function sendRefusal(reply: FastifyReply, error: unknown, now: number): void {
  if (error instanceof UnsupportedBodyError) reply.headers(error.headers);
  if (error instanceof RateLimitError) sendWindows(reply, error.windows, now);
  const { retryAfter } = error instanceof AppError ? error.extensions : {};
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
}
