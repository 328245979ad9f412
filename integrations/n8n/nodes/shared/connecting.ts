import type {
  IAllExecuteFunctions,
  IExecuteFunctions,
  IHttpRequestOptions,
  ILoadOptionsFunctions,
  INode,
  IPollFunctions,
  JsonObject,
} from 'n8n-workflow';
import { NodeApiError, NodeOperationError, sleep } from 'n8n-workflow';
import { type Ask, BoardError, type Connection, type GraphqlBody, makeAsk, type Reply } from './asking.ts';

type Functions = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

const TIMEOUT_MS = 30_000;

/** What runs documents on the board of the credential. `maxWaitMs` is the longest that a request waits for a busy server. */
export async function connect(functions: Functions, maxWaitMs?: number): Promise<Ask> {
  const { server } = await functions.getCredentials<{ server: string }>('earshotApi');
  const url = `${server.trim().replace(/\/+$/, '')}/api/v1/graphql`;
  const connection: Connection = {
    sleep,
    async send(body: GraphqlBody, headers: Record<string, string>): Promise<Reply> {
      const request: IHttpRequestOptions = {
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', ...headers },
        body,
        json: true,
        timeout: TIMEOUT_MS,
        returnFullResponse: true,
        ignoreHttpStatusErrors: true,
      };
      const sent = functions.helpers.httpRequestWithAuthentication;
      const reply = await sent.call(functions as IAllExecuteFunctions, 'earshotApi', request);
      return { status: reply.statusCode, headers: reply.headers, body: reply.body };
    },
  };
  return makeAsk(connection, maxWaitMs);
}

/** An error as n8n shows it, with what to do about it. */
export function nodeError(node: INode, error: unknown, itemIndex?: number): NodeApiError | NodeOperationError {
  const place = itemIndex === undefined ? {} : { itemIndex };
  if (!(error instanceof BoardError)) return new NodeApiError(node, error as JsonObject, place);
  const { code, field, status, help, message } = error;
  const shown = field === undefined ? message : `${message} (${field})`;
  const description = [help, `Code: ${code}`].filter(Boolean).join(' ');
  if (status === 0) return new NodeOperationError(node, shown, { ...place, description });
  const httpCode = String(status);
  return new NodeApiError(node, { code, message } as JsonObject, { ...place, message: shown, description, httpCode });
}
