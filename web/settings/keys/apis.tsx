import { Link, Outlet, redirect, useActionData, useLoaderData } from 'react-router';
import { findUsersOfKeys, listKeys } from '#src/identity/keys/keys.ts';
import { listPublishableKeys } from '#src/identity/keys/publishable.ts';
import { changeBoard } from '#src/identity/settings/settings.ts';
import { may } from '#src/identity/users/authority.ts';
import type { UserRow } from '#src/identity/users/users.ts';
import { formatTime } from '../../i18n/measures.ts';
import * as m from '../../i18n/messages.ts';
import { PageForm, Submit } from '../../parts/forms/form.tsx';
import { formAnswerOf } from '../../parts/requests/forms.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../../parts/requests/member.ts';
import { withUndo } from '../../parts/requests/undo.ts';
import { PageTitle } from '../../parts/show/page-title.tsx';
import { Table } from '../../parts/show/table.tsx';
import { fieldsOf, limitsOf, stateOf } from './settings.ts';
import { KeyState, permissionWords } from './state.tsx';

export const loader = memberLoader('key.manage', async ({ visit, context }) => {
  const rows = await listKeys(visit.db.read, context.board.id);
  const users = await findUsersOfKeys(visit.db.read, context.board.id, rows);
  const publishable = await listPublishableKeys(visit.db.read, context.board.id);
  const now = visit.clock.now();
  return {
    isOn: context.board.plan !== 'FREE',
    maySwitch: may(context.actor, 'api.switch'),
    keys: rows.toReversed().map((row) => ({
      ...fieldsOf(row),
      id: row.id,
      prefix: row.prefix,
      isAgent: row.client_id !== null,
      limits: limitsOf(JSON.parse(row.rate_limits)),
      lastUsed: row.date_last_used,
      state: stateOf(row, now),
      maker: showMaker(users.get(row.made_by ?? '')),
      actor: showActor(row.is_bound === 1, users.get(row.default_user_id ?? '')),
    })),
    publishable: publishable.toReversed().map(({ id, key, name, origins, date_revoked, date_last_used }) => ({
      id,
      key,
      name,
      origins,
      lastUsed: date_last_used,
      state: date_revoked === null ? ('active' as const) : ('revoked' as const),
    })),
  };
});

export const action = memberAction('key.manage', async ({ visit, context, form }) => {
  if (form.intent !== 'on' && form.intent !== 'off') throw new Response(null, { status: 400 });
  await changeBoard(context, { isApiEnabled: form.intent === 'on' });
  visit.keysChanged();
  throw redirect(withUndo(visit, `/b/${context.board.pid}/settings/apis?done=saved`));
});

function showMaker(maker: UserRow | undefined) {
  return maker ? { name: maker.name ?? maker.id, mayManage: may(maker, 'key.manage') } : null;
}

/** Who acts with a key; a bound one whose user was erased is of no use any more. */
function showActor(isBound: boolean, user: UserRow | undefined) {
  return user || isBound ? { isBound, name: user ? (user.name ?? user.id) : '–' } : null;
}

/** The keys of the API, and whether it is on. */
export default function Apis() {
  const { isOn, maySwitch, keys, publishable } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  return (
    <div className="stack wide">
      <PageTitle>{m.apis(l)}</PageTitle>
      <p className="muted">{m.apisHelp(l)}</p>
      {!isOn && (
        <p className="note" data-kind="warning">
          {m.apiOff(l)}
        </p>
      )}
      <div className="row">
        <Link className="button" data-kind="primary" to="new">
          {m.createKey(l)}
        </Link>
        {maySwitch && (
          <PageForm answer={answer} intent={isOn ? 'off' : 'on'}>
            <Submit kind={isOn ? 'plain' : 'primary'}>{isOn ? m.apiTurnOff(l) : m.apiTurnOn(l)}</Submit>
          </PageForm>
        )}
      </div>
      {!maySwitch && <p className="muted small">{m.apiOwnerOnly(l)}</p>}
      {keys.length === 0 ? <p className="empty">{m.noKeys(l)}</p> : <Keys keys={keys} />}
      <section className="stack" aria-labelledby="publishable">
        <h2 id="publishable">{m.publishableKeys(l)}</h2>
        <p className="muted">{m.publishableHelp(l)}</p>
        <p>
          <Link className="button" to="publishable/new">
            {m.publishableNew(l)}
          </Link>
        </p>
        {publishable.length === 0 ? (
          <p className="empty">{m.publishableNone(l)}</p>
        ) : (
          <PublishableKeys keys={publishable} />
        )}
      </section>
      <Outlet />
    </div>
  );
}

type Key = Awaited<ReturnType<typeof loader>>['keys'][number];

function Keys({ keys }: { keys: readonly Key[] }) {
  const l = useLocale();
  return (
    <Table
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        {
          name: m.keyName(l),
          cell: ({ id, name }) => (
            <Link to={id} dir="auto">
              {name}
            </Link>
          ),
        },
        {
          name: m.key(l),
          cell: ({ prefix, isAgent }) => (isAgent ? m.agentKey(l) : <code dir="ltr">{`esk_${prefix}…`}</code>),
        },
        {
          name: m.permissions(l),
          cell: (key) => (
            <>
              {permissionWords(l, key)}
              {key.actor && (
                <p className="muted small" dir="auto">
                  {key.actor.isBound ? m.keyActsOnlyAs(l, key.actor) : m.keyActsAs(l, key.actor)}
                </p>
              )}
            </>
          ),
        },
        {
          name: m.addresses(l),
          cell: ({ ips }) => (ips === '' ? m.addressAny(l) : <bdi dir="ltr">{ips.replaceAll('\n', ', ')}</bdi>),
        },
        { name: m.limits(l), cell: ({ limits }) => <bdi>{limitWords(limits) || m.noLimit(l)}</bdi> },
        {
          name: m.madeBy(l),
          cell: ({ maker }) => (
            <bdi>
              {maker === null || maker.mayManage ? (maker?.name ?? '–') : m.madeByFormer(l, { name: maker.name })}
            </bdi>
          ),
        },
        { name: m.lastUsed(l), cell: ({ lastUsed }) => (lastUsed === null ? m.never(l) : formatTime(l, lastUsed)) },
        { name: m.state(l), cell: ({ state, expires }) => <KeyState state={state} expires={expires} /> },
      ]}
    />
  );
}

function PublishableKeys({ keys }: { keys: Awaited<ReturnType<typeof loader>>['publishable'] }) {
  const l = useLocale();
  return (
    <Table
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        {
          name: m.keyName(l),
          cell: ({ id, name }) => (
            <Link to={`publishable/${id}`} dir="auto">
              {name}
            </Link>
          ),
        },
        {
          name: m.key(l),
          cell: ({ key }) => (
            <code className="break" dir="ltr">
              {key}
            </code>
          ),
        },
        { name: m.publishableOrigins(l), cell: ({ origins }) => <bdi dir="ltr">{origins.replaceAll(' ', ', ')}</bdi> },
        { name: m.lastUsed(l), cell: ({ lastUsed }) => (lastUsed === null ? m.never(l) : formatTime(l, lastUsed)) },
        { name: m.state(l), cell: ({ state }) => <KeyState state={state} expires="" /> },
      ]}
    />
  );
}

function limitWords({ perSecond, perMinute, perHour }: Key['limits']): string {
  const limits = [perSecond && `${perSecond}/s`, perMinute && `${perMinute}/min`, perHour && `${perHour}/h`];
  return limits.filter(Boolean).join(', ');
}
