import { EarshotError, errorOf, requireText, requireUrl, type ServerError } from './errors.ts';
import { type Repeating, repeat } from './repeat.ts';

/** A user of the board by the id in your own system; a text is the id of an `SSO` user. */
export type ActingUser = string | { ssoId: string; ssoType?: string | undefined };

/** What a client needs, and how it behaves. */
export type ClientOptions = {
  /** Where Earshot is, for example `https://feedback.example.com`. */
  url: string;
  apiKey: string;
  /** Who acts. Default: the default user of the key, if it has one. */
  as?: ActingUser | undefined;
  /** How often a request is repeated while the server is busy or cannot be reached; default: 5. */
  retries?: number | undefined;
  /** Milliseconds that one attempt may take; default: 30,000. */
  timeoutMs?: number | undefined;
  /** The longest wait that the server may ask for, in milliseconds; default: 60,000. If it asks for more, the request fails. */
  maxWaitMs?: number | undefined;
  /** Is told what failed and will be repeated after these seconds. */
  onRetry?: ((error: EarshotError, seconds: number) => void) | undefined;
};

/** How one request is made. */
export type CallOptions = Pick<ClientOptions, 'as' | 'retries' | 'timeoutMs' | 'maxWaitMs'> & {
  signal?: AbortSignal | undefined;
  /**
   * Makes a mutation run once, however often it is sent within 24 hours, also by another process. Default: a new one for
   * each call. null: none, for mutations that may run twice.
   */
  idempotencyKey?: string | null | undefined;
};

/** What comes back. */
export type Answer<T = unknown> = {
  data: T;
  /** `dryRun` for a dry run. */
  extensions: { dryRun?: DryRunEffects; [more: string]: unknown };
  /** The id under which the log of the server has the request. */
  requestId: string | undefined;
  /** With it, the team can undo what was changed. Browsers do not show it to pages of other origins. */
  operationId: string | undefined;
};

/** What a dry run would have done (`docs/api.md`, "Dry run"). */
export type DryRunEffects = {
  changes: { thing: string; thingId: string; before: unknown; after: unknown }[];
  events: { type: string; postId: string | null }[];
  deliveries: number;
  notified: number;
  mailed: number;
  isMinimum: boolean;
};

/** How long an upload may take: as long as the server gives it. */
const UPLOAD_MS = 120_000;

/** Sends what the client asks for. */
export type Transport = {
  post<T>(document: string, variables: object, options: CallOptions & { isDry?: boolean }): Promise<Answer<T>>;
  upload<T>(form: FormData, options: CallOptions): Promise<T>;
  /** @throws TypeError for what cannot be sent, such as a header with a line break: trying again is of no use */
  prepare(path: string, headers: Record<string, string>, options: CallOptions): Request;
  /** A response with status 200, or an error. */
  open(request: Request, signal: AbortSignal): Promise<Response>;
  repeating(options: CallOptions): Repeating;
};

export function makeTransport(options: ClientOptions): Transport {
  const apiKey = requireText('apiKey', options.apiKey);
  const base = requireUrl('url', options.url);
  const headersFor = ({ as = options.as }: CallOptions, more: Record<string, string>) =>
    new Headers({ apikey: apiKey, ...userHeaders(as), ...more });
  const repeating = (call: CallOptions) => ({
    signal: call.signal,
    retries: call.retries ?? options.retries ?? 5,
    timeoutMs: call.timeoutMs ?? options.timeoutMs ?? 30_000,
    maxWaitMs: call.maxWaitMs ?? options.maxWaitMs ?? 60_000,
    onRetry: options.onRetry,
  });
  // The server may be below a path; the address of a board or of the API leads to it as well.
  const prefix = base.pathname.replace(/\/+$|\/(b|api)\/.*$/, '');
  const locate = (path: string) => new URL(prefix + path, base);
  return {
    repeating,
    post(document, variables, call) {
      const { idempotencyKey = makeKey(), isDry } = call;
      const isOnce = /\bmutation\b/.test(document) && idempotencyKey !== null;
      const headers = headersFor(call, {
        'content-type': 'application/json',
        ...(isOnce && { 'idempotency-key': idempotencyKey }),
        ...(isDry && { 'dry-run': 'true' }),
      });
      const body = JSON.stringify({ query: document, variables });
      const url = locate('/api/v1/graphql');
      return repeat(repeating(call), async (signal) =>
        answerOf(await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })),
      );
    },
    upload(form, call) {
      const [url, headers] = [locate('/api/v1/files'), headersFor(call, {})];
      return repeat(repeating({ timeoutMs: UPLOAD_MS, ...call }), async (signal) => {
        const response = await fetch(url, { method: 'POST', headers, body: form, signal, redirect: 'manual' });
        return (await bodyOf(response)) as never;
      });
    },
    prepare: (path, more, call) => new Request(locate(path), { headers: headersFor(call, more), redirect: 'manual' }),
    async open(request, signal) {
      const response = await fetch(request, { signal });
      if (response.status === 200) return response;
      await bodyOf(response);
      throw unexpected(response);
    },
  };
}

/** Headers are bytes: an id outside ASCII goes as those of its UTF-8. */
function userHeaders(as: ActingUser | undefined): Record<string, string> {
  if (as === undefined) return {};
  const { ssoId, ssoType = 'SSO' } = typeof as === 'string' ? { ssoId: as } : as;
  return { ssotype: ssoType, ssoid: String.fromCharCode(...new TextEncoder().encode(ssoId)) };
}

/** `crypto.randomUUID` is missing on pages without TLS. */
function makeKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function answerOf(response: Response): Promise<Answer<never>> {
  const { data, extensions = {} } = await bodyOf(response);
  if (data === undefined || data === null) throw unexpected(response);
  const [requestId, operationId] = ['x-request-id', 'earshot-operation-id'].map((name) => response.headers.get(name));
  return {
    data: data as never,
    extensions,
    requestId: requestId ?? undefined,
    operationId: operationId ?? undefined,
  };
}

type Body = { data?: unknown; errors?: ServerError[]; extensions?: Answer['extensions'] };

/** The object of a response. @throws EarshotError for errors, and for anything else */
async function bodyOf(response: Response): Promise<Body> {
  const body = parse(await response.text());
  if (body === null) throw unexpected(response);
  const { errors, data } = body;
  if (Array.isArray(errors) && errors.length > 0) throw errorOf(errors, { ...detailsOf(response), data });
  return body;
}

function parse(text: string): Body | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function unexpected(response: Response): EarshotError {
  const to = response.headers.get('location');
  const message = to
    ? `The server redirects to ${to}`
    : `The response with status ${response.status} is not one of Earshot`;
  return new EarshotError('UNEXPECTED_RESPONSE', message, detailsOf(response));
}

function detailsOf({ status, headers }: Response) {
  const value = headers.get('retry-after');
  if (value === null) return { status };
  const seconds = Number.isNaN(Number(value)) ? (Date.parse(value) - Date.now()) / 1_000 : Number(value);
  return { status, retryAfter: seconds > 0 ? seconds : undefined };
}
