import { Link } from 'react-router';
import { formatCount } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { Icon } from '../parts/show/icon.tsx';
import { Onward } from '../parts/show/onward.tsx';
import { Picker } from '../parts/show/picker.tsx';
import type { MergeTargets } from '../post/merge-targets.ts';
import type { PostPage } from '../post/page.ts';
import { StatusChip } from '../posts/status.tsx';

/** Ideas that this one may be a duplicate of, each with the votes that both have together. */
const SHOWN = 3;

type Twin = MergeTargets['choices'][number];

/** Likely duplicates of an idea in triage; a button asks whether to merge it into one of them. */
export function Twins({ post }: { post: PostPage }) {
  const l = useLocale();
  const likely = post.merge?.words === '' ? post.merge.choices.filter(({ shared }) => shared !== null) : [];
  const twins = likely.slice(0, SHOWN);
  if (twins.length === 0 || post.target !== null || !post.rights.merge) return null;
  return (
    <section className="twins" aria-labelledby="twins">
      <h2 id="twins">
        <Icon name="git-merge" />
        {m.triageTwins(l)}
      </h2>
      {twins.map((twin, n) => (
        <TwinRow key={twin.number} twin={twin} mailed={post.audiences?.merge.mailed ?? 0} isFirst={n === 0} />
      ))}
    </section>
  );
}

type RowProps = { twin: Twin; mailed: number; isFirst: boolean };

function TwinRow({ twin, mailed, isFirst }: RowProps) {
  const { number, title, votes, together, path, isHeld, status, shared } = twin;
  const board = useBoard();
  const l = useLocale();
  const words = m.mergeVotes(l, { count: together });
  return (
    <div className="twin">
      <span className="twin-votes">{m.votes(l, { count: votes })}</span>
      <div>
        <Link to={`/b/${board?.pid}/${path}`} dir="auto">
          {title}
        </Link>
        {isHeld ? (
          <span className="held">{m.waitsForApproval(l)}</span>
        ) : (
          status && <StatusChip status={status} isBare />
        )}
        <small className="muted">{m.wordsInCommon(l, { words: new Intl.ListFormat(l).format(shared ?? []) })}</small>
      </div>
      <Picker
        id={`pick-merge-${number}`}
        label={`${words} #${number}`}
        className="button"
        button={words}
        {...(isFirst && { shortcut: 'm' })}
      >
        <PageForm answer={undefined} intent="merge" action="?">
          <input type="hidden" name="target" value={number} />
          <strong>{m.mergePlan(l, { title })}</strong>
          <p>
            {m.mergeTogether(l, { votes: formatCount(l, votes), count: together })}
            <br />
            {m.emailsGo(l, { count: mailed })}
          </p>
          <Onward />
          <Submit>{m.merge(l)}</Submit>
        </PageForm>
      </Picker>
    </div>
  );
}
