import { Link, useLocation } from 'react-router';
import { formatCount } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { PageForm } from '../parts/forms/form.tsx';
import { useLocale } from '../parts/requests/locale.ts';
import type { MergingView } from './triage.ts';

/** What will be merged, and how many votes that makes, with the button that does it. */
export function MergePreview({ merging, home }: { merging: MergingView; home: string }) {
  const { target, sources, together } = merging;
  const l = useLocale();
  const { pathname } = useLocation();
  return (
    <PageForm answer={undefined} action={home} className="card stack" aria-labelledby="merging">
      <h2 id="merging">{m.mergePlan(l, { title: target.title })}</h2>
      <ul className="stack tight">
        {sources.map(({ id, title, votes }) => (
          <li key={id}>
            <bdi>{title}</bdi> <small className="muted">{m.voteCount(l, { count: votes })}</small>
          </li>
        ))}
      </ul>
      <p>{m.mergeTogether(l, { votes: formatCount(l, target.votes), count: together })}</p>
      <p className="muted small">{m.mergeHelp(l)}</p>
      <input type="hidden" name="next" value={pathname} />
      {[target, ...sources].map(({ id }) => (
        <input key={id} type="hidden" name="post" value={id} />
      ))}
      <div className="row">
        {/* biome-ignore lint/a11y/noAutofocus: the question has just been asked, at another place of the page. */}
        <button type="submit" name="do" value="merge-now" className="button" data-kind="primary" autoFocus>
          {m.merge(l)}
        </button>
        <Link to={pathname}>{m.cancel(l)}</Link>
      </div>
    </PageForm>
  );
}
