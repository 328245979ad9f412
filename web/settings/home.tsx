import { type ActionFunctionArgs, Form, Link, type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router';
import { boardUrl } from '#src/identity/board/board.ts';
import { listKeys } from '#src/identity/keys/keys.ts';
import { changeBoard } from '#src/identity/settings/settings.ts';
import { listInvitations } from '#src/identity/team/invitations.ts';
import { listTeam } from '#src/identity/team/members.ts';
import { may } from '#src/identity/users/authority.ts';
import { judgeReach } from '#src/operations/reach/overview.ts';
import { findUntouchedSamples, removeSample } from '#src/operations/sample/removing.ts';
import { SETUP_POSTS } from '#src/operations/sample/sample.ts';
import { seedBoard } from '#src/operations/sample/seed.ts';
import { formatCount } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { makeQrPath } from '../lib/qr.ts';
import { readForm } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { memberLoader, requireMember, requireSelf } from '../parts/requests/member.ts';
import { reportDone } from '../parts/requests/toasts.ts';
import { withUndo } from '../parts/requests/undo.ts';
import { PageTitle } from '../parts/show/page-title.tsx';
import { CopyText } from '../parts/team/copy.tsx';
import { QrCode } from '../parts/team/qr-code.tsx';
import { viewFinding } from './reach.ts';
import { Reach } from './reach.tsx';

/** Members who do not manage the board have only settings of their own. */
export async function loader(args: LoaderFunctionArgs) {
  const { context, user } = await requireSelf(args);
  if (!user || !may(user, 'board.edit')) throw redirect(`/b/${context.board.pid}/settings/profile`);
  return loadOverview(args);
}

const loadOverview = memberLoader('board.edit', async ({ visit, context }) => {
  const { db } = visit;
  const account = (await visit.access.current())?.account;
  const { board } = context;
  const keys = await listKeys(db.read, board.id);
  const team = await listTeam(context);
  const invitations = await listInvitations(context);
  const samples = await findUntouchedSamples(context);
  const address = boardUrl(board, context.baseUrl);
  const findings = await judgeReach(db.read, {
    seen: visit.seen,
    trustProxy: visit.trustProxy,
    boardId: board.id,
    mail: { ...visit.mail, baseUrl: visit.baseUrl },
    providers: visit.access.withProvider.providers,
  });
  const done = {
    look: board.brand_color !== null,
    idea: board.post_count > samples.length,
    key: keys.some((key) => key.date_last_used !== null),
    team: team.length + invitations.length > 1,
    factor: !account || account.is_second_factor_on === 1,
  };
  return {
    findings: findings.map(viewFinding),
    now: visit.clock.now(),
    setupStep: board.setup_step,
    address,
    qr: makeQrPath(address),
    hasSample: samples.length > 0,
    checklist: board.is_checklist_hidden || Object.values(done).every(Boolean) ? null : done,
    counts: {
      ideas: board.post_count,
      team: team.length,
      keys: keys.filter((key) => key.date_revoked === null).length,
    },
  };
});

export async function action(args: ActionFunctionArgs) {
  const { visit, context } = await requireMember(args, 'board.edit');
  const here = `/b/${context.board.pid}/settings`;
  const { intent } = await readForm(args.request);
  if (intent === 'sample') {
    await removeSample(context);
    return redirect(withUndo(visit, `${here}?done=removed`));
  }
  if (intent === 'add-sample') {
    await seedBoard(context, SETUP_POSTS);
    return redirect(reportDone(visit, `${here}?done=saved`));
  }
  await changeBoard(context, { isChecklistHidden: true });
  return redirect(here);
}

/** The remaining setup steps, and later only the overview. */
export default function SettingsHome() {
  const { findings, now, setupStep, address, qr, hasSample, checklist, counts } = useLoaderData<typeof loader>();
  const l = useLocale();
  const isWrong = findings.some(({ isRight }) => isRight === false);
  const reach = <Reach findings={findings} now={now} />;
  return (
    <div className="stack">
      <PageTitle>{m.overview(l)}</PageTitle>
      {isWrong && reach}
      {setupStep !== 0 && (
        <p className="note">
          {m.setupUnfinished(l)} <Link to="../setup">{m.goOn(l)}</Link>
        </p>
      )}
      {checklist && setupStep === 0 && <Checklist done={checklist} />}
      <section className="card stack">
        <CopyText text={address} label={m.shareBoard(l)} />
        <p className="muted small">{m.shareBoardHelp(l)}</p>
        <QrCode code={qr} label={m.shareBoardQr(l)} />
      </section>
      {hasSample && <Sample />}
      {counts.ideas === 0 && setupStep === 0 && <AddSample />}
      <dl className="counts">
        <Count words={m.countIdeas(l)} count={counts.ideas} />
        <Count words={m.countTeam(l)} count={counts.team} />
        <Count words={m.countKeys(l)} count={counts.keys} />
      </dl>
      {!isWrong && reach}
    </div>
  );
}

function Sample() {
  const l = useLocale();
  return (
    <Form method="post" className="card stack">
      <p>{m.sampleHelp(l)}</p>
      <div>
        <button type="submit" name="intent" value="sample" className="button">
          {m.removeSample(l)}
        </button>
      </div>
    </Form>
  );
}

/** On an empty board, also after sample data was removed. */
function AddSample() {
  const l = useLocale();
  return (
    <Form method="post" className="stack">
      <p>
        {m.importInvite(l)} <Link to="import">{m.importInviteLink(l)}</Link>
      </p>
      <div>
        <button type="submit" name="intent" value="add-sample" className="button">
          {m.addSample(l)}
        </button>
      </div>
    </Form>
  );
}

function Count({ words, count }: { words: string; count: number }) {
  const l = useLocale();
  return (
    <div>
      <dt className="muted small">{words}</dt>
      <dd>{formatCount(l, count)}</dd>
    </div>
  );
}

type Done = NonNullable<Awaited<ReturnType<typeof loader>>['checklist']>;

function Checklist({ done }: { done: Done }) {
  const l = useLocale();
  const items: [keyof Done, string, string][] = [
    ['look', m.checkBranding(l), 'general'],
    ['idea', m.checkIdea(l), '..'],
    ['team', m.checkTeam(l), 'members'],
    ['key', m.checkKey(l), 'apis'],
    ['factor', m.checkFactor(l), 'account'],
  ];
  return (
    <section className="card stack" aria-labelledby="checklist">
      <h2 id="checklist">{m.checklist(l)}</h2>
      <ul className="checklist">
        {items.map(([name, words, to]) => (
          <li key={name} data-done={done[name]}>
            {done[name] ? words : <Link to={to}>{words}</Link>}
            {done[name] && <span className="visually-hidden">{m.done(l)}</span>}
          </li>
        ))}
      </ul>
      <Form method="post">
        <button type="submit" className="button">
          {m.hideChecklist(l)}
        </button>
      </Form>
    </section>
  );
}
