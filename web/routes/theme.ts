import { type ActionFunctionArgs, redirect } from 'react-router';
import { parseNext } from '../lib/next.ts';

const YEAR_S = 31_536_000;

/** Remembers how a visitor likes the pages: light, dark, or as their system is. */
export async function action({ request }: ActionFunctionArgs) {
  const form = await request.formData();
  const theme = form.get('theme');
  const value = theme === 'light' || theme === 'dark' ? `theme=${theme}; Max-Age=${YEAR_S}` : 'theme=; Max-Age=0';
  const headers = { 'set-cookie': `${value}; Path=/; SameSite=Lax` };
  return redirect(parseNext(form.get('next')) ?? '/', { headers });
}

export function loader() {
  return redirect('/');
}
