import { Form, useLocation } from 'react-router';
import * as m from '../i18n/messages.ts';
import { useBoard, useLocale } from '../lib/locale.ts';

/**
 * A button that undoes an operation of the team, and returns to the page. Without scripts, it is a form as any other. A
 * page of settings is loaded again: what was typed would stay in its fields, and be saved with the next change.
 */
export function Undo({ operation }: { operation: string }) {
  const { pathname } = useLocation();
  const pid = useBoard()?.pid;
  const l = useLocale();
  return (
    <Form method="post" action={`/b/${pid}/undo`} reloadDocument={pathname.startsWith(`/b/${pid}/settings/`)}>
      <input type="hidden" name="next" value={pathname} />
      <button type="submit" name="operation" value={operation}>
        {m.undo(l)}
      </button>
    </Form>
  );
}
