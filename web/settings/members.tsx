import { redirect, useActionData, useLoaderData } from 'react-router';
import { listInvitations, withdrawInvitation } from '#src/identity/team/invitations.ts';
import { inviteByMail } from '#src/identity/team/inviting.ts';
import { changeRole, listTeam } from '#src/identity/team/members.ts';
import { isWithinRank } from '#src/identity/users/authority.ts';
import type { Role } from '#src/identity/users/users.ts';
import * as m from '../i18n/messages.ts';
import { PageForm, Select, Submit, TextField } from '../parts/forms/form.tsx';
import { type FormAnswer, formAnswerOf } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../parts/requests/member.ts';
import { withUndo } from '../parts/requests/undo.ts';
import { PageTitle } from '../parts/show/page-title.tsx';
import { roleName } from '../parts/show/role.ts';

const roles: readonly Role[] = ['MODERATOR', 'ADMIN', 'OWNER'];
/** Members are invited to boards that not everyone may see. */
const invited: readonly Role[] = ['MEMBER', ...roles];

export const loader = memberLoader('team.manage', async ({ visit, context }) => {
  const { actor } = context;
  const mayGive = roles.filter((role) => role !== 'OWNER' || actor.role === 'OWNER');
  const team = await listTeam(context);
  const invitations = await listInvitations(context);
  return {
    keepsMails: visit.mail.server === null,
    mayGive,
    team: team.map(({ id, name, email, role, account_id }) => ({
      id,
      name,
      email,
      role,
      isSelf: id === actor.id,
      canChange: mayGive.includes(role),
      signsIn: account_id !== null,
    })),
    invitations: invitations.map(({ id, email, role }) => {
      return { id, email: email ?? '', role, canWithdraw: isWithinRank(actor, role) };
    }),
  };
});

export const action = memberAction('team.manage', async ({ visit, context, form }) => {
  const { intent = '', id = '', email = '' } = form;
  const here = `/b/${context.board.pid}/settings/members`;
  if (intent === 'invite') {
    await inviteByMail(context, visit.sender.cipher, email, requireRole(form));
    throw redirect(withUndo(visit, `${here}?done=invited`));
  }
  if (intent === 'withdraw') {
    await withdrawInvitation(context, id);
    throw redirect(withUndo(visit, `${here}?done=removed`));
  }
  const isRemoval = intent.startsWith('remove');
  const role = isRemoval ? 'MEMBER' : requireRole(form);
  visit.personChanged(await changeRole(context, id, role));
  throw redirect(withUndo(visit, `${here}?done=${isRemoval ? 'removed' : 'saved'}`));
});

/** The role that a form chose. @throws an error page for any other */
function requireRole(form: Record<string, string>): Role {
  const role = invited.find((known) => known === form.role);
  if (!role) throw new Response(null, { status: 400 });
  return role;
}

/** The team of the board, and pending invitations. */
export default function Members() {
  const { keepsMails, team, invitations, mayGive } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  const options = Object.fromEntries(mayGive.map((role) => [role, roleName(l, role)]));
  return (
    <div className="stack sections">
      <PageTitle>{m.members(l)}</PageTitle>
      <ul className="rows">
        {team.map((person) => (
          <Person key={person.id} person={person} options={options} answer={answer} />
        ))}
      </ul>
      {invitations.length > 0 && (
        <section className="stack" aria-labelledby="invited">
          <h2 id="invited">{m.invited(l)}</h2>
          <ul className="rows">
            {invitations.map(({ id, email, role, canWithdraw }) => (
              <li key={id} className="row-item">
                <span className="clip">{email}</span>
                <span className="muted small">{roleName(l, role)}</span>
                {canWithdraw && (
                  <PageForm answer={answer} intent="withdraw" className="inline">
                    <input type="hidden" name="id" value={id} />
                    <Submit kind="plain">{m.withdraw(l)}</Submit>
                  </PageForm>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Roles />
      <section className="stack" aria-labelledby="invite">
        <h2 id="invite">{m.invite(l)}</h2>
        {keepsMails && <p className="note">{m.inviteFile(l)}</p>}
        <PageForm answer={answer} intent="invite">
          {/* A new one with each invitation: the address in it was sent. */}
          <TextField
            key={invitations[0]?.id}
            name="email"
            type="email"
            label={m.email(l)}
            autoComplete="off"
            required
          />
          <Select
            name="role"
            label={m.role(l)}
            defaultValue="MODERATOR"
            options={{ MEMBER: roleName(l, 'MEMBER'), ...options }}
          />
          <Submit>{m.sendInvitation(l)}</Submit>
        </PageForm>
      </section>
    </div>
  );
}

/** What each role may do. */
function Roles() {
  const l = useLocale();
  const words: Record<Role, string> = {
    MEMBER: m.roleMemberHelp(l),
    MODERATOR: m.roleModeratorHelp(l),
    ADMIN: m.roleAdminHelp(l),
    OWNER: m.roleOwnerHelp(l),
  };
  return (
    <section className="stack" aria-labelledby="roles">
      <h2 id="roles">{m.roles(l)}</h2>
      <dl className="stack tight">
        {invited.map((role) => (
          <div key={role}>
            <dt>
              <strong>{roleName(l, role)}</strong>
            </dt>
            <dd className="muted">{words[role]}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

type Row = Awaited<ReturnType<typeof loader>>['team'][number];
type PersonProps = { person: Row; options: Record<string, string>; answer: FormAnswer | undefined };

function Person({ person, options, answer }: PersonProps) {
  const l = useLocale();
  const name = person.name ?? person.email ?? m.formerUser(l);
  return (
    <li className="row-item">
      <div className="person">
        <span dir="auto">
          {name} {person.isSelf && <span className="muted">{m.you(l)}</span>}
        </span>
        <span className="muted small">{person.email ?? (person.signsIn ? '' : m.throughApi(l))}</span>
      </div>
      {person.canChange ? (
        <div className="row">
          <PageForm answer={answer} intent={`role-${person.id}`} className="inline">
            <input type="hidden" name="id" value={person.id} />
            <Select
              name="role"
              label={m.roleOf(l, { name })}
              defaultValue={person.role}
              options={options}
              isLabelHidden
            />
            <Submit kind="plain">{m.change(l)}</Submit>
          </PageForm>
          <PageForm answer={answer} intent={`remove-${person.id}`} className="inline">
            <input type="hidden" name="id" value={person.id} />
            <Submit kind="plain">
              {m.remove(l)} <span className="visually-hidden">{name}</span>
            </Submit>
          </PageForm>
        </div>
      ) : (
        <span className="muted small">{roleName(l, person.role)}</span>
      )}
    </li>
  );
}
