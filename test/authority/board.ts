import assert from 'node:assert/strict';
import { cursorAfter } from '../../src/feedback/event-log/cursor.ts';
import { requireBoard } from '../../src/identity/board/board.ts';
import type { TestApp } from '../support/app.ts';
import { upload } from '../support/files.ts';
import { addTracker } from '../support/trackers.ts';

/** Who asks: each column of the table has its people. */
export const people = {
  anonymous: null,
  MEMBER: 'mia',
  author: 'ann',
  MODERATOR: 'mod',
  ADMIN: 'adm',
  OWNER: 'ada',
  isApiUser: 'bot',
} as const;
export type Person = (typeof people)[keyof typeof people];

/** A board with a user of every kind. */
export type Stage = TestApp & { statuses: Map<string, string> };

/** Registers the people, and makes a status for the team and a hidden one of the board's own two. */
export async function setStage(app: TestApp): Promise<Stage> {
  for (const name of ['mia', 'ann', 'zoe']) await app.makeUser(name);
  await app.makeUser('mod', 'MODERATOR');
  await app.makeUser('adm', 'ADMIN');
  await app.api.createUser({ ssoType: 'SSO', ssoId: 'bot', isApiUser: true });
  const listStatuses = await app.api.listStatuses({ id: true, name: true });
  const statuses = new Map<string, string>(listStatuses.map(({ id, name }) => [name, id]));
  await app.db.transaction(async (tx) => {
    const status = (name: string) => tx.updateTable('statuses').where('id', '=', statuses.get(name) ?? '');
    await status('Planned').set({ post_visibility: 'TEAM' }).execute();
    await status('In progress').set({ post_visibility: 'HIDDEN' }).execute();
  });
  return { ...app, statuses };
}

/** A post of ann's, where its events begin, with a comment of hers, a vote, a follower and a tag; every part of it has the word in its text. */
export type Scene = {
  word: string;
  postId: string;
  number: number;
  commentId: string;
  tagId: string;
  events: string;
};

let scenes = 0;

export async function makeScene(app: TestApp): Promise<Scene> {
  const { api, db, board } = app;
  const { event_seq: seq } = await requireBoard(db.read, board.id);
  const word = `scene${++scenes}x`;
  const as = { as: 'ann' };
  await addTracker(app, board.id);
  const tag = await api.createTag({ name: word });
  const tagIds = [tag.id];
  const files = async (app: TestApp) => [(await upload(app, { filename: `${word}.txt`, bytes: word }, as)).id];
  const { id: postId, number } = await api
    .as(as)
    .createPost(
      { title: word, comment: word, tagIds, externalId: word, files: await files(app) },
      { id: true, number: true },
    );
  const commentId = (await api.as(as).createComment({ postId, text: word, files: await files(app) })).id;
  await api.as('zoe').upvotePost({ postId });
  return { word, postId, number, commentId, tagId: tagIds[0] ?? '', events: cursorAfter(seq) };
}

/** Takes all posts and fields off the board, so that the next scene is alone there, and brings ann back. */
export async function clearStage({ api, makeUser }: TestApp): Promise<void> {
  for (const field of await api.listFields({ id: true })) await api.deleteField(field);
  const { nodes } = await api.posts({ limit: 100 }, { nodes: { id: true, mergedInto: { id: true } } });
  for (const { id, mergedInto } of nodes) {
    if (mergedInto) await api.unmergePost({ id });
    await api.deletePost({ postId: id });
  }
  await makeUser('ann'); // who may have been erased
}

/** Puts a post into a status of the board's own. */
export async function putInto({ api, statuses }: Stage, postId: string, name: string): Promise<void> {
  await api.changePostStatus({ postId, statusType: 'CUSTOM', statusId: statuses.get(name) });
}

/** The one answer that every way has given. @throws when they do not agree */
export function agree(what: string, answers: Record<string, boolean>): boolean {
  const yes = Object.keys(answers).filter((way) => answers[way]);
  const no = Object.keys(answers).filter((way) => !answers[way]);
  assert.ok(yes.length === 0 || no.length === 0, `${what}: yes by ${yes.join(', ')}; no by ${no.join(', ')}`);
  return no.length === 0;
}
