import { AsyncLocalStorage } from 'node:async_hooks';
import * as build from 'virtual:react-router/server-build';
import { createRequestHandler, RouterContextProvider } from 'react-router';
import type { Respond } from '../src/web/pages.ts';
import type { Visit } from '../src/web/visit.ts';
import { parseLocale } from './i18n/format.ts';
import german from './i18n/said.de.json';
import { setTeller } from './lib/said.ts';
import { visitContext } from './lib/visit.ts';

const handleRequest = createRequestHandler(build, import.meta.env.PROD ? 'production' : 'development');
const visits = new AsyncLocalStorage<Visit>();
const translations: Readonly<Record<string, string>> = german;

setTeller((parts, english) => {
  const visit = visits.getStore();
  const locale = parseLocale(visit?.language());
  if (!visit || locale === 'en') return english;
  const translate = (template: string) => translations[template] ?? template;
  return visit.features.writeOut(parts, translate, (value) => value.toLocaleString(locale));
});

/** Answers one request for a page; `visit` is what the server lends to it. */
export const respond: Respond = (request, visit) => {
  const context = new RouterContextProvider();
  context.set(visitContext, visit);
  return visits.run(visit, () => handleRequest(request, context));
};
