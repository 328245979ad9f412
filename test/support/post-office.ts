import type { TestContext } from 'node:test';
import { createBoard } from '../../src/operations/boards/create.ts';
import type { Db, Engine } from '../../src/platform/db/db.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { openDb } from '../../src/platform/db/open.ts';
import type { Cipher } from '../../src/platform/lib/cipher.ts';
import { makeLog } from '../../src/platform/lib/log.ts';
import { type MailRow, type NewMail, queueMail } from '../../src/platform/mail/mails.ts';
import { type MailSettings, type MailTransport, makeTransport } from '../../src/platform/mail/transport.ts';
import { MailWorker } from '../../src/platform/mail/worker.ts';
import { makeMetrics } from '../../src/platform/metrics/metrics.ts';
import { makeTestClock, type TestClock } from './app.ts';
import { onEnd } from './cleanup.ts';
import { testCipher } from './sender.ts';
import { makeStorePlace, type StorePlace } from './store.ts';

/** A store with a board, and workers that send its mails. */
export type PostOffice = {
  db: Db;
  clock: TestClock;
  place: StorePlace;
  boardId: string;
  /** Opens the store again, as another process does. */
  openAgain(): Db;
  /** Queues a mail; what is not said is an example. */
  queue(mail?: Partial<NewMail>): Promise<string>;
  mailRow(id: string): Promise<MailRow>;
  /** Starts a worker on the store, or on another opening of it. */
  work(settings: Partial<MailSettings>, db?: Db): MailWorker;
};

/** Opens a post office on a store of its own. */
export async function openPostOffice(t: TestContext, engine: Engine): Promise<PostOffice> {
  const place = await makeStorePlace(t, engine);
  const clock = makeTestClock();
  const openAgain = () => {
    const db = openDb(place);
    onEnd(t, () => db.close());
    return db;
  };
  const db = openAgain();
  await migrate(db, 0);
  const { id: boardId } = await createBoard(db, clock, { name: 'Acme' });
  const example = { boardId, recipient: 'ada@example.com', subject: 'A subject', body: 'A body' };
  return {
    db,
    clock,
    place,
    boardId,
    openAgain,
    queue: (mail = {}) => db.transaction((tx) => queueMail(tx, testCipher, { ...example, ...mail }, clock.now())),
    mailRow: (id) => db.read.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    work(settings, of = db) {
      const defaults = { smtpUrl: null, mailFrom: 'earshot@localhost', dataDir: place.dataDir };
      return startMailWorker(t, { db: of, clock, transport: makeTransport({ ...defaults, ...settings }) });
    },
  };
}

/** Starts a worker; it stops when the test ends. */
export function startMailWorker(
  t: TestContext,
  options: { db: Db; clock: TestClock; transport: MailTransport; cipher?: Cipher },
): MailWorker {
  const worker = new MailWorker({ cipher: testCipher, ...options, log: makeLog('silent'), metrics: makeMetrics() });
  worker.start();
  onEnd(t, () => worker.stop());
  return worker;
}
