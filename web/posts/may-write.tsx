import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import * as m from '../i18n/messages.ts';
import { withNext } from '../lib/next.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';

type MayWriteProps = { isBlocked: boolean; isSignedIn: boolean; signIn: string; children: ReactNode };

/** A form for users who may write; others get a link to sign in, and blocked users the reason why there is none. */
export function MayWrite({ isBlocked, isSignedIn, signIn, children }: MayWriteProps) {
  const board = useBoard();
  const l = useLocale();
  const { pathname, search } = useLocation();
  if (isBlocked) return <p className="note">{m.blockedNote(l)}</p>;
  if (isSignedIn || board?.mayBegin) return children;
  return (
    <p>
      <Link className="button" to={withNext(board?.signInPath ?? '/sign-in', pathname + search)}>
        {signIn}
      </Link>
    </p>
  );
}
