import { makeEntry, publishNew } from '../support/changelog.ts';
import { ADD_POST, FIND_POSTS, makeField, put } from '../support/fields.ts';
import { addTracker, issueUrl } from '../support/trackers.ts';
import { agree, makeScene, type Person, putInto, type Stage } from './board.ts';
import { opensFiles, readCsv, readExport, readsInEvents, seesComment, seesEntry, seesPost } from './paths.ts';

/** Whether a viewer can do what a row of the table is about. */
export type Check = (stage: Stage, as: Person) => Promise<boolean>;

/** A post is put into a state, and then looked for by every way. */
const post = (put: (stage: Stage, id: string) => Promise<unknown>): Check => {
  return async (stage, as) => {
    const scene = await makeScene(stage);
    await put(stage, scene.postId);
    return seesPost(stage, as, scene);
  };
};

const moderatePost =
  (status: string) =>
  ({ ask }: Stage, id: string) =>
    ask(`mutation($id: String!) { changePostModerationStatus(id: $id, moderationStatus: ${status}) { id } }`, { id });

const asks = (query: string, isSeen: (data: never) => boolean): Check => {
  return async (stage, as) => {
    const scene = await makeScene(stage);
    await stage.api.assignPost({ postId: scene.postId, user: { ssotype: 'SSO', userId: 'mod' } });
    await moderatePost('FLAGGED')(stage, scene.postId);
    const { data, errors } = await stage.gql(query, { id: scene.postId }, { as });
    return errors.length === 0 && isSeen(data as never);
  };
};

/** A comment of ann's that the table is about, on a public post. */
const comment = (make: (stage: Stage, postId: string, text: string) => Promise<string>): Check => {
  return async (stage, as) => {
    const scene = await makeScene(stage);
    const { postId, word } = scene;
    const text = `comment of ${word}`;
    const id = await make(stage, postId, text);
    const seen = await stage.api.post({ id: postId }, { commentCount: true });
    if (seen?.commentCount !== 2) throw new Error('the owner counts all comments');
    if (
      as !== null &&
      (await readsInEvents(stage, as, scene, text)) &&
      !(await seesComment(stage, as, postId, id, text))
    ) {
      throw new Error(`${as} reads of it in the events`);
    }
    return seesComment(stage, as, postId, id, text);
  };
};

