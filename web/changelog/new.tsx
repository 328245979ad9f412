import './changelog.css';
import { type ActionFunctionArgs, useActionData, useLoaderData } from 'react-router';
import * as m from '../i18n/messages.ts';
import { formAnswerOf } from '../parts/requests/forms.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { memberLoader } from '../parts/requests/member.ts';
import { describeEntryForm, handleEntryForm } from './form.ts';
import { EntryForm } from './form.tsx';

export const loader = memberLoader('changelog.edit', ({ context }) => describeEntryForm(context));

export async function action(args: ActionFunctionArgs) {
  return handleEntryForm(args, null);
}

/** Where the team begins an entry of the changelog. */
export default function NewEntry() {
  const form = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const board = useBoard();
  const l = useLocale();
  return (
    <main id="main" className="page changelog">
      <title>{`${m.newEntry(l)} · ${board?.name ?? ''}`}</title>
      <h1>{m.newEntry(l)}</h1>
      <EntryForm fields={{}} isPublished={false} form={form} answer={answer} back={`/b/${board?.pid}/changelog`} />
    </main>
  );
}
