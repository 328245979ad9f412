import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** The sources that allow inline scripts and styles, for example `'nonce-…'`, or a hash of each. */
type Inline = { scripts: string; styles: string };

/** A nonce for one response. */
export function makeNonce(): string {
  return randomBytes(16).toString('base64url');
}

/** What inline elements of one response carry. */
export function nonceSources(nonce: string): Inline {
  return { scripts: `'nonce-${nonce}'`, styles: `'nonce-${nonce}'` };
}

/**
 * What a page may load: only its own resources, and inline only what is allowed here.
 * @param origins which other sites may frame the page, if it may be framed at all
 */
export function pagePolicy(
  { scripts, styles }: Inline,
  isDevelopment: boolean,
  origins: readonly string[] | null = null,
): string {
  const policy = {
    'default-src': "'none'",
    'script-src': `'self' ${scripts}`,
    // Vite injects styles as it changes them, and talks to the page over a socket.
    'style-src': isDevelopment ? "'self' 'unsafe-inline'" : `'self' ${styles}`,
    'style-src-attr': "'unsafe-inline'",
    'img-src': "'self' data: blob:",
    'font-src': "'self'",
    'connect-src': isDevelopment ? "'self' ws:" : "'self'",
    'frame-src': "'self'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': origins === null ? "'none'" : ["'self'", ...origins].join(' '),
  };
  return Object.entries(policy)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');
}

/** Headers of every page. URLs can contain one-time tokens, so no other site learns them from a referrer. */
export function sendSecurityHeaders(reply: FastifyReply, policy: string, isSecure: boolean): void {
  reply
    .header('content-security-policy', policy)
    .header('referrer-policy', 'same-origin')
    .header('x-frame-options', 'DENY')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('permissions-policy', 'camera=(), geolocation=(), microphone=()');
  if (isSecure) reply.header('strict-transport-security', 'max-age=31536000');
}