/** The rows of the table about seeing. */
export const seeing: Record<string, Check> = {
  'see the board, its statuses with their public posts, and its public tags': async (stage, as) => {
    const { word } = await makeScene(stage);
    const { data } = await stage.gql(
      '{ board { name } listTags { name } listStatuses { posts(limit: 100) { nodes { title } } } }',
      {},
      { as },
    );
    return (
      data?.board !== null &&
      JSON.stringify(data.listStatuses).includes(word) &&
      JSON.stringify(data.listTags).includes(word)
    );
  },
  'see public posts, comments, votes, users and events': async (stage, as) =>
    as !== null && seesPost(stage, as, await makeScene(stage)),
  'see a post in a status with `postVisibility` TEAM': post((stage, id) => putInto(stage, id, 'Planned')),
  'see a post in a status with `postVisibility` HIDDEN': post((stage, id) => putInto(stage, id, 'In progress')),
  'see a post that is PENDING': post(moderatePost('PENDING')),
  'see a post that is REJECTED': post(moderatePost('REJECTED')),
  'see a post that is FLAGGED': async (stage, as) => as !== null && post(moderatePost('FLAGGED'))(stage, as),
  'see a deleted post': async (stage, as) => {
    const scene = await makeScene(stage);
    await stage.api.deletePost({ postId: scene.postId });
    return as !== null && (await stage.api.as(as).post({ id: scene.postId })) !== null;
  },
  'see a comment of type INTERNAL': comment(
    async ({ api }, postId, text) =>
      (await api.createComment({ postId, text, type: 'INTERNAL', author: { ssotype: 'SSO', userId: 'ann' } })).id,
  ),
  'see a comment that is PENDING or REJECTED': comment(async ({ api }, postId, text) => {
    const { id } = await api.createComment({ postId, text, author: { ssotype: 'SSO', userId: 'ann' } });
    await api.changeCommentModerationStatus({ id, moderationStatus: 'PENDING' });
    await api.changeCommentModerationStatus({ id, moderationStatus: 'REJECTED' });
    return id;
  }),
  'see the files of a post or comment, and open their URLs': async (stage, as) => {
    const { postId, commentId, word } = await makeScene(stage);
    const query = `query($id: String!, $c: String!) {
      post(id: $id) { files { name url } } comment(id: $c) { files { name url } }
    }`;
    const { data, errors } = await stage.gql(query, { id: postId, c: commentId }, { as });
    return errors.length === 0 && opensFiles(stage, [data.post, data.comment], word);
  },
  'see published changelog entries, and their files': async (stage, as) =>
    as !== null && seesEntry(stage, as, (input) => publishNew(stage, input)),
  'see changelog entries that are not published': async (stage, as) =>
    as !== null && seesEntry(stage, as, (input) => makeEntry(stage, input)),
  'see fields with `visibility` TEAM, and their values': async (stage, as) => {
    const { word, postId } = await makeScene(stage);
    const field = await makeField(stage, `field ${word}`, { visibility: 'TEAM' });
    await stage.api.updatePost({ id: postId, properties: [put(field, `value ${word}`)] });
    const { listFields, board } = await stage.ask('{ listFields { label } board { fields { label } } }', {}, { as });
    const csv = await readCsv(stage, as);
    const ways: Record<string, boolean> = {
      listFields: JSON.stringify(listFields).includes(word),
      'board.fields': JSON.stringify(board.fields).includes(word),
      'CSV, header': csv.includes(`field ${word}`),
      'CSV, row': csv.includes(`value ${word}`),
      JSONL: JSON.stringify(await readExport(stage, as)).includes(`value ${word}`),
    };
    if (as !== null) {
      const query = `query($id: String!, $field: String!) {
        field(id: $field) { label } post(id: $id) { properties { values } } events(limit: 100) { nodes { data } }
      }`;
      const { data } = await stage.gql(query, { id: postId, field: field.id }, { as });
      ways.field = data.field !== null;
      ways.properties = JSON.stringify(data.post.properties).includes(word);
      if (JSON.stringify(data.events).includes(`value ${word}`)) throw new Error('events tell of a field for the team');
      const filters = [{ type: 'FIELD', label: field.label, empty: 'false' }];
      const found = await stage.gql(FIND_POSTS, { filters }, { as });
      ways.filter = found.errors[0]?.message !== 'Field not found' && found.data.posts.totalCount === 1;
      const added = await stage.gql(ADD_POST, { properties: [put(field, 'x')] }, { as });
      ways.createPost = added.errors[0]?.message !== 'Field not found';
    }
    return agree(`${as} sees the field`, ways);
  },
  'see private tags': async (stage, as) => {
    const { word } = await makeScene(stage);
    await stage.api.createTag({ name: `private ${word}`, isPrivate: true });
    return JSON.stringify(await stage.ask('{ listTags { name } }', {}, { as })).includes(`private ${word}`);
  },
  'see assignments, and who moderated': asks(
    'query($id: String!) { post(id: $id) { moderatedBy moderator { name } assignments { nodes { user { name } } } } }',
    ({ post }: { post: { moderatedBy: string | null; moderator: unknown; assignments: { nodes: unknown[] } } }) => {
      const answers = [post.moderatedBy !== null, post.moderator !== null, post.assignments.nodes.length > 0];
      if (new Set(answers).size > 1) throw new Error('some of it is seen');
      return answers[0] ?? false;
    },
  ),
  'see linked issues': async (stage, as) => {
    const { postId: id } = await makeScene(stage);
    await addTracker(stage, stage.board.id);
    await stage.api.linkIssue({ postId: id, issue: issueUrl(1) });
    const query = 'query($id: String!) { post(id: $id) { issues { nodes { id } } } }';
    return (await stage.gql(query, { id }, { as })).data?.post?.issues.nodes.length > 0;
  },
  'see what the team did (`operations`)': asks(
    '{ operations { nodes { changes { before after } } } }',
    ({ operations }: { operations: { nodes: unknown[] } }) => operations.nodes.length > 0,
  ),
  'see the other followers of a post': asks(
    'query($id: String!) { post(id: $id) { subscribers { totalCount nodes { ssoId } } viewer: isSubscribed } }',
    ({ post }: { post: { viewer: boolean; subscribers: { totalCount: number; nodes: { ssoId: string }[] } } }) => {
      const { totalCount, nodes } = post.subscribers;
      if (totalCount !== nodes.length) throw new Error('subscribers.totalCount is wrong');
      return nodes.length > (post.viewer ? 1 : 0) || (nodes.length === 1 && !post.viewer);
    },
  ),
  'see the team (`board { team }`)': async ({ ask }, as) =>
    (await ask('{ board { team { ssoId } } }', {}, { as })).board.team.some(
      ({ ssoId }: { ssoId: string }) => ssoId === 'mod',
    ),
  'see invitations to the team': async ({ api }, as) => {
    await api.addTeamUser({ emails: ['invited@example.com'], type: 'MODERATOR' });
    const { team } = await api.as(as).board({ team: { email: true, isInvitationPending: true } });
    return JSON.stringify(team).includes('invited@example.com');
  },
  'see companies, segments, and who is behind a post (`demand`)': async ({ api, gql, makePost }, as) => {
    const id = await makePost('Behind');
    await api.createCompany({ externalId: 'acme', name: 'Acme' });
    const document = `query ($id: String!) {
      companies { nodes { name } } segments { name } post(id: $id) { demand { people } }
    }`;
    const { data, errors } = await gql(document, { id }, { as });
    const answers = errors.length === 0 && {
      companies: data.companies.nodes.length > 0,
      demand: data.post.demand !== null,
    };
    return answers && agree('customers', answers);
  },
  'see the email address': async ({ api, gql }, as) => {
    await api.createUser({ ssoType: 'SSO', ssoId: 'ann', email: 'ann@example.com' });
    const { data } = await gql('{ user(ssoId: "ann", ssoType: SSO) { email } }', {}, { as });
    return data?.user?.email === 'ann@example.com';
  },
};
