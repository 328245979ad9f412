/** What the tests use of receivers and of a parser that come without types. */
declare module 'x-hub-signature' {
  export default class XHubSignature {
    constructor(algorithm: string, secret: string);
    verify(expectedSignature: string, requestBody: Uint8Array | string): boolean;
  }
}

declare module 'x-hub-signature-middleware' {
  import type { Handler } from 'express';
  export const extractRawBody: (request: unknown, response: unknown, body: Uint8Array) => void;
  export function xHubSignatureMiddleware(options: { algorithm: string; secret: string }): Handler;
}

declare module 'express-x-hub' {
  import type { Handler } from 'express';
  export default function xHub(options: { algorithm: string; secret: string }): Handler;
}

declare module 'express' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
  export type Request = IncomingMessage & {
    body: unknown;
    query: Record<string, string>;
    /** Of express-x-hub. */
    isXHub?: boolean;
    isXHubValid?: () => boolean;
  };
  export type Response = ServerResponse & { sendStatus(status: number): Response; send(body: string): Response };
  export type Handler = (request: Request, response: Response, next: (error?: unknown) => void) => unknown;
  type Express = RequestListener &
    Record<'use' | 'get' | 'post', (...handlers: (string | Handler)[]) => Express> & {
      set(setting: string, value: string): Express;
    };
  function express(): Express;
  namespace express {
    function json(options: { verify: (request: unknown, response: unknown, body: Uint8Array) => void }): Handler;
  }
  export default express;
}
