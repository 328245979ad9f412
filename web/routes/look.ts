import { type ActionFunctionArgs, redirect } from 'react-router';
import { readForm } from '../lib/forms.ts';
import { parseNext } from '../lib/next.ts';

const YEAR_S = 31_536_000;

/** Stores a visitor's theme: light, dark, or the system's. */
export async function action({ request }: ActionFunctionArgs) {
  const { theme, next } = await readForm(request);
  const value = theme === 'light' || theme === 'dark' ? `theme=${theme}; Max-Age=${YEAR_S}` : 'theme=; Max-Age=0';
  const headers = { 'set-cookie': `${value}; Path=/; SameSite=Lax` };
  return redirect(parseNext(next) ?? '/', { headers });
}

export function loader() {
  return redirect('/');
}
