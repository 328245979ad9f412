import type { TestContext } from 'node:test';
import { CANNY_KEY } from '../support/canny.ts';
import { CannyBoard, startCannyBoard } from '../support/canny-board.ts';
import { FIDER_KEY, FiderBoard, fiderUser, startFider } from '../support/fider.ts';
import { GITHUB_TOKEN, Repository, startGithub } from '../support/github.ts';
import type { Troubles } from '../support/troubles.ts';

/** An idea, as a followed board must have it. */
export type Idea = { title: string; text: string; isDone: boolean; votes: number; comments: string[] };

/** A product on a server of this machine, with what its users do; ideas are named by their place, from 0. */
export type Played = {
  from: string;
  key: Record<string, string>;
  start(t: TestContext, troubles?: Troubles): Promise<{ url: string }>;
  add(title: string): void;
  edit(at: number, changes: { title?: string; text?: string; isDone?: true }): void;
  comment(at: number, text: string): void;
  vote(at: number, voter: number): void;
  ideas(): Idea[];
};

/** Each product that can be followed. */
export const playedSources: Record<string, () => Played> = { canny: playCanny, fider: playFider, github: playGithub };

function playCanny(): Played {
  const board = new CannyBoard();
  const at = (n: number) => board.posts[n] as (typeof board.posts)[number];
  return {
    from: 'canny',
    key: { CANNY_API_KEY: CANNY_KEY },
    start: (t, troubles) => startCannyBoard(t, board, troubles),
    add: (title) => void board.add(title),
    edit(n, { title, text, isDone }) {
      Object.assign(at(n), { ...(title && { title }), ...(text && { details: text }) });
      if (isDone) Object.assign(at(n), { status: 'complete', statusChangedAt: new Date().toISOString() });
    },
    comment: (n, value) => void board.comments.push({ id: `comment${board.comments.length}`, postId: at(n).id, value }),
    vote: (n, voter) => void board.votes.push({ postId: at(n).id, name: `voter${voter}` }),
    ideas: () =>
      board.posts.map(({ id, title, details, status }) => ({
        title,
        text: details,
        isDone: status === 'complete',
        votes: board.votes.filter(({ postId }) => postId === id).length,
        comments: board.comments.flatMap(({ postId, value }) => (postId === id ? value : [])),
      })),
  };
}

function playFider(): Played {
  const board = new FiderBoard();
  const at = (n: number) => board.posts[n] as (typeof board.posts)[number];
  return {
    from: 'fider',
    key: { FIDER_API_KEY: FIDER_KEY },
    start: (t, troubles) => startFider(t, board, troubles),
    add: (title) => void board.add(title),
    edit(n, { title, text, isDone }) {
      Object.assign(at(n), { ...(title && { title }), ...(text && { description: text }) });
      if (!isDone) return;
      const before = at(n).response === undefined ? 'Planned' : 'It is there';
      const respondedAt = new Date().toISOString();
      Object.assign(at(n), {
        status: 'completed',
        response: { text: before, respondedAt, user: fiderUser(1), original: null },
      });
    },
    comment: (n, text) => board.comment(at(n), text),
    vote: (n, voter) => board.vote(at(n), voter),
    ideas: () =>
      board.posts.map(({ title, description, status, votes, comments }) => ({
        title,
        text: description,
        isDone: status === 'completed',
        votes: votes.length,
        comments: comments.map(({ content }) => content),
      })),
  };
}

function playGithub(): Played {
  const repository = new Repository();
  return {
    from: 'github',
    key: { GITHUB_TOKEN },
    start: (t, troubles) => startGithub(t, repository, troubles),
    add: (title) => void repository.open(title, { updated_at: new Date().toISOString() }),
    edit: (n, { title, text, isDone }) =>
      repository.touch(n + 1, {
        ...(title && { title }),
        ...(text && { body: text }),
        ...(isDone && { state: 'closed', state_reason: 'completed' }),
      }),
    comment: (n, text) => repository.comment(n + 1, text),
    vote(n, voter) {
      repository.thumbs.set(n + 1, [...(repository.thumbs.get(n + 1) ?? []), `fan${voter}`]);
    },
    ideas: () =>
      repository.issues.map(({ number, title, body, state }) => ({
        title,
        text: body ?? '',
        isDone: state === 'closed',
        votes: repository.thumbs.get(number)?.length ?? 0,
        comments: repository.comments.flatMap((comment) => (comment.issue === number ? comment.body : [])),
      })),
  };
}
