import './inbox.css';
import { useEffect, useState } from 'react';
import { loadReceived, type Received, type Session } from './session.ts';

const POLL_MS = 2_000;

/** What the sandbox's webhook was sent, the newest first, as it arrives. */
export function Inbox({ webhook, onGone }: { webhook: Session['webhook']; onGone: () => void }) {
  const received = useReceived(onGone);
  return (
    <section className="inbox" aria-label="Webhook inbox">
      <h2>Webhook inbox</h2>
      {received.length === 0 ? (
        <p className="quiet">Run CreatePost: what this board's webhook is sent appears here.</p>
      ) : (
        <ol aria-live="polite" aria-relevant="additions">
          {received.toReversed().map((request) => (
            <Entry key={request.id} request={request} />
          ))}
        </ol>
      )}
      <p className="quiet">
        Verify token <code>{webhook.verifyToken}</code>, signing secret <code>{webhook.signingSecret}</code>
      </p>
    </section>
  );
}

/** Polls every two seconds while the page is visible. */
function useReceived(onGone: () => void): readonly Received[] {
  const [received, setReceived] = useState<readonly Received[]>([]);
  const last = received.at(-1)?.id ?? '';
  useEffect(() => {
    let isOver = false;
    async function look(): Promise<void> {
      if (document.hidden) return;
      const more = await loadReceived(last).catch(() => []); // the network is unavailable; the next poll may succeed
      if (isOver) return;
      if (more === null) onGone();
      else if (more.length > 0) setReceived((known) => [...known, ...more]);
    }
    look();
    const timer = setInterval(look, POLL_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [last, onGone]);
  return received;
}

function Entry({ request }: { request: Received }) {
  const { pathname, search } = new URL(request.url);
  return (
    <li>
      <details>
        <summary>
          <span className="method">{request.method}</span> {describe(request)}
          <span className="quiet">
            answered {request.status} · <time dateTime={request.receivedAt}>{showTime(request.receivedAt)}</time>
          </span>
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
        <pre tabIndex={0}>
          {`${request.method} ${pathname}${search}\n`}
          {Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\n`)}
          {request.body && `\n${pretty(request.body)}`}
        </pre>
      </details>
    </li>
  );
}

function describe({ method, headers }: Received): string {
  return method === 'GET' ? 'verification' : (headers['X-Earshot-Event'] ?? 'event');
}

function showTime(instant: string): string {
  return new Date(instant).toLocaleTimeString();
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body; // it was truncated
  }
}
