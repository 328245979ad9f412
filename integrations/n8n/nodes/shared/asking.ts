/** What is sent to `/api/v1/graphql`. */
export type GraphqlBody = { query: string; variables: Record<string, unknown> };

/** What came back, with whatever status; headers in lower case. */
export type Reply = { status: number; headers: Record<string, unknown>; body: unknown };

/** How requests are made, which n8n provides. `send` fails only if there is no reply. */
export type Connection = {
  send(body: GraphqlBody, headers: Record<string, string>): Promise<Reply>;
  sleep(milliseconds: number): Promise<void>;
};

/** What the server has refused: `help` says what to do about it. */
export class BoardError extends Error {
  readonly code: string;
  readonly status: number;
  readonly help: string;
  /** Name of the argument that is wrong. */
  readonly field: string | undefined;
  /** With CURSOR_EXPIRED: where to continue. */
  readonly oldestCursor: string | undefined;

  constructor(code: string, message: string, details: { status?: number; help?: string } & Extensions = {}) {
    super(message);
    this.name = 'BoardError';
    this.code = code;
    this.status = details.status ?? 0;
    this.field = details.field;
    this.oldestCursor = details.oldestCursor;
    this.help = details.help ?? (details.field === 'ssotype' ? NO_USER : (HELP[code] ?? ''));
  }
}

type Extensions = { code?: string; field?: string; oldestCursor?: string };
type GraphqlReply = { data?: unknown; errors?: { message: string; extensions?: Extensions }[] };

/** Runs a document and gives its data. Mutations that name an idempotency key run only once, however often they are sent. */
export type Ask = <T>(query: string, variables?: Record<string, unknown>, idempotencyKey?: string) => Promise<T>;

/** Attempts of a request that the server is too busy for. */
const MAX_ATTEMPTS = 10;
/** The longest that one request waits for a busy server: others may use up what the key has in the next minute, too. */
const MAX_WAIT_MS = 180_000;
const PASSING = [429, 502, 503, 504];

const NO_USER =
  'The API key has no user. Create one with a user of the team ("key create --only-as SSO:n8n"), or fill in the acting user of the credential.';
const HELP: Readonly<Record<string, string>> = {
  UNAUTHENTICATED: 'Check the API key in the credential: it may have been revoked, or it has expired.',
  PLAN_REQUIRED: 'The API of this board is turned off: an owner can change the plan in the settings.',
  IP_NOT_ALLOWED: 'Add this address to the allowlist of the key in the settings of the board.',
  RATE_LIMIT_EXCEEDED: 'Run the flow less often, or give the key a higher rate limit.',
  FORBIDDEN: 'Give the key the permission, or its user the role, that the message names.',
  CURSOR_EXPIRED:
    'The flow was off for longer than the server keeps events. Read the current ideas with "Get Many", then set "If Events Are No Longer Kept" to "Continue With the Oldest".',
  SERVICE_UNAVAILABLE: 'The server is busy or restarting: run it again in a moment.',
};

/**
 * What runs documents over a connection. A request that the server is too busy for is repeated after the pause it asks for.
 * @param maxWaitMs the longest that one request waits
 * @throws BoardError, by the promise, for whatever is not a result
 */
export function makeAsk(connection: Connection, maxWaitMs = MAX_WAIT_MS): Ask {
  return async <T>(query: string, variables: Record<string, unknown> = {}, idempotencyKey?: string): Promise<T> => {
    const headers: Record<string, string> = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    let waited = 0;
    for (let attempt = 1; ; attempt++) {
      const reply = await connection.send({ query, variables }, headers);
      const pause = pauseOf(reply, attempt);
      if (pause === null || attempt === MAX_ATTEMPTS || waited + pause > maxWaitMs) return readReply(reply) as T;
      waited += pause;
      await connection.sleep(pause);
    }
  };
}

/** Milliseconds until a request should be repeated; null if its reply is final. */
function pauseOf({ status, headers, body }: Reply, attempt: number): number | null {
  const isBusy = PASSING.includes(status) || codeOf(body) === 'SERVICE_UNAVAILABLE';
  if (!isBusy) return null;
  const seconds = Number(headers['retry-after']);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 500 * 2 ** attempt;
}

function codeOf(body: unknown): string | undefined {
  return isGraphql(body) ? body.errors?.[0]?.extensions?.code : undefined;
}

function readReply({ status, body }: Reply): unknown {
  if (!isGraphql(body)) throw new BoardError('NO_GRAPHQL', noGraphql(status), { status, help: ADDRESS_HELP });
  const [error] = body.errors ?? [];
  if (!error) return body.data;
  const { code = 'UNKNOWN', ...rest } = error.extensions ?? {};
  throw new BoardError(code, error.message, { status, ...rest });
}

const ADDRESS_HELP = 'Check the address in the credential: it is that of the server, such as https://ideas.example.com';

function noGraphql(status: number): string {
  return `The address does not answer as an Earshot server does (status ${status})`;
}

function isGraphql(body: unknown): body is GraphqlReply {
  return typeof body === 'object' && body !== null && ('data' in body || 'errors' in body);
}
