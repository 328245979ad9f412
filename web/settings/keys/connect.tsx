import { useEffect } from 'react';
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import { requireBoard } from '#src/identity/board/board.ts';
import { findMember, listMemberships } from '#src/identity/team/members.ts';
import { may } from '#src/identity/users/authority.ts';
import { BEGUN_COOKIE, readBegun } from '#src/operations/agents/paths.ts';
import { notFound } from '#src/platform/errors.ts';
import * as m from '../../i18n/messages.ts';
import { readCookie } from '../../lib/cookies.ts';
import { visitContext } from '../../lib/visit.ts';
import { Checkbox, PageForm, Select, Submit, TextField } from '../../parts/forms/form.tsx';
import { PlainPage } from '../../parts/frame/plain-page.tsx';
import { type FormAnswer, formAnswerOf, orFormAnswer, readForm } from '../../parts/requests/forms.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { requireSignedIn } from '../../parts/requests/member.ts';
import { BudgetFieldset } from './fields.tsx';
import { parseBudget } from './reading.ts';

/** The faults of a request that is over. */
const OVER = ['session_not_found', 'invalid_session'];

/** What an agent may do at first: as much as a person does in a day of work, and hardly any votes. */
const FIRST_BUDGET = { operations: '200', votes: '10', tags: [] };

/** The agent that asks; null if there is none, any longer, or another browser began it, whose owner would get its tokens. */
async function findAsked({ params, request, context }: LoaderFunctionArgs | ActionFunctionArgs) {
  const { uid = '' } = params;
  return readBegun(readCookie(request, BEGUN_COOKIE)).includes(uid) ? context.get(visitContext).agents.find(uid) : null;
}

export async function loader(args: LoaderFunctionArgs) {
  const agent = await findAsked(args);
  const [fault = null] = /^[a-z_]{1,40}$/.exec(args.url.searchParams.get('error') ?? '') ?? [];
  if (!agent) return { agent, fault, boards: [], self: '' };
  const { account } = await requireSignedIn(args);
  const { db } = args.context.get(visitContext);
  const managed = (await listMemberships(db.read, account.id)).filter((user) => may(user, 'key.manage'));
  const boards = await Promise.all(managed.map((user) => requireBoard(db.read, user.board_id)));
  return {
    agent,
    fault,
    boards: boards.map(({ pid, name }) => ({ pid, name })),
    self: `${account.name} (${account.email})`,
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = args.context.get(visitContext);
  const { account } = await requireSignedIn(args);
  const { uid = '' } = args.params;
  if (!(await findAsked(args))) throw redirect(args.url.pathname);
  const form = await readForm(args.request);
  return orFormAnswer(form, async () => {
    if (form.intent === 'refuse') return { to: await visit.agents.refuse(uid) };
    // Not as a visitor of it, or this page would go on in its language: who may connect agents may see it.
    const board = await visit.openDoor(form.board);
    const actor = await findMember(visit.db.read, board.board.id, account.id);
    if (!actor) throw notFound('Board');
    const to = await visit.agents.allow({ ...board, actor }, uid, {
      name: form.name ?? '',
      permissions: form.write === 'on' ? ['READ', 'WRITE'] : ['READ'],
      budget: parseBudget(form),
    });
    visit.keysChanged();
    return { to };
  });
}

/** Asks the owner of a board whether an agent may use it, and what it may do. */
export default function Connect() {
  const { agent, fault, boards, self } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const l = useLocale();
  const to = result && 'to' in result ? result.to : null;
  useEffect(() => {
    if (to !== null) window.location.replace(to);
  }, [to]);
  // Isolated, so that a title keeps the direction of its own words.
  const [name, host] = [isolate(agent?.name), isolate(agent?.host)];
  if (to !== null)
    return (
      <PlainPage title={m.agentContinue(l)}>
        <p>
          <a className="button" data-kind="primary" href={to}>
            {m.agentContinue(l)}
          </a>
        </p>
      </PlainPage>
    );
  if (!agent)
    return (
      <PlainPage title={m.linkUseless(l)}>
        <p>{fault === null || OVER.includes(fault) ? m.agentOver(l) : m.agentFault(l, { fault })}</p>
      </PlainPage>
    );
  return (
    <PlainPage title={m.agentTitle(l, { name })}>
      <p>{agent.isOnThisDevice ? m.agentHelpDevice(l, { name, host }) : m.agentHelp(l, { name, host })}</p>
      <p>
        <strong>
          <bdi>{self}</bdi>
        </strong>
      </p>
      {boards.length === 0 ? (
        <p className="note" data-kind="warning">
          {m.agentNoBoard(l)}
        </p>
      ) : (
        <AllowForm agent={agent} boards={boards} answer={formAnswerOf(result)} />
      )}
      <PageForm answer={undefined} intent="refuse">
        <Submit kind="plain">{m.agentNo(l)}</Submit>
      </PageForm>
    </PlainPage>
  );
}

function isolate(text = ''): string {
  return `\u2068${text}\u2069`;
}

type Loaded = Awaited<ReturnType<typeof loader>>;
type AllowFormProps = {
  agent: NonNullable<Loaded['agent']>;
  boards: Loaded['boards'];
  answer: FormAnswer | undefined;
};

function AllowForm({ agent, boards, answer }: AllowFormProps) {
  const l = useLocale();
  const options = Object.fromEntries(boards.map(({ pid, name }) => [pid, name]));
  return (
    <PageForm answer={answer} intent="allow">
      <Select name="board" label={m.agentBoard(l)} defaultValue={boards[0]?.pid ?? ''} options={options} />
      <TextField name="name" label={m.keyName(l)} defaultValue={agent.name} maxLength={100} required />
      <Checkbox
        name="write"
        label={m.agentMayWrite(l)}
        help={m.agentMayWriteHelp(l)}
        defaultChecked={agent.asksToWrite}
      />
      <BudgetFieldset budget={FIRST_BUDGET} tags={[]} />
      <Submit>{m.agentYes(l)}</Submit>
    </PageForm>
  );
}
