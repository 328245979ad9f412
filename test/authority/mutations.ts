import { type Call, callOf, carryOut, operations } from '../operations/operations.ts';
import { makeField, makeRow, makeStatus, placeOf } from '../operations/rows.ts';
import { makeForm, sendForm } from '../support/files.ts';
import { makeScene, type Scene, type Stage } from './board.ts';
import type { Check } from './reads.ts';

/** What the names in calls stand for: what is ann's, and what others did to it. */
const makers: Readonly<Record<string, (stage: Stage, scene: Scene) => string | Promise<string>>> = {
  post: (_, { postId }) => postId,
  comment: (_, { commentId }) => commentId,
  'post of the comment': (_, { postId }) => postId,
  tag: (_, { tagId }) => tagId,
  board: ({ board }) => board.id,
  person: () => 'ann',
  name: (_, { word }) => `new-${word}`,
  status: makeStatus,
  view: (stage) => makeRow.view(placeOf(stage)),
  field: (stage) => makeField(placeOf(stage)),
  company: (stage) => makeRow.company(placeOf(stage)),
  segment: (stage) => makeRow.segment(placeOf(stage)),
  entry: (stage) => makeRow.entry(placeOf(stage)),
  issue: (stage) => makeRow.issue(placeOf(stage)),
  'another post': async (stage) => (await makeScene(stage)).postId,
  async 'merged post'(stage, { postId: targetId }) {
    const { postId } = await makeScene(stage);
    await stage.api.mergePosts({ sourceIds: [postId], targetId });
    return postId;
  },
  async operation({ api }, { postId }) {
    await api.as('mod').updatePost({ id: postId, isLocked: true });
    return (await api.operations({ limit: 1 }, { nodes: { id: true } })).nodes[0]?.id ?? '';
  },
  'post that its author deleted': async ({ api }, { postId }) => (await api.as('ann').deletePost({ postId })).id,
  'post that a moderator deleted': async ({ api }, { postId }) => (await api.as('mod').deletePost({ postId })).id,
  'comment that its author deleted': async ({ api }, { commentId: id }) =>
    (await api.as('ann').deleteComment({ id })).id,
  'comment that a moderator deleted': async ({ api }, { commentId: id }) =>
    (await api.as('mod').deleteComment({ id })).id,
};

/** Calls that must all be allowed, or all be refused. */
function doing(calls: readonly Call[]): Check {
  return async (stage, as) => {
    const answers: boolean[] = [];
    for (const call of calls) {
      const scene = await makeScene(stage);
      const { errors } = await carryOut(stage, call, (name) => makers[name]?.(stage, scene) ?? '', { as });
      const code = errors[0]?.extensions.code;
      const isRefused = code === 'FORBIDDEN' || (as === null && code === 'BAD_REQUEST');
      if (code !== undefined && !isRefused) throw new Error(`${call.name} as ${as}: ${errors[0]?.message}`);
      answers.push(code === undefined);
    }
    const told = calls.map(({ name, args }, n) => `${name} ${JSON.stringify(args)}: ${answers[n]}`);
    if (new Set(answers).size > 1) throw new Error(`${as} may do some of it: ${told.join(', ')}`);
    return answers[0] ?? false;
  };
}

/** An upload, and then the two ways to use one. */
const uploading: Check = async (stage, as) => {
  const { postId } = await makeScene(stage);
  const send = () => sendForm(stage, makeForm([{ filename: 'a.txt', bytes: 'a' }]), { as });
  const answers = [await send(), await send()];
  const [ofPost, ofComment] = answers.map((answer) => answer.json().id ?? null);
  const query = `mutation($post: String!, $a: String, $b: String) {
    createPost(title: "T", files: [$a]) { files { id } } createComment(postId: $post, text: "C", files: [$b]) { files { id } }
  }`;
  const { data } = await stage.gql(query, { post: postId, a: ofPost, b: ofComment }, { as });
  const used = [...(data?.createPost?.files ?? []), ...(data?.createComment?.files ?? [])].length;
  if (new Set([...answers.map(({ statusCode }) => statusCode === 201), used === 2]).size > 1) {
    throw new Error(`${as} may do some of it: ${answers.map((a) => a.statusCode)}, ${used}`);
  }
  return used === 2;
};

/** What is in each row of the table, by the records of the operations. */
const calls = Object.entries(operations).flatMap(([name, { may = {} }]) =>
  Object.entries(typeof may === 'string' ? { [may]: [{}] } : may).flatMap(([row, samples]) =>
    samples.map((args) => ({ row, call: callOf(name, args) })),
  ),
);
const byRow = Object.entries(Object.groupBy(calls, ({ row }) => row));

/** The rows of the table about doing. */
export const actions: Record<string, Check> = {
  ...Object.fromEntries(byRow.map(([row, of = []]) => [row, doing(of.map(({ call }) => call))])),
  'upload files, and put them on posts and comments (`files:`)': uploading,
};
