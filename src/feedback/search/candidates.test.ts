import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import { isVisiblePost, viewerFilterOf } from '../visibility/posts.ts';
import { findCandidates } from './candidates.ts';
import { indexBoards } from './indexer.ts';
import { readIndex } from './segments.ts';
import { Statistics } from './statistics.ts';

testBoth(
  'when more posts match than are wanted, the newest are returned, wherever in the index they are',
  async (app) => {
    const { db, board } = app;
    const ids: string[] = [];
    for (let n = 0; n < 7; n++) {
      ids.unshift(await app.makePost(`Export ${n}`));
      if (n % 2 === 1) await indexBoards(app, { least: 1 });
    }
    const conditions = [isVisiblePost(viewerFilterOf(null, board.id))];
    const everywhere = new Statistics([{ title: ' export ', text: '  ' }], 7);
    for (const statistics of [new Statistics([], 0), everywhere]) {
      for (const limit of [1, 3, 7, 100]) {
        const query = { words: ['export'], field: 'post' as const, conditions, limit };
        const found = await findCandidates(db.slow, statistics, await readIndex(db.slow, board.id), query);
        assert.deepEqual(
          found.map(({ id }) => id),
          ids.slice(0, limit),
        );
      }
    }
  },
);

testBoth(
  'posts that are found nowhere else are searched for in all segments, whatever the statistics suggest',
  async (app) => {
    const { db, board } = app;
    const old = await app.makePost('Zebra crossing');
    for (let n = 0; n < 3; n++) {
      await indexBoards(app, { least: 1 });
      await app.makePost(`Export ${n}`);
    }
    const statistics = new Statistics([{ title: ' zebra ', text: '  ' }], 1_000_000);
    const conditions = [isVisiblePost(viewerFilterOf(null, board.id))];
    const query = { words: ['zebra'], field: 'post' as const, conditions, limit: 1 };
    const found = await findCandidates(db.slow, statistics, await readIndex(db.slow, board.id), query);
    assert.deepEqual(
      found.map(({ id }) => id),
      [old],
    );
  },
);
