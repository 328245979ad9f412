import type { CSSProperties, FormEvent } from 'react';
import { useFetcher, useLocation } from 'react-router';
import type { CommentReaction, ReactionCount } from '#src/feedback/comments/reactions.ts';
import { formatCount } from '../i18n/format.ts';
import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';
import { useIsStatic, useLocale } from '../parts/requests/locale.ts';
import { Icon } from '../parts/show/icon.tsx';

/** The ways to react: how each looks, and what it is called. */
const reactions: Record<CommentReaction, { emoji: string; name: (l: Locale) => string }> = {
  THUMBS_UP: { emoji: '👍', name: m.reactThumbsUp },
  HEART: { emoji: '❤️', name: m.reactHeart },
  LAUGH: { emoji: '😂', name: m.reactLaugh },
  PARTY: { emoji: '🎉', name: m.reactParty },
  EYES: { emoji: '👀', name: m.reactEyes },
};
const all = Object.keys(reactions) as CommentReaction[];

type ReactionsProps = { commentId: string; counts: readonly ReactionCount[]; isClosed: boolean };

/** How users reacted to a comment; in an export without the buttons to do so. */
export function Reactions(props: ReactionsProps) {
  return useIsStatic() ? <ReactionCounts counts={props.counts} /> : <ReactionForm {...props} />;
}

function ReactionCounts({ counts }: Pick<ReactionsProps, 'counts'>) {
  const l = useLocale();
  if (counts.length === 0) return null;
  return (
    <p className="reactions">
      {counts.map(({ reaction, count }) => (
        <span key={reaction} className="react">
          <span aria-hidden="true">{reactions[reaction].emoji}</span>
          <span className="visually-hidden">{`${reactions[reaction].name(l)}, `}</span>
          <span>{formatCount(l, count)}</span>
        </span>
      ))}
    </p>
  );
}

/** How users reacted to a comment, and buttons to do so. The count changes at once; without scripts the page reloads. */
function ReactionForm({ commentId, counts, isClosed }: ReactionsProps) {
  const l = useLocale();
  const fetcher = useFetcher();
  const { pathname, search } = useLocation();
  const shown = withSent(counts, fetcher.formData?.get('react'));
  const others = all.filter((reaction) => !shown.some((count) => count.reaction === reaction));
  const id = `react-${commentId}`;
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    document.getElementById(id)?.hidePopover();
    const react = (submitter as HTMLButtonElement | null)?.value ?? '';
    fetcher.submit({ intent: 'react', id: commentId, react }, { method: 'post', action: pathname });
  };
  if (isClosed && shown.length === 0) return null;
  return (
    <fetcher.Form method="post" action={pathname} className="reactions" onSubmit={send}>
      <input type="hidden" name="intent" value="react" />
      <input type="hidden" name="id" value={commentId} />
      <input type="hidden" name="next" value={`${pathname}${search}#comment-${commentId}`} />
      {shown.map(({ reaction, count, isOwn }) => (
        <button
          key={reaction}
          type="submit"
          className="react"
          name="react"
          value={`${isOwn ? 'off' : 'on'} ${reaction}`}
          aria-pressed={isOwn}
          aria-label={`${reactions[reaction].name(l)}, ${count}`}
          disabled={isClosed}
        >
          <span aria-hidden="true">{reactions[reaction].emoji}</span>
          <span>{formatCount(l, count)}</span>
        </button>
      ))}
      {!isClosed && others.length > 0 && (
        <>
          <button
            type="button"
            className="react"
            popoverTarget={id}
            aria-label={m.addReaction(l)}
            style={{ anchorName: `--${id}` } as CSSProperties}
          >
            <Icon name="smile-plus" />
          </button>
          <div
            id={id}
            popover="auto"
            className="menu-list emoji"
            style={{ positionAnchor: `--${id}` } as CSSProperties}
          >
            {others.map((reaction) => (
              <button
                key={reaction}
                type="submit"
                className="icon-button"
                name="react"
                value={`on ${reaction}`}
                aria-label={reactions[reaction].name(l)}
              >
                {reactions[reaction].emoji}
              </button>
            ))}
          </div>
        </>
      )}
    </fetcher.Form>
  );
}

/** The counts as they will be once the server has what was sent. */
function withSent(counts: readonly ReactionCount[], sent: unknown): readonly ReactionCount[] {
  const [, isOn, reaction] = /^(?:(on)|off) (\w+)$/.exec(typeof sent === 'string' ? sent : '') ?? [];
  const name = all.find((known) => known === reaction);
  if (!name) return counts;
  const before = counts.find((each) => each.reaction === name) ?? { reaction: name, count: 0, isOwn: false };
  const isOwn = isOn !== undefined;
  const after = { ...before, isOwn, count: before.count + Number(isOwn) - Number(before.isOwn) };
  const changed = counts.some((each) => each.reaction === name)
    ? counts.map((each) => (each.reaction === name ? after : each))
    : [...counts, after];
  return changed.filter(({ count }) => count > 0);
}
