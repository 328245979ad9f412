import { removeOldEvents } from '../../src/events/retention.ts';
import { openDb } from '../../src/platform/db/open.ts';

/** Removes the old events of a store, whose place is the argument, in a process that a test can kill. */
const db = openDb(JSON.parse(process.argv[2] ?? ''));
await removeOldEvents(db, Date.now(), 1);
await db.close();
