import { useEffect, useId, useRef } from 'react';
import { Link, useFetcher, useNavigate } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { withNext } from '../../lib/next.ts';
import { AddressStep, CodeStep } from '../../parts/forms/sign-in-steps.tsx';
import { formAnswerOf } from '../../parts/requests/forms.ts';
import { useFrame, useLocale } from '../../parts/requests/locale.ts';
import type { action as signInAction } from '../../sign-in/sign-in.tsx';
import type { action as continueAction } from './continue.tsx';

type AskAddressProps = {
  /** Withdraws the vote. */
  onWithdraw: () => void;
  onClose: () => void;
};

/** Asks an anonymous voter for an address first, then for the code that was mailed there. */
export function AskAddress({ onWithdraw, onClose }: AskAddressProps) {
  const frame = useFrame();
  const key = useId();
  const asking = useFetcher<typeof signInAction>({ key });
  const ref = useRef<HTMLDivElement>(null);
  const l = useLocale();
  const next = `/b/${frame?.board.pid}/continue`;
  const isSignedIn = asking.data !== undefined && 'isSignedIn' in asking.data;
  useApply(isSignedIn, next, onClose);
  useEffect(() => {
    if (ref.current) showAtVote(ref.current);
  }, []);
  const step = {
    answer: formAnswerOf(asking.data),
    next,
    within: { action: '/sign-in', navigate: false, fetcherKey: key } as const,
  };
  const undo = (
    <button type="button" className="button" data-kind="quiet" onClick={onWithdraw}>
      {m.withdrawVote(l)}
    </button>
  );
  const waitsFor = frame?.waitsFor ?? null;
  const title = waitsFor === null ? m.askAddress(l) : m.mailSent(l);
  return (
    <div
      ref={ref}
      popover="auto"
      role="dialog"
      aria-label={title}
      className="ask stack"
      onToggle={(event) => {
        if (event.newState === 'closed' && !isSignedIn) onClose();
      }}
    >
      <p className="ask-title">{title}</p>
      {waitsFor === null ? (
        <AddressStep {...step}>
          <Link to={withNext('/sign-in', next)}>{m.otherWays(l)}</Link>
          {undo}
        </AddressStep>
      ) : (
        <CodeStep {...step} waitsFor={waitsFor}>
          {undo}
        </CodeStep>
      )}
    </div>
  );
}

/** Completes drafts as soon as the visitor is signed in; what could not be completed is shown on its own page. */
function useApply(isSignedIn: boolean, path: string, onDone: () => void): void {
  const { submit, data } = useFetcher<typeof continueAction>();
  const navigate = useNavigate();
  const left = data && 'left' in data ? data.left : null;
  useEffect(() => {
    if (isSignedIn) submit({ intent: 'apply' }, { method: 'post', action: path });
  }, [isSignedIn, path, submit]);
  useEffect(() => {
    if (left === null) return;
    onDone();
    if (left > 0) navigate(path);
  }, [left, path, navigate, onDone]);
}

/** The height of the popover with its longest form, in pixels. */
const HEIGHT = 300;

/**
 * Shows a popover below its vote button, or above it if there is not enough room; on narrow screens it is at the bottom,
 * see `ask-address.css`.
 */
function showAtVote(popover: HTMLElement): void {
  const { top, bottom, left } = (popover.parentElement?.querySelector('.vote') ?? popover).getBoundingClientRect();
  const isAbove = bottom + HEIGHT > innerHeight && top > HEIGHT;
  popover.dataset.side = isAbove ? 'above' : 'below';
  popover.style.setProperty('--ask-y', `${Math.round(isAbove ? innerHeight - top + 8 : bottom + 8)}px`);
  popover.style.setProperty('--ask-x', `${Math.round(left)}px`);
  popover.showPopover();
  // React focuses a field when it makes it, and what is not shown yet takes no focus.
  popover.querySelector<HTMLElement>('input:not([type=hidden])')?.focus();
}
