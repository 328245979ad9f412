import { type ActionFunctionArgs, Form, Link, type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router';
import {
  type Applied,
  applyDrafts,
  type Draft,
  discardDraft,
  listDrafts,
  readDraft,
} from '#src/feedback/drafts/drafts.ts';
import { findPost } from '#src/feedback/posts/posts.ts';
import type { ActorContext } from '#src/identity/users/request-context.ts';
import type { Visit } from '#src/pages/visit.ts';
import * as m from '../../i18n/messages.ts';
import { localize } from '../../lib/localize.ts';
import { withNext } from '../../lib/next.ts';
import { readForm } from '../../parts/requests/forms.ts';
import { findParticipant, openView, readBrowser } from '../../parts/requests/joining.ts';
import { useBoard, useLocale } from '../../parts/requests/locale.ts';
import { type Done, reportDone } from '../../parts/requests/toasts.ts';
import { postPath } from '../posts.ts';

const doneWords: Record<Draft['kind'], Done> = { vote: 'voted', post: 'posted', comment: 'commented' };

export async function loader(args: LoaderFunctionArgs) {
  const participant = await findParticipant(args);
  const here = `/b/${args.params.pid}`;
  if (!participant) throw redirect(withNext('/sign-in', `${here}/continue`));
  const { visit, context } = participant;
  const browser = readBrowser(args.request);
  if (!browser) throw redirect(here);
  const applied = await applyDrafts(context, browser);
  const left = await listDrafts(context, browser);
  if (left.length === 0) throw redirect(await placeOf(visit, context, applied.at(-1)));
  return {
    left: left.map((row) => ({
      id: row.id,
      refusal: localize(row.refusal ?? '', [[row.refusal ?? '']]),
      draft: readDraft(row),
    })),
  };
}

/** Where to see what was done. */
async function placeOf(visit: Visit, { board, actor }: ActorContext, done: Applied | undefined): Promise<string> {
  const here = `/b/${board.pid}`;
  const post = done && (await findPost(visit.db.read, board.id, done.postId, actor));
  if (!post) return here;
  const anchor = done.commentId ? `#comment-${done.commentId}` : '';
  return reportDone(visit, `${here}/${postPath(post)}?done=${doneWords[done.kind]}${anchor}`);
}

export async function action(args: ActionFunctionArgs) {
  const { context, browser } = await openView(args);
  const { id = '', intent } = await readForm(args.request);
  if (intent === 'apply') return applyHere(args, browser);
  if (browser) await discardDraft(context, browser, id);
  return redirect(`/b/${context.board.pid}/continue`);
}

/** Completes drafts without leaving the page. @returns how many could not be completed */
async function applyHere(args: ActionFunctionArgs, browser: string | null): Promise<{ left: number }> {
  const participant = browser === null ? null : await findParticipant(args);
  if (!participant || browser === null) return { left: 0 };
  await applyDrafts(participant.context, browser);
  return { left: (await listDrafts(participant.context, browser)).length };
}

/** What a visitor started before signing in and could not be completed, so that it is not lost. */
export default function Continue() {
  const { left } = useLoaderData<typeof loader>();
  const board = useBoard();
  const l = useLocale();
  const kinds = { vote: m.draftVote(l), post: m.draftPost(l), comment: m.draftComment(l) };
  return (
    <main id="main" className="page">
      <title>{`${m.draftsLeft(l)} · ${board?.name ?? ''}`}</title>
      <div className="intro">
        <h1>{m.draftsLeft(l)}</h1>
        <p>{m.draftsLeftHelp(l)}</p>
      </div>
      {left.map(({ id, refusal, draft }) => (
        <section key={id} className="card stack">
          <h2>{kinds[draft.kind]}</h2>
          <p className="note" data-kind="error">
            {refusal}
          </p>
          {draft.kind === 'post' && <p dir="auto">{draft.title}</p>}
          {draft.kind !== 'vote' && draft.text && (
            <p className="kept" dir="auto">
              {draft.text}
            </p>
          )}
          <div className="row">
            <Link className="button" to="." reloadDocument>
              {m.tryAgain(l)}
            </Link>
            <Form method="post">
              <input type="hidden" name="id" value={id} />
              <button type="submit" className="button" data-kind="danger">
                {m.discard(l)}
              </button>
            </Form>
          </div>
        </section>
      ))}
    </main>
  );
}
