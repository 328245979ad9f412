import { Link, type LoaderFunctionArgs, Outlet, useLoaderData } from 'react-router';
import { findMakers, listKeys } from '#src/identity/keys/keys.ts';
import { may } from '#src/identity/users/authority.ts';
import type { UserRow } from '../../../src/identity/users/users.ts';
import { formatTime } from '../../i18n/measures.ts';
import * as m from '../../i18n/messages.ts';
import { fieldsOf, limitsOf, stateOf } from '../../lib/key-settings.ts';
import { useLocale } from '../../lib/locale.ts';
import { requireMember } from '../../lib/member.ts';
import { KeyState, permissionWords } from '../../ui/key-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const { visit, context } = await requireMember(args, 'key.manage');
  const rows = await listKeys(visit.db.read, context.board.id);
  const makers = await findMakers(visit.db.read, context.board.id, rows);
  const now = visit.clock.now();
  return {
    plan: context.board.plan,
    keys: rows.toReversed().map((row) => ({
      ...fieldsOf(row),
      id: row.id,
      prefix: row.prefix,
      limits: limitsOf(JSON.parse(row.rate_limits)),
      lastUsed: row.date_last_used,
      state: stateOf(row, now),
      maker: showMaker(makers.get(row.made_by ?? '')),
    })),
  };
}

function showMaker(maker: UserRow | undefined) {
  return maker ? { name: maker.name ?? maker.id, mayManage: may(maker, 'key.manage') } : null;
}

/** The keys of the API. */
export default function Apis() {
  const { plan, keys } = useLoaderData<typeof loader>();
  const l = useLocale();
  return (
    <div className="stack wide">
      <PageTitle>{m.apis(l)}</PageTitle>
      <p className="muted">{m.apisHelp(l)}</p>
      {plan === 'FREE' && (
        <p className="note" data-kind="warning">
          {m.planTooSmall(l)}
        </p>
      )}
      <p>
        <Link className="button" data-kind="primary" to="new">
          {m.createKey(l)}
        </Link>
      </p>
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
        <code>{`esk_${key.prefix}…`}</code>
      </td>
      <td data-label={m.permissions(l)}>{permissionWords(l, key)}</td>
      <td data-label={m.addresses(l)}>{key.ips === '' ? m.addressAny(l) : key.ips.replaceAll('\n', ', ')}</td>
      <td data-label={m.limits(l)}>{limits.filter(Boolean).join(', ') || m.noLimit(l)}</td>
      <td data-label={m.madeBy(l)} dir="auto">
        {key.maker === null || key.maker.mayManage
          ? (key.maker?.name ?? '–')
          : m.madeByFormer(l, { name: key.maker.name })}
      </td>
      <td data-label={m.lastUsed(l)}>{key.lastUsed === null ? m.never(l) : formatTime(l, key.lastUsed)}</td>
      <td data-label={m.state(l)}>
        <KeyState state={key.state} expires={key.expires} />
      </td>
    </tr>
  );
}
