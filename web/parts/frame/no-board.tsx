import { Form, Link, useLocation } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { withNext } from '../../lib/next.ts';
import { useLocale } from '../requests/locale.ts';
import type { ClosedDoor } from '../requests/member.ts';
import { PlainPage } from './plain-page.tsx';

/** The page without a board for the visitor: whether there is none, or the visitor may not see it, looks the same. */
export function NoBoard({ signedInAs }: ClosedDoor) {
  const l = useLocale();
  const { pathname, search } = useLocation();
  return (
    <PlainPage title={m.notFoundTitle(l)}>
      <p>{m.noBoardHelp(l)}</p>
      {signedInAs === null ? (
        <p>
          <Link className="button" to={withNext('/sign-in', pathname + search)}>
            {m.signIn(l)}
          </Link>
        </p>
      ) : (
        <>
          <p>{m.noBoardSignedIn(l, { email: signedInAs })}</p>
          <Form method="post" action="/sign-out">
            <button type="submit" className="button">
              {m.signOut(l)}
            </button>
          </Form>
        </>
      )}
    </PlainPage>
  );
}
