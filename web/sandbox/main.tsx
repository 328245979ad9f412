import { useCallback, useMemo, useState } from 'react';
import { makeExamples } from '../tools/examples.ts';
import { makeHeaderStore } from '../tools/header-store.ts';
import { mount } from '../tools/mount.tsx';
import { makeStorage } from '../tools/storage.ts';
import { Tool } from '../tools/tool.tsx';
import { Inbox } from './inbox.tsx';
import { BusyError, endSession, openSession, type Session } from './session.ts';

/** The tool on the visitor's own board. */
function Sandbox({ session }: { session: Session }) {
  const headers = useMemo(() => makeHeaderStore(session.headers, null), [session]);
  const storage = useMemo(() => storageOf(session), [session]);
  const [isGone, setGone] = useState(false);
  const onGone = useCallback(() => setGone(true), []);
  if (isGone) return <Notice text="This sandbox has ended." action="Start a new one" />;
  return (
    <Tool
      title="API sandbox"
      bar={<SandboxBar idleMinutes={session.idleMinutes} />}
      headers={headers}
      canRemember={false}
      examples={makeExamples(session.postId)}
      storage={storage}
      footer={<Inbox webhook={session.webhook} onGone={onGone} />}
    />
  );
}

/** Tabs are stored with their board: another board has other posts. */
function storageOf({ webhook }: Session): Storage {
  const storage = makeStorage('earshot-sandbox');
  if (storage.getItem('board') !== webhook.url) {
    storage.clear();
    storage.setItem('board', webhook.url);
  }
  return storage;
}

function SandboxBar({ idleMinutes }: { idleMinutes: number }) {
  return (
    <>
      <p className="quiet">Your own board, private to you; deleted after {idleMinutes} minutes without use.</p>
      <button type="button" onClick={() => endSession().then(() => location.reload())}>
        Reset
      </button>
    </>
  );
}

function Notice({ text, action }: { text: string; action: string }) {
  return (
    <main className="notice">
      <h1>API sandbox</h1>
      <p>{text}</p>
      <button type="button" onClick={() => location.reload()}>
        {action}
      </button>
    </main>
  );
}

function explain(error: unknown): string {
  if (!(error instanceof BusyError)) return `The sandbox could not be opened. ${(error as Error).message}`;
  const minutes = Math.ceil(error.retryAfter / 60);
  return `All sandboxes are in use. One will be free in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
}

openSession().then(
  (session) => mount(<Sandbox session={session} />),
  (error) => mount(<Notice text={explain(error)} action="Try again" />),
);
