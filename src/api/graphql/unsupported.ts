import type { FastifyRequest } from 'fastify';
import { AppError, badRequest } from '../../platform/errors.ts';

/**
 * The error for a request that this server does not support; null for everything else. `PersistedQueryNotSupported` is
 * what clients of persisted queries look for: they send the query itself from then on.
 */
export function findUnsupported(request: FastifyRequest): AppError | null {
  const asked = request.method === 'GET' ? readSearch(request.url) : readJson(request.body);
  if (Array.isArray(asked)) {
    return badRequest('Batches are not supported: the body must be one object; send each operation in its own request');
  }
  const { query, extensions } = (asked ?? {}) as { query?: unknown; extensions?: { persistedQuery?: unknown } | null };
  if (query || !extensions?.persistedQuery) return null;
  const reason = 'Persisted queries are not supported: send the text of the operation as `query`';
  return new AppError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported', { reason });
}

function readSearch(url: string): unknown {
  const search = new URLSearchParams(url.split('?')[1]);
  return { query: search.get('query'), extensions: readJson(search.get('extensions')) };
}

function readJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}
