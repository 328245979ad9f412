import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';
import type { Begun } from '../parts/requests/joining.ts';
import { useLocale } from '../parts/requests/locale.ts';

/** What signing in is for, as a title. */
export function signInTitle(l: Locale, begun: Begun | null): string {
  if (!begun?.title) return m.signIn(l);
  const titles = { vote: m.signInToVote, post: m.signInToPost, comment: m.signInToComment };
  return titles[begun.kind](l, { title: begun.title });
}

/** What signing in will complete, in full: someone else may have started it with the address of the visitor. */
export function BegunList({ begun }: { begun: Begun[] }) {
  const l = useLocale();
  const words = { vote: m.draftVote(l), post: m.draftPost(l), comment: m.draftComment(l) };
  if (begun.length === 0) return null;
  return (
    <>
      <p>{m.willBeDone(l)}</p>
      <ul>
        {begun.map(({ kind, title, text }) => (
          <li key={`${kind} ${title} ${text}`}>
            {words[kind]}
            {title && (
              <>
                : <span dir="auto">{title}</span>
              </>
            )}
            {text && (
              <p className="kept" dir="auto">
                {text}
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
