import { useEffect } from 'react';
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import { findPublishableKey, originOf, originsOf } from '#src/identity/keys/publishable.ts';
import { allowVoting } from '#src/identity/keys/visitors.ts';
import { requireRight } from '#src/identity/users/authority.ts';
import { countAttempt } from '#src/platform/limits/throttle.ts';
import * as m from '../i18n/messages.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import { PlainPage } from '../parts/frame/plain-page.tsx';
import { formAnswerOf, orFormAnswer, readForm } from '../parts/requests/forms.ts';
import { findParticipant, openView, signInTo } from '../parts/requests/joining.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';

/** Who is asked, and for which website; null if the link is none that works. */
export async function loader(args: LoaderFunctionArgs) {
  const { visit, context } = await openView(args);
  const asked = await readAsked(args);
  if (!asked) return { site: null, back: null, self: null };
  if (!(await visit.people.areSignedIn(context.board)))
    throw redirect(await signInTo(visit, context.board, `/allow${args.url.search}`));
  const account = (await visit.access.current())?.account;
  const user = account ? null : await visit.people.on(context.board);
  return {
    site: asked.site,
    back: asked.back,
    self: account ? `${account.name} (${account.email})` : (user?.name ?? null),
  };
}

/** Lets the website vote in the visitor's name, and tells it so by the address that they return to. */
export async function action(args: ActionFunctionArgs) {
  const asked = await readAsked(args);
  const participant = await findParticipant(args);
  if (!participant || !asked) throw redirect(args.url.pathname + args.url.search);
  const { visit, context } = participant;
  const form = await readForm(args.request);
  return orFormAnswer(form, async () => {
    requireRight(context.actor, 'take.part');
    await countAttempt(visit.db, visit.clock, 'changes of', context.actor.id);
    const token = await allowVoting(context, asked.keyId);
    return { to: `${asked.back}#${new URLSearchParams({ earshot: token, ...asked.more })}` };
  });
}

/** What a link asks for: the key, the website, and where it returns to with what. */
async function readAsked(args: LoaderFunctionArgs | ActionFunctionArgs) {
  const { visit, context } = await openView(args);
  const { searchParams } = args.url;
  const key = await findPublishableKey(visit.db.read, context.board.id, searchParams.get('key') ?? '');
  const [back = ''] = (URL.parse(searchParams.get('return') ?? '')?.href ?? '').split('#', 1);
  const site = originOf(back);
  if (!key || site === null || !originsOf(key).includes(site)) return null;
  const more = Object.fromEntries(
    ['post', 'state', 'hash'].flatMap((name) => {
      const value = searchParams.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  return { keyId: key.id, site, back, more };
}

/** Asks whether a website may vote in the visitor's name, and returns to it. */
export default function Allow() {
  const { site, back, self } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const answer = formAnswerOf(result);
  const board = useBoard();
  const l = useLocale();
  const to = result && 'to' in result ? result.to : null;
  useEffect(() => {
    if (to !== null) window.location.replace(to);
  }, [to]);
  if (site === null)
    return (
      <PlainPage title={m.linkUseless(l)}>
        <p>{m.allowNoSite(l)}</p>
      </PlainPage>
    );
  // Isolated, so that a title keeps the direction of its own words.
  const name = `\u2068${site.replace(/^https?:\/\//, '')}\u2069`;
  if (to !== null)
    return (
      <PlainPage title={m.allowDone(l, { site: name })}>
        <p>
          <a className="button" data-kind="primary" href={to}>
            {m.allowBack(l, { site: name })}
          </a>
        </p>
      </PlainPage>
    );
  return (
    <PlainPage title={m.allowTitle(l, { site: name })}>
      <p>{m.allowHelp(l, { board: board?.name ?? '' })}</p>
      {self !== null && (
        <p>
          <strong>
            <bdi>{self}</bdi>
          </strong>
        </p>
      )}
      <PageForm answer={answer}>
        <Submit>{m.allowYes(l)}</Submit>
      </PageForm>
      <p>
        <a href={back}>{m.allowBack(l, { site: name })}</a>
      </p>
    </PlainPage>
  );
}
