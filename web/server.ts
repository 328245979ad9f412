import * as build from 'virtual:react-router/server-build';
import { createRequestHandler, RouterContextProvider } from 'react-router';
import type { Respond } from '../src/web/pages.ts';
import { visitContext } from './lib/visit.ts';

const handleRequest = createRequestHandler(build, import.meta.env.PROD ? 'production' : 'development');

/** Answers one request for a page; `visit` is what the server lends to it. */
export const respond: Respond = (request, visit) => {
  const context = new RouterContextProvider();
  context.set(visitContext, visit);
  return handleRequest(request, context);
};
