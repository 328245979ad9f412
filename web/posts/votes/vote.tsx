import { type ActionFunctionArgs, data, Link, redirect, useActionData } from 'react-router';
import { discardVote } from '#src/feedback/drafts/drafts.ts';
import { findPostByNumber } from '#src/feedback/posts/posts.ts';
import { vote } from '#src/feedback/votes/votes.ts';
import * as m from '../../i18n/messages.ts';
import { parseNext } from '../../lib/next.ts';
import { PlainPage } from '../../parts/frame/plain-page.tsx';
import { orErrorPage } from '../../parts/requests/failure.ts';
import { formAnswerOf, orFormAnswer, readForm } from '../../parts/requests/forms.ts';
import { keepForLater, openView, takePart, type View } from '../../parts/requests/joining.ts';
import { useBoard, useLocale } from '../../parts/requests/locale.ts';
import { sendOrStay } from '../../parts/requests/not-saved.ts';
import { findLoginUrl } from '../../parts/requests/sso.ts';

/** Casts or withdraws a vote. Scripts get the new count; a form without them returns to its page. */
export async function action(args: ActionFunctionArgs) {
  const view = await openView(args);
  const { visit, context } = view;
  const { db } = visit;
  const post = await findPostByNumber(db.read, context.board.id, Number(args.params.number), context.actor);
  if (!post) throw new Response(null, { status: 404 });
  const isSignedIn = await visit.people.areSignedIn(context.board);
  const form = await readForm(args.request.clone());
  return orFormAnswer(form, async () => {
    const isVoted = form.vote !== 'none';
    if (!form.next && !isSignedIn && (await findLoginUrl(visit, context.board)) === null) {
      return holdVote(args, view, post.id, isVoted);
    }
    const { context: own } = await takePart(args, { kind: 'vote', postId: post.id });
    const { upvotes } = await orErrorPage(vote(own, post.id, isVoted ? 'UP' : null));
    if (form.next) throw redirect(parseNext(form.next) ?? `/b/${context.board.pid}`);
    return { votes: upvotes, isVoted };
  });
}

export const clientAction = sendOrStay;

/** Stores the vote of an anonymous visitor, who is asked for an address on the same page, or withdraws it. */
async function holdVote(args: ActionFunctionArgs, { context, browser }: View, postId: string, isVoted: boolean) {
  if (isVoted) return data({ isPending: true }, { headers: await keepForLater(args, { kind: 'vote', postId }) });
  if (browser !== null) await discardVote(context, browser, postId);
  return data({ isPending: false });
}

/** The page for a failed form without scripts. */
export default function Vote() {
  const answer = formAnswerOf(useActionData<typeof action>());
  const board = useBoard();
  const l = useLocale();
  return (
    <PlainPage title={m.voteRefused(l)}>
      {answer?.message && (
        <p className="note" data-kind="error" role="alert">
          {answer.message}
        </p>
      )}
      <p>
        <Link to={parseNext(answer?.values.next) ?? `/b/${board?.pid}`}>{m.back(l)}</Link>
      </p>
    </PlainPage>
  );
}
