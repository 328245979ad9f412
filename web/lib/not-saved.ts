import { type ClientActionFunctionArgs, data, isRouteErrorResponse } from 'react-router';
import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';
import type { FormAnswer } from './forms.ts';

/** With this status the router does not ask for the page again, which would fail as well. */
const UNAVAILABLE = 503;

/**
 * Sends a form, as the `clientAction` of a route. If the server does not answer it, because it restarts, or the line or a
 * proxy fails, the page stays and says so at the form; what was typed is still there, and nothing is done twice when it
 * is sent again.
 */
export async function sendOrStay({ request, serverAction }: ClientActionFunctionArgs) {
  const form = await request.clone().formData();
  try {
    return await serverAction();
  } catch (error) {
    // Redirects, and pages that the server wants shown.
    if (error instanceof Response || (isRouteErrorResponse(error) && error.status < 500)) throw error;
    const message = m.notSaved(document.documentElement.lang as Locale);
    // Fields that are empty or not ticked are told by what is missing. Files stay in their own field, and secrets in theirs.
    const typed = [...form].filter(([name, value]) => typeof value === 'string' && !/password|code/.test(name));
    const values = Object.fromEntries(typed) as Record<string, string>;
    return data({ errors: {}, message, values } satisfies FormAnswer, { status: UNAVAILABLE });
  }
}

/** Whether an action was not answered: nothing has changed. */
export const isUnanswered = (actionStatus: number | undefined): boolean => actionStatus === UNAVAILABLE;
