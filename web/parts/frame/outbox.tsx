import { useEffect, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Locale } from '../../i18n/languages.ts';
import * as m from '../../i18n/messages.ts';
import { awaitAnswer } from '../../lib/load-part.ts';
import { outbox } from '../../lib/outbox.ts';
import * as box from '../../lib/outbox-list.ts';
import { drop, forgetOutbox, listWaiting, OUTBOX, refuse, type Sender, type Waiting } from '../../lib/outbox-list.ts';
import { useLocale } from '../requests/locale.ts';

outbox.box = box;

/** Pauses before something is sent again, in milliseconds; after the last it waits for another page. */
const PAUSES_MS = [0, 500, 2_000, 5_000, 10_000, 20_000, 40_000];

/** Statuses with which a later attempt may succeed. */
const LATER = [408, 425, 429, 500, 502, 503, 504];

/** How the server has answered; null if it has not. Another tab may have signed out, or in as another visitor. */
type Outcome = { isDone: true } | { signInAt: string } | { refusal: string } | { isOthers: true } | null;

/**
 * What the visitor has done while the server did not answer, and what the page no longer has a form of. It is sent when
 * the server answers; the ids that forms carry see to it that it happens once. What is refused stays here to be copied.
 */
export function Outbox({ board, visitor }: Sender) {
  const l = useLocale();
  const waiting = useWaiting(board, visitor);
  const [sent, setSent] = useState<Waiting[]>([]);
  const { revalidate } = useRevalidator();
  const key = waiting.find((one) => one.refusal === undefined && (visitor !== null || isVote(one)))?.key;
  useEffect(() => {
    const next = key !== undefined && listWaiting({ board, visitor }).find((one) => one.key === key);
    if (!next) return;
    const ended = new AbortController();
    sendPatiently(next, l, ended.signal).then((isDone) => {
      if (!isDone || ended.signal.aborted) return;
      setSent((before) => [...before, next]);
      revalidate();
    });
    return () => ended.abort();
  }, [key, board, visitor, l, revalidate]);
  if (waiting.length + sent.length === 0) return null;
  const isLeft = waiting.some(({ refusal }) => refusal !== undefined);
  const words = isLeft ? m.draftsLeft(l) : waiting.length > 0 ? m.outboxWaiting(l) : m.outboxSent(l);
  return (
    <section className="page outbox" aria-labelledby="outbox">
      <div role="status">
        <h2 id="outbox">{words}</h2>
      </div>
      {isLeft && <p className="muted small">{m.draftsLeftHelp(l)}</p>}
      <ul>
        {waiting.map((one) => (
          <WaitingItem key={one.key} waiting={one} visitor={visitor} />
        ))}
        {sent.map((one) => (
          <li key={`${one.key} sent`} className="card" data-sent>
            <Words waiting={one} /> <span className="muted small">{m.outboxSent(l)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function WaitingItem({ waiting, visitor }: { waiting: Waiting; visitor: string | null }) {
  const l = useLocale();
  const { key, refusal } = waiting;
  const isForSignIn = visitor === null && !isVote(waiting);
  return (
    <li className="card">
      <Words waiting={waiting} />
      {refusal !== undefined && (
        <p className="note" data-kind="error">
          {refusal}
        </p>
      )}
      <div className="row">
        {refusal !== undefined && (
          <button type="button" className="button" onClick={() => refuse(waiting, undefined)}>
            {m.tryAgain(l)}
          </button>
        )}
        {isForSignIn && (
          <button
            type="button"
            className="button"
            onClick={async () => {
              const outcome = await send(waiting, l);
              if (outcome && 'isOthers' in outcome) window.location.reload();
              else if (outcome) settle(waiting, outcome);
            }}
          >
            {m.signIn(l)}
          </button>
        )}
        <button type="button" className="button" data-kind="quiet" onClick={() => drop(key)}>
          {m.discard(l)}
        </button>
      </div>
    </li>
  );
}

/** What it is, and all that its visitor wrote. */
function Words({ waiting: { kind, words, fields } }: { waiting: Waiting }) {
  const l = useLocale();
  const kinds = { vote: m.draftVote(l), unvote: m.withdrawVote(l), post: m.draftPost(l), comment: m.draftComment(l) };
  const more = kind === 'post' ? fields.find(([name]) => name === 'comment')?.[1] : undefined;
  return (
    <>
      <span className="muted small">{kinds[kind]}</span>
      <p dir="auto">{words}</p>
      {more && <p dir="auto">{more}</p>}
    </>
  );
}

/** What waits for a board; other tabs may change it. */
function useWaiting(board: string, visitor: string | null): Waiting[] {
  const [waiting, setWaiting] = useState<Waiting[]>([]);
  useEffect(() => {
    const leave = ({ target }: Event) => /\/sign-out$/.test((target as HTMLFormElement).action) && forgetOutbox();
    document.addEventListener('submit', leave, true);
    return () => document.removeEventListener('submit', leave, true);
  }, []);
  useEffect(() => {
    const look = () => setWaiting(listWaiting({ board, visitor }));
    look();
    window.addEventListener(OUTBOX, look);
    window.addEventListener('storage', look);
    return () => {
      window.removeEventListener(OUTBOX, look);
      window.removeEventListener('storage', look);
    };
  }, [board, visitor]);
  return waiting;
}

const isVote = ({ kind }: Waiting): boolean => kind === 'vote' || kind === 'unvote';

/** Sends it once the server answers. @returns whether it was done */
async function sendPatiently(waiting: Waiting, l: Locale, signal: AbortSignal): Promise<boolean> {
  for (const pause of PAUSES_MS) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    await awaitAnswer(undefined, { cache: 'no-store', signal });
    if (signal.aborted) break;
    const outcome = await send(waiting, l);
    if (outcome) return settle(waiting, outcome);
  }
  return false;
}

/** Sends it as its form would without scripts, whose answer is a page. */
async function send(waiting: Waiting, l: Locale): Promise<Outcome> {
  const { action: url } = waiting;
  const body = new FormData();
  for (const [name, value] of waiting.fields) body.append(name, value);
  try {
    const headers = { 'earshot-sender': waiting.sender.visitor ?? 'anyone' };
    const response = await fetch(url, { method: 'POST', body, headers });
    if (response.status === 412) return { isOthers: true };
    if (LATER.includes(response.status)) return null;
    if (response.ok && (isVote(waiting) || /[?&]done=/.test(response.url))) return { isDone: true };
    // An anonymous visitor, or one whose session has ended: the server keeps it until they have signed in.
    if (response.ok && response.redirected) return { signInAt: response.url };
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const reason = page.querySelector('main [role=alert]')?.textContent;
    return { refusal: reason || m.outboxGone(l) };
  } catch {
    return null;
  }
}

/** Keeps or forgets it as the server has answered. @returns whether it was done */
function settle(waiting: Waiting, outcome: NonNullable<Outcome>): boolean {
  if ('isOthers' in outcome) return false;
  if ('refusal' in outcome) refuse(waiting, outcome.refusal);
  else drop(waiting.key);
  const url = 'signInAt' in outcome && outcome.signInAt;
  if (url) window.location.assign(url);
  return 'isDone' in outcome;
}
