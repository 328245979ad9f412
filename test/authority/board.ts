import assert from 'node:assert/strict';
import { cursorAfter } from '../../src/feedback/event-log/cursor.ts';
import { requireBoard } from '../../src/identity/board/board.ts';
import type { TestApp } from '../support/app.ts';
import { upload } from '../support/files.ts';

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

/** A board with somebody of every kind. */
export type Stage = TestApp & { statuses: Map<string, string> };

/** Registers the people, and makes a status for the team and a hidden one of the board's own two. */
export async function setStage(app: TestApp): Promise<Stage> {
  for (const name of ['mia', 'ann', 'zoe']) await app.makeUser(name);
  await app.makeUser('mod', 'MODERATOR');
  await app.makeUser('adm', 'ADMIN');
  await app.ask('mutation { createUser(ssotype: "SSO", userId: "bot", isApiUser: true) { id } }');
  const { listStatuses } = await app.ask('{ listStatuses { id name } }');
  const statuses = new Map<string, string>(listStatuses.map(({ id, name }: Named) => [name, id]));
  await app.db.transaction(async (tx) => {
    const status = (name: string) => tx.updateTable('statuses').where('id', '=', statuses.get(name) ?? '');
    await status('Planned').set({ post_visibility: 'TEAM' }).execute();
    await status('In progress').set({ post_visibility: 'HIDDEN' }).execute();
  });
  return { ...app, statuses };
}

type Named = { id: string; name: string };

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
  const { ask, db, board } = app;
  const { event_seq: seq } = await requireBoard(db.read, board.id);
  const word = `scene${++scenes}x`;
  const as = { as: 'ann' };
  const tag = await ask('mutation($word: String!) { createTag(name: $word) { id } }', { word });
  const tagIds = [tag.createTag.id];
  const files = async (app: TestApp) => [(await upload(app, { filename: `${word}.txt`, bytes: word }, as)).id];
  const post = `mutation($word: String!, $tagIds: [String!], $files: [String]) {
    createPost(title: $word, comment: $word, tagIds: $tagIds, externalId: $word, files: $files) { id number }
  }`;
  const { id: postId, number } = (await ask(post, { word, tagIds, files: await files(app) }, as)).createPost;
  const comment = `mutation($postId: String!, $word: String!, $files: [String]) {
    createComment(postId: $postId, text: $word, files: $files) { id }
  }`;
  const commentId = (await ask(comment, { postId, word, files: await files(app) }, as)).createComment.id;
  await ask('mutation($postId: String!) { upvotePost(postId: $postId) { id } }', { postId }, { as: 'zoe' });
  return { word, postId, number, commentId, tagId: tagIds[0], events: cursorAfter(seq) };
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
export async function putInto({ ask, statuses }: Stage, postId: string, name: string): Promise<void> {
  const query = `mutation($postId: String!, $statusId: String) {
    changePostStatus(postId: $postId, statusType: CUSTOM, statusId: $statusId) { id }
  }`;
  await ask(query, { postId, statusId: statuses.get(name) });
}

/** The one answer that every way has given. @throws when they do not agree */
export function agree(what: string, answers: Record<string, boolean>): boolean {
  const yes = Object.keys(answers).filter((way) => answers[way]);
  const no = Object.keys(answers).filter((way) => !answers[way]);
  assert.ok(yes.length === 0 || no.length === 0, `${what}: yes by ${yes.join(', ')}; no by ${no.join(', ')}`);
  return no.length === 0;
}
