import { KeyUsage } from '../../src/identity/keys/usage.ts';
import { HOUR_MS } from '../../src/platform/lib/clock.ts';
import type { TestApp } from './app.ts';

/** A key that was used for a day, with some of everything. Gives its id. */
export async function useKey({ db, clock, board }: TestApp): Promise<string> {
  const { id } = await db.read.selectFrom('api_keys').select('id').executeTakeFirstOrThrow();
  const usage = new KeyUsage();
  for (let hour = 1; hour < 24; hour++) {
    const at = clock.now() - hour * HOUR_MS;
    const codes = [undefined, undefined, undefined, 'RATE_LIMIT_EXCEEDED', 'FORBIDDEN', 'NOT_FOUND'] as const;
    for (let n = 0; n < (hour * 37) % 90; n++) usage.count({ boardId: board.id, id }, codes[n % 11], at);
  }
  await usage.save(db);
  return id;
}
