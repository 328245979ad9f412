import type { TestApp } from './app.ts';
import { testCipher } from './sender.ts';

/** An issue of the project that `addTracker` connects. */
export const issueUrl = (number: number) => `https://github.com/acme/app/issues/${number}`;

/** Connects a board with a project at GitHub, which nothing asks; does nothing if it is connected. */
export async function addTracker({ db, clock }: Pick<TestApp, 'db' | 'clock'>, boardId: string): Promise<void> {
  const id = '01900000-0000-7000-8000-000000000058';
  const seal = (column: string) => testCipher.encrypt('secret', `trackers.${column} ${boardId} ${id}`);
  const now = clock.now();
  const row = {
    board_id: boardId,
    id,
    kind: 'GITHUB',
    project: 'acme/app',
    project_key: '1',
    account: '7',
    api_url: 'https://api.github.com',
    token: seal('token'),
    secret: seal('secret'),
    rule: 'ASK',
    tells_issues: 1,
    date_created: now,
    date_read: now,
    date_due: now,
    failures: 0,
  } as const;
  await db.transaction((tx) =>
    tx
      .insertInto('trackers')
      .values(row)
      .onConflict((c) => c.doNothing())
      .execute(),
  );
}
