import { type ActionFunctionArgs, redirect } from 'react-router';
import { cookiePath } from '#src/platform/http/cookie.ts';
import { parseNext } from '../lib/next.ts';
import { visitContext } from '../lib/visit.ts';
import { ownOf, readForm } from '../parts/requests/forms.ts';

const YEAR_S = 31_536_000;

/** The choices that visitors have, each stored in a cookie of its name. The first value is the default. */
const choices = { theme: ['system', 'light', 'dark'], density: ['comfortable', 'compact'] } as const;

/** Stores a visitor's theme or density. */
export async function action({ request, context }: ActionFunctionArgs) {
  const path = cookiePath(context.get(visitContext).baseUrl);
  const form = await readForm(request);
  const headers = new Headers();
  for (const [name, values] of Object.entries(choices)) {
    const value = values.find((known) => known === ownOf(form, name));
    if (value) headers.append('set-cookie', cookieOf(name, value === values[0] ? null : value, path));
  }
  return redirect(parseNext(form.next) ?? '/', { headers });
}

function cookieOf(name: string, value: string | null, path: string): string {
  return `${name}=${value ?? ''}; Max-Age=${value === null ? 0 : YEAR_S}; Path=${path}; SameSite=Lax`;
}

export function loader() {
  return redirect('/');
}
