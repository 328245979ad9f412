import { Form, useLocation, useSubmit } from 'react-router';
import { languageNames } from '../../i18n/languages.ts';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../requests/locale.ts';
import { Icon } from '../show/icon.tsx';

/** The choice of a language, each by its own name. Without scripts, a button sends it. */
export function LanguageChoice() {
  const l = useLocale();
  const submit = useSubmit();
  const { pathname, search } = useLocation();
  return (
    <Form method="post" action="/look" className="language-choice" preventScrollReset>
      <input type="hidden" name="next" value={`${pathname}${search}`} />
      <Icon name="globe" />
      <select
        key={l}
        name="language"
        className="input"
        aria-label={m.language(l)}
        defaultValue={l}
        onChange={({ currentTarget: { form } }) => submit(form, { preventScrollReset: true })}
      >
        {Object.entries(languageNames).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit" className="button">
        {m.change(l)}
      </button>
    </Form>
  );
}
