import { type ActionFunctionArgs, Link, redirect, useActionData } from 'react-router';
import { findPostByNumber } from '#src/feedback/posts/posts.ts';
import { vote } from '#src/feedback/votes/votes.ts';
import * as m from '../i18n/messages.ts';
import { orErrorPage } from '../lib/failure.ts';
import { formAnswerOf, orFormAnswer, readForm } from '../lib/forms.ts';
import { openView, takePart } from '../lib/joining.ts';
import { useBoard, useLocale } from '../lib/locale.ts';
import { parseNext } from '../lib/next.ts';
import { PlainPage } from '../ui/plain-page.tsx';

/** Gives or takes back a vote. Scripts get the new count; a form without them goes back to its page. */
export async function action(args: ActionFunctionArgs) {
  const { visit, context } = await openView(args);
  const { db } = visit;
  const post = await findPostByNumber(db.read, context.board.id, Number(args.params.number), context.actor);
  if (!post) throw new Response(null, { status: 404 });
  const form = await readForm(args.request);
  return orFormAnswer(form, async () => {
    const { context: own } = await takePart(args, { kind: 'vote', postId: post.id });
    const isVoted = form.vote !== 'none';
    const { upvotes } = await orErrorPage(vote(own, post.id, isVoted ? 'UP' : null));
    if (form.next) throw redirect(parseNext(form.next) ?? `/b/${context.board.pid}`);
    return { votes: upvotes, isVoted };
  });
}

/** Where a form without scripts ends that could not be done. */
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
