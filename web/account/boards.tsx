import { redirect, useActionData, useLoaderData } from 'react-router';
import { listTeamBoards } from '#src/identity/team/members.ts';
import { may } from '#src/identity/users/authority.ts';
import { createOwnBoard } from '#src/operations/boards/create.ts';
import * as m from '../i18n/messages.ts';
import { usePrefix } from '../lib/prefix.ts';
import { PageForm, Submit, TextField } from '../parts/forms/form.tsx';
import { formAnswerOf } from '../parts/requests/forms.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { memberAction, memberLoader, requireSignedIn } from '../parts/requests/member.ts';
import { PageTitle } from '../parts/show/page-title.tsx';
import { roleName } from '../parts/show/role.ts';

export const loader = memberLoader('board.edit', async ({ visit, context }, args) => {
  const { account } = await requireSignedIn(args);
  return {
    boards: await listTeamBoards(visit.db.read, account.id),
    mayCreate: may(context.actor, 'board.create'),
  };
});

export const action = memberAction('board.create', async ({ context, form }, args) => {
  const { account } = await requireSignedIn(args);
  const { pid } = await createOwnBoard(context, account, form.name ?? '');
  throw redirect(`/b/${pid}/setup`);
});

/** The boards on whose team the account is, to switch between them, and a form for another one. */
export default function Boards() {
  const prefix = usePrefix();
  const { boards, mayCreate } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const here = useBoard()?.pid;
  const l = useLocale();
  return (
    <div className="stack sections">
      <PageTitle>{m.boards(l)}</PageTitle>
      <p className="muted">{m.boardsHelp(l)}</p>
      <ul className="rows">
        {boards.map(({ pid, name, post_count: ideas, role }) => (
          <li className="row-item" key={pid}>
            <div className="person">
              <span>
                <a href={`${prefix}/b/${pid}`} aria-current={pid === here ? 'page' : undefined}>
                  <bdi>{name}</bdi>
                </a>
              </span>
              <span className="muted small">
                {roleName(l, role)} · {m.ideaCount(l, { count: ideas })}
              </span>
            </div>
          </li>
        ))}
      </ul>
      {mayCreate && (
        <section className="stack" aria-labelledby="create">
          <h2 id="create">{m.createBoard(l)}</h2>
          <PageForm answer={answer} intent="create">
            <TextField name="name" label={m.boardName(l)} required maxLength={100} />
            <Submit>{m.createBoard(l)}</Submit>
          </PageForm>
        </section>
      )}
    </div>
  );
}
