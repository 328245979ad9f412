import { Link, type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import { requireTyped } from '#src/identity/accounts/input.ts';
import type { AccountRow } from '#src/identity/accounts/tables.ts';
import { isPrivate } from '#src/identity/users/entry.ts';
import { eraseOwnAccount, findBoardsOwnedAlone } from '#src/operations/erasures/own-account.ts';
import { confirmOwner, viewOwner } from '../../account/owner.ts';
import { ConfirmOwner, OwnPassword } from '../../account/owner.tsx';
import * as m from '../../i18n/messages.ts';
import { PageForm, Submit, TextField } from '../../parts/forms/form.tsx';
import { Radios } from '../../parts/forms/settings-fields.tsx';
import { type FormAnswer, formAnswerOf } from '../../parts/requests/forms.ts';
import { useBoard, useLocale } from '../../parts/requests/locale.ts';
import { formAction, type OwnSettings, requireOwnAccount, requireSelf } from '../../parts/requests/member.ts';
import { reportDone } from '../../parts/requests/toasts.ts';
import { PageTitle } from '../../parts/show/page-title.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const { visit, account } = await requireSelf(args);
  if (!account) return { account: null };
  const ownedAlone = await findBoardsOwnedAlone(visit.db.read, account.id);
  return { account: { email: account.email, ownedAlone, owner: await viewOwner(visit) } };
}

export const action = formAction(requireOwnAccount, async ({ form, ...own }) => {
  const here = `/b/${own.context.board.pid}/settings/data`;
  await confirmOwner(own.visit, form, here);
  if (form.intent === 'delete') await deleteAccount(own, form);
  throw redirect(here);
});

async function deleteAccount(
  { visit, context, account }: OwnSettings & { account: AccountRow },
  form: Record<string, string>,
): Promise<never> {
  const { content, confirm = '', currentPassword = '' } = form;
  requireTyped(account, confirm);
  await visit.access.ownerCheck.pass(currentPassword);
  const deps = { ...context, cipher: visit.sender.cipher };
  for (const person of await eraseOwnAccount(deps, account, content !== 'delete')) visit.personChanged(person);
  await visit.people.signOut();
  const { board } = context;
  throw redirect(reportDone(visit, `${isPrivate(board) ? '/sign-in' : `/b/${board.pid}`}?done=accountDeleted`));
}

/** Downloads everything that is stored about the user, and deletes the account. */
export default function Data() {
  const { account } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const board = useBoard();
  const l = useLocale();
  return (
    <div className="stack sections">
      <PageTitle>{m.ownData(l)}</PageTitle>
      <section className="stack" aria-labelledby="copy">
        <h2 id="copy">{m.ownCopy(l)}</h2>
        <p className="muted">{m.ownCopyHelp(l)}</p>
        {/* The response is a file, which the browser saves. */}
        <Link className="button" data-kind="primary" to={`/b/${board?.pid}/settings/data/file`} reloadDocument>
          {m.ownCopyStart(l)}
        </Link>
      </section>
      <section className="stack danger" aria-labelledby="delete">
        <h2 id="delete">{m.deleteAccount(l)}</h2>
        {account ? <DeleteAccount {...account} answer={answer} /> : <p>{m.deleteOfSso(l)}</p>}
      </section>
    </div>
  );
}

type DeleteAccountProps = NonNullable<Awaited<ReturnType<typeof loader>>['account']> & {
  answer: FormAnswer | undefined;
};

function DeleteAccount({ email, ownedAlone, owner, answer }: DeleteAccountProps) {
  const l = useLocale();
  if (ownedAlone.length > 0) {
    const boards = new Intl.ListFormat(l).format(ownedAlone);
    return <p className="note">{m.deleteAccountOwner(l, { boards })}</p>;
  }
  return (
    <>
      <p>{m.deleteAccountBoards(l)}</p>
      <p>{m.deleteAccountVotes(l)}</p>
      <p>{m.deleteAccountFinal(l)}</p>
      {owner.needs === 'code' ? (
        <ConfirmOwner email={email} isWaiting={owner.isWaiting} answer={answer} />
      ) : (
        <PageForm answer={answer} intent="delete">
          <Radios
            name="content"
            legend={m.deleteAccountContent(l)}
            defaultValue="keep"
            options={{ keep: m.deleteAccountKeep(l), delete: m.deleteAccountAll(l) }}
          />
          <TextField name="confirm" label={m.typeEmail(l, { email })} autoComplete="off" required />
          <OwnPassword needs={owner.needs} />
          <Submit kind="danger">{m.deleteAccount(l)}</Submit>
        </PageForm>
      )}
    </>
  );
}
