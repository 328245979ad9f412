import type { things } from '../../identity/activity/activity.ts';
import { requireActorContext } from '../../identity/users/context.graphql.ts';
import { loadUser, UserType } from '../../identity/users/users.graphql.ts';
import { findUserById } from '../../identity/users/users.ts';
import { notFound } from '../../platform/errors.ts';
import { builder, describeValues } from '../../platform/graphql/builder.ts';
import { LONG_TEXT } from '../../platform/graphql/limits.ts';
import { pageArgs, pageOf, pageType } from '../../platform/graphql/page.ts';
import { loadPost, PostType } from '../posts/posts.graphql.ts';
import { type ChangeView, findOperations, listOperations, type OperationView } from './operations.ts';
import { undoOperation } from './undo.ts';

const ThingEnum = builder.enumType('OperationThing', {
  description: 'What an operation of the team changed',
  values: describeValues({
    POST: 'A post',
    COMMENT: 'A comment',
    STATUS: 'A status of the board',
    STATUS_ORDER: 'The order of the statuses',
    TAG: 'A tag of the board',
    FIELD: 'A field of the board',
    FIELD_ORDER: 'The order of the fields',
    CHANGELOG_ENTRY: 'An entry of the changelog',
    COMPANY: 'A company',
    SEGMENT: 'A segment',
    BOARD: 'Settings of the board',
    USER: 'The role or the standing of a user',
    VIEW: 'A view that the team shares',
    OWN_VIEW: 'A view that its owner keeps for themselves; no one else sees the change',
  } satisfies Record<(typeof things)[number], string>),
});

const OperationChange = builder.objectRef<ChangeView>('OperationChange').implement({
  description: 'What an operation changed about one thing',
  fields: (t) => ({
    thing: t.expose('thing', { type: ThingEnum, description: 'What kind of thing it is' }),
    thingId: t.exposeString('thing_id', {
      description: 'Id of the thing; for STATUS_ORDER, FIELD_ORDER and BOARD that of the board',
    }),
    post: t.field({
      type: PostType,
      nullable: true,
      description: 'The post that it is or belongs to; null if there is none, or if it is deleted',
      resolve: (change, _, context) => (change.post_id === null ? null : loadPost(context, change.post_id)),
    }),
    before: t.expose('before', {
      type: 'JSON',
      description: 'The properties that were changed, as they were before',
      extensions: LONG_TEXT,
    }),
    after: t.expose('after', {
      type: 'JSON',
      description: 'The same properties as they became',
      extensions: LONG_TEXT,
    }),
  }),
});

const OperationType = builder.objectRef<OperationView>('Operation').implement({
  description: 'What the team changed with one request, or one form of the pages',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'Id, as in the header `Earshot-Operation-Id` of the response' }),
    actor: t.field({
      type: UserType,
      nullable: true,
      description: 'User who did it; null once that user has been erased',
      resolve: (operation, _, context, info) => loadUser(context, operation.actorId, info),
    }),
    via: t.exposeString('via', {
      nullable: true,
      description:
        'Name of the API key with which an agent did it over MCP, or of the chat that a comment came from; null for everything else',
    }),
    dateCreated: t.expose('dateCreated', { type: 'DateTime', description: 'When it was done' }),
    dateUndone: t.expose('dateUndone', { type: 'DateTime', nullable: true, description: 'When it was undone' }),
    undoneBy: t.field({
      type: UserType,
      nullable: true,
      description: 'User who undid it',
      resolve: (operation, _, context, info) => loadUser(context, operation.undoneBy, info),
    }),
    isUndoable: t.exposeBoolean('isUndoable', {
      description: 'Whether the acting user can undo it, unless what it changed has been changed again since then',
    }),
    changes: t.expose('changes', {
      type: [OperationChange],
      description: 'What it changed, in the order of the changes',
    }),
  }),
});

const OperationsPayload = pageType('OperationsPayload', OperationType, 'operations');

builder.queryField('operations', (t) =>
  t.field({
    type: OperationsPayload,
    description:
      'What the team changed in the last 30 days, the newest first; empty for others. Changes of posts that are not visible are left out',
    args: pageArgs(t.arg),
    resolve: (_, args, context) => listOperations(context, pageOf(args)),
  }),
);

builder.mutationField('undo', (t) =>
  t.field({
    type: OperationType,
    description:
      'For the team. Takes back all changes of an operation from the last 30 days, or none of them: fails with CONFLICT if something that it changed has been changed again since then. Undoing is an operation of its own',
    args: { operationId: t.arg.string({ required: true, description: 'Id of the operation' }) },
    async resolve(_, { operationId }, context) {
      const acting = requireActorContext(context);
      for (const id of await undoOperation(acting, operationId)) {
        const user = await findUserById(acting.db.read, acting.board.id, id);
        if (user) context.actors.forget(user);
      }
      const [operation] = await findOperations(acting, [operationId]);
      if (!operation) throw notFound('Operation');
      return operation;
    },
  }),
);
