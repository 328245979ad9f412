import { type ActionFunctionArgs, redirect } from 'react-router';
import { findBoard } from '#src/identity/board/board.ts';
import type { Visit } from '#src/pages/visit.ts';
import { cookiePath } from '#src/platform/http/cookie.ts';
import { countAttempt } from '#src/platform/limits/throttle.ts';
import { languages } from '../i18n/languages.ts';
import { parseNext, pidOf } from '../lib/next.ts';
import { visitContext } from '../lib/visit.ts';
import { orErrorPage } from '../parts/requests/failure.ts';
import { ownOf, readForm } from '../parts/requests/forms.ts';
import { changeOwnPeople } from '../parts/requests/member.ts';

const YEAR_S = 31_536_000;

/** The choices that visitors have, each stored in a cookie of its name. The first value is the default. */
const choices = { theme: ['system', 'light', 'dark'], density: ['comfortable', 'compact'] } as const;

/** Stores a visitor's theme, density or language. Those who are signed in have their language in their profile, too. */
export async function action({ request, context }: ActionFunctionArgs) {
  const visit = context.get(visitContext);
  const path = cookiePath(visit.baseUrl);
  const form = await readForm(request);
  const headers = new Headers();
  for (const [name, values] of Object.entries(choices)) {
    const value = values.find((known) => known === ownOf(form, name));
    if (value) headers.append('set-cookie', cookieOf(name, value === values[0] ? null : value, path));
  }
  const next = parseNext(form.next);
  const language = languages.find((known) => known === ownOf(form, 'language'));
  if (language) {
    headers.append('set-cookie', cookieOf('language', language, path));
    await orErrorPage(changeLanguage(visit, next, language));
  }
  return redirect(next ?? '/', { headers });
}

async function changeLanguage(visit: Visit, next: string | null, locale: string): Promise<void> {
  const account = (await visit.access.current())?.account ?? null;
  const board = await findBoard(visit.db.read, pidOf(next) ?? '');
  const user = board && (await visit.people.on(board));
  if (!account && !user) return;
  await countAttempt(visit.db, visit.clock, 'profiles of', account?.id ?? user?.id ?? '');
  await changeOwnPeople({ visit, user, account }, { locale });
}

function cookieOf(name: string, value: string | null, path: string): string {
  return `${name}=${value ?? ''}; Max-Age=${value === null ? 0 : YEAR_S}; Path=${path}; SameSite=Lax`;
}

export function loader() {
  return redirect('/');
}
