import {
  type ClientActionFunctionArgs,
  type DataStrategyResult,
  data,
  isRouteErrorResponse,
  type MiddlewareFunction,
  redirect,
  replace,
} from 'react-router';
import type { Locale } from '../../i18n/languages.ts';
import * as m from '../../i18n/messages.ts';
import { awaitAnswer } from '../../lib/load-part.ts';
import type { FormAnswer } from './forms.ts';

/** With this status the router does not ask for the page again, which would fail as well. */
const UNAVAILABLE = 503;

/** Tells that a form was not answered, for pages whose form does not say so itself. */
export const NOT_SAVED = 'earshot-not-saved';

/**
 * Sends a form to another route than that of the page, as the `clientAction` of that route. If the server does not answer
 * it, because it restarts, or the line or a proxy fails, the page stays and says so at the form; what was typed is still
 * there, and nothing is done twice when it is sent again.
 */
export async function sendOrStay({ request, serverAction }: ClientActionFunctionArgs) {
  const form = await request.clone().formData();
  try {
    return await serverAction();
  } catch (error) {
    if (isAnswer(error)) throw error;
    return refuse(form);
  }
}

/** The page that was asked for again after the server had been silent: a second failure is one of the server. */
let askedAgain = '';

/**
 * Keeps a page and what was typed on it while the server is silent, as middleware of the root route: for every form of a
 * page, and for links. A page that is not answered is asked
 * for again when the server is back; until then the one before it stays. Forms without a page of their own, such as
 * signing out, return to the page that they were sent from. What loads a part of a page sees to that itself (`similar`).
 */
export const stayIfUnanswered: MiddlewareFunction<Record<string, DataStrategyResult>> = async ({ request }, next) => {
  const { method, url, signal } = request;
  const isOwn = new URL(url).pathname === window.location.pathname;
  const form = method !== 'GET' && isOwn ? await request.clone().formData() : null;
  const results = await next();
  const failed = Object.keys(results).filter((id) => results[id]?.type === 'error' && !isAnswer(results[id].result));
  const [id] = signal.aborted ? [] : failed;
  if (method === 'GET') {
    const isSilence = id !== undefined && askedAgain !== url;
    askedAgain = isSilence ? url : '';
    if (!isSilence) return results;
    await awaitAnswer(undefined, { cache: 'no-store', signal });
    // Going back, the browser has the address already.
    results[id] = { type: 'error', result: window.location.href.split('#')[0] === url ? replace(url) : redirect(url) };
  } else if (id !== undefined) {
    results[id] = form
      ? { type: 'data', result: refuse(form) }
      : { type: 'error', result: replace(window.location.href) };
    window.dispatchEvent(new Event(NOT_SAVED));
  }
  return results;
};

/** Redirects, and pages that the server wants shown. */
function isAnswer(error: unknown): boolean {
  return error instanceof Response || (isRouteErrorResponse(error) && error.status < 500);
}

function refuse(form: FormData) {
  const message = m.notSaved(document.documentElement.lang as Locale);
  // Fields that are empty or not ticked are told by what is missing. Files stay in their own field, and secrets in theirs.
  const typed = [...form].filter(([name, value]) => typeof value === 'string' && !/password|code/.test(name));
  const values = Object.fromEntries(typed) as Record<string, string>;
  return data({ errors: {}, message, values, isUnanswered: true } satisfies FormAnswer, { status: UNAVAILABLE });
}

/** Whether an action was not answered: nothing has changed. */
export const isUnanswered = (actionStatus: number | undefined): boolean => actionStatus === UNAVAILABLE;
