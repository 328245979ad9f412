import {
  type ActionFunctionArgs,
  Link,
  type LoaderFunctionArgs,
  Outlet,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { findUsersOfKeys, listKeys } from '#src/identity/keys/keys.ts';
import { changeBoard } from '#src/identity/settings/settings.ts';
import { may } from '#src/identity/users/authority.ts';
import type { UserRow } from '#src/identity/users/users.ts';
import { formatTime } from '../../i18n/measures.ts';
import * as m from '../../i18n/messages.ts';
import { PageForm, Submit } from '../../parts/forms/form.tsx';
import { formAnswerOf, orFormAnswer, readForm } from '../../parts/requests/forms.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { requireMember } from '../../parts/requests/member.ts';
import { withUndo } from '../../parts/requests/undo.ts';
import { PageTitle } from '../../parts/show/page-title.tsx';
import { fieldsOf, limitsOf, stateOf } from './settings.ts';
import { KeyState, permissionWords } from './state.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const { visit, context } = await requireMember(args, 'key.manage');
  const rows = await listKeys(visit.db.read, context.board.id);
  const users = await findUsersOfKeys(visit.db.read, context.board.id, rows);
  const now = visit.clock.now();
  return {
    isOn: context.board.plan !== 'FREE',
    maySwitch: may(context.actor, 'api.switch'),
    keys: rows.toReversed().map((row) => ({
      ...fieldsOf(row),
      id: row.id,
      prefix: row.prefix,
      limits: limitsOf(JSON.parse(row.rate_limits)),
      lastUsed: row.date_last_used,
      state: stateOf(row, now),
      maker: showMaker(users.get(row.made_by ?? '')),
      actor: showActor(row.is_bound === 1, users.get(row.default_user_id ?? '')),
    })),
  };
}

export async function action(args: ActionFunctionArgs) {
  const { visit, context } = await requireMember(args, 'key.manage');
  const form = await readForm(args.request);
  return orFormAnswer(form, async () => {
    if (form.intent !== 'on' && form.intent !== 'off') throw new Response(null, { status: 400 });
    await changeBoard(context, { isApiEnabled: form.intent === 'on' });
    visit.keysChanged();
    throw redirect(withUndo(visit, `/b/${context.board.pid}/settings/apis?done=saved`));
  });
}

function showMaker(maker: UserRow | undefined) {
  return maker ? { name: maker.name ?? maker.id, mayManage: may(maker, 'key.manage') } : null;
}

/** Who acts with a key; a bound one whose user was erased is of no use any more. */
function showActor(isBound: boolean, user: UserRow | undefined) {
  return user || isBound ? { isBound, name: user ? (user.name ?? user.id) : '–' } : null;
}

/** The keys of the API, and whether it is on. */
export default function Apis() {
  const { isOn, maySwitch, keys } = useLoaderData<typeof loader>();
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
      {keys.length === 0 ? (
        <p className="empty">{m.noKeys(l)}</p>
      ) : (
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{m.keyName(l)}</th>
              <th scope="col">{m.key(l)}</th>
              <th scope="col">{m.permissions(l)}</th>
              <th scope="col">{m.addresses(l)}</th>
              <th scope="col">{m.limits(l)}</th>
              <th scope="col">{m.madeBy(l)}</th>
              <th scope="col">{m.lastUsed(l)}</th>
              <th scope="col">{m.state(l)}</th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <KeyRow key={key.id} apiKey={key} />
            ))}
          </tbody>
        </table>
      )}
      <Outlet />
    </div>
  );
}

function KeyRow({ apiKey: key }: { apiKey: Awaited<ReturnType<typeof loader>>['keys'][number] }) {
  const l = useLocale();
  const { perSecond, perMinute, perHour } = key.limits;
  const limits = [perSecond && `${perSecond}/s`, perMinute && `${perMinute}/min`, perHour && `${perHour}/h`];
  return (
    <tr>
      <th scope="row" data-label={m.keyName(l)}>
        <Link to={key.id} dir="auto">
          {key.name}
        </Link>
      </th>
      <td data-label={m.key(l)}>
        <code dir="ltr">{`esk_${key.prefix}…`}</code>
      </td>
      <td data-label={m.permissions(l)}>
        {permissionWords(l, key)}
        {key.actor && (
          <p className="muted small" dir="auto">
            {key.actor.isBound ? m.keyActsOnlyAs(l, key.actor) : m.keyActsAs(l, key.actor)}
          </p>
        )}
      </td>
      <td data-label={m.addresses(l)}>
        {key.ips === '' ? m.addressAny(l) : <bdi dir="ltr">{key.ips.replaceAll('\n', ', ')}</bdi>}
      </td>
      <td data-label={m.limits(l)}>{limits.filter(Boolean).join(', ') || m.noLimit(l)}</td>
      <td data-label={m.madeBy(l)}>
        <bdi>
          {key.maker === null || key.maker.mayManage
            ? (key.maker?.name ?? '–')
            : m.madeByFormer(l, { name: key.maker.name })}
        </bdi>
      </td>
      <td data-label={m.lastUsed(l)}>{key.lastUsed === null ? m.never(l) : formatTime(l, key.lastUsed)}</td>
      <td data-label={m.state(l)}>
        <KeyState state={key.state} expires={key.expires} />
      </td>
    </tr>
  );
}
