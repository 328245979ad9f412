import type { AudienceCount } from '#src/feedback/notifying/audience.ts';
import type { MailPreview } from '#src/platform/mail/preview.ts';
import { languageNames } from '../../i18n/languages.ts';
import * as m from '../../i18n/messages.ts';
import { Checkbox, Select } from '../../parts/forms/form.tsx';
import { useLocale } from '../../parts/requests/locale.ts';

/** Whom a change notifies: all followers of the post, unless some are left out. */
export function AudienceChoice({ total, mailed, byReason }: AudienceCount) {
  const l = useLocale();
  const words = {
    author: m.audienceAuthor(l),
    upvoters: m.audienceUpvoters(l),
    downvoters: m.audienceDownvoters(l),
    commenters: m.audienceCommenters(l),
    followers: m.audienceFollowers(l),
  };
  if (total === 0) return null;
  return (
    <fieldset>
      <legend>{m.audienceTotal(l, { count: total, mailed })}</legend>
      <input type="hidden" name="audience" value="chosen" />
      {(Object.keys(words) as (keyof typeof words)[]).map((name) =>
        byReason[name] > 0 ? (
          <Checkbox key={name} name={`notify:${name}`} label={`${words[name]} (${byReason[name]})`} defaultChecked />
        ) : null,
      )}
    </fieldset>
  );
}

/** In which language the email of a form is shown by its preview. */
export function PreviewLanguage({ locale }: { locale: string }) {
  const l = useLocale();
  return <Select name="language" label={m.previewLanguage(l)} defaultValue={locale} options={languageNames} />;
}

/** An email as its readers get it. Nothing in it can be clicked: its frame may neither lead elsewhere nor run scripts. */
export function MailView({ mail }: { mail: MailPreview }) {
  const l = useLocale();
  return (
    <section className="mail-view stack tight" aria-label={m.mailPreview(l)}>
      <p>
        <span className="muted small">{m.subject(l)}</span> <strong dir="auto">{mail.subject}</strong>
      </p>
      <iframe sandbox="" title={m.mailPreview(l)} srcDoc={mail.html} />
      <details>
        <summary>{m.mailAsText(l)}</summary>
        <pre className="kept" dir="auto">
          {mail.text}
        </pre>
      </details>
    </section>
  );
}
