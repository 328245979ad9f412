import { Form, useLocation, useRouteLoaderData } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../requests/locale.ts';
import type { viewRoot } from '../requests/root-view.ts';

/** The choice of a theme: a plain form, so that it works without scripts. */
export function ThemeChoice() {
  const l = useLocale();
  const root = useRouteLoaderData<typeof viewRoot>('root');
  const { pathname, search } = useLocation();
  const current = root?.theme ?? 'system';
  const choices = { system: m.themeSystem(l), light: m.themeLight(l), dark: m.themeDark(l) };
  return (
    <Form method="post" action="/look" className="segments" aria-label={m.theme(l)} preventScrollReset>
      <input type="hidden" name="next" value={`${pathname}${search}`} />
      {Object.entries(choices).map(([theme, words]) => (
        <button type="submit" key={theme} name="theme" value={theme} aria-pressed={theme === current}>
          {words}
        </button>
      ))}
    </Form>
  );
}
