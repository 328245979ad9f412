import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { undoOperation } from '../../src/feedback/undo/undo.ts';
import { changeStanding } from '../../src/identity/access/standing.ts';
import { beginOperation } from '../../src/identity/activity/activity.ts';
import { requireBoard } from '../../src/identity/board/board.ts';
import { changeBoard } from '../../src/identity/settings/settings.ts';
import { stateOfBoard } from '../../src/identity/settings/table.ts';
import { actions } from '../../src/identity/users/authority.ts';
import type { ActorContext } from '../../src/identity/users/request-context.ts';
import { findUser, findUserById } from '../../src/identity/users/users.ts';
import { mutations } from '../operations/operations.ts';
import { type TestApp, testBoth } from '../support/app.ts';
import { permanent } from './permanent.ts';

type Step = (context: ActorContext, zoe: string) => Promise<unknown>;

/** What is done on the pages alone: the right that it needs, what is done, and what others then do to the same thing. */
const onPages: Record<string, { right: string; does: Step; others: Step }> = {
  'name and description': {
    right: 'board.edit',
    does: (context) => changeBoard(context, { name: 'New', description: 'Ideas', locale: 'de', isIndexed: false }),
    others: (context) => changeBoard(context, { description: '' }),
  },
  color: {
    right: 'board.edit',
    does: (context) => changeBoard(context, { brandColor: '#123456' }),
    others: (context) => changeBoard(context, { brandColor: '#654321' }),
  },
  address: {
    right: 'board.edit',
    does: (context) => changeBoard(context, { pid: 'new', domain: 'ideas.example.com' }),
    others: (context) => changeBoard(context, { domain: '' }),
  },
  'form for ideas': {
    right: 'board.edit',
    does: (context) => changeBoard(context, { postTemplate: 'What for?' }),
    others: (context) => changeBoard(context, { postTemplate: 'Why?' }),
  },
  'websites of the widget': {
    right: 'board.edit',
    does: (context) => changeBoard(context, { widgetOrigins: 'https://a.example' }),
    others: (context) => changeBoard(context, { widgetOrigins: 'https://b.example' }),
  },
  'access and approval': {
    right: 'board.edit',
    does: (context) => changeBoard(context, { access: 'MEMBERS', mailDomains: 'a.example b.example', approval: 'ALL' }),
    others: (context) => changeBoard(context, { approval: 'FIRST' }),
  },
  'API off': {
    right: 'api.switch',
    does: (context) => changeBoard(context, { isApiEnabled: false }),
    others: (context) => changeBoard(context, { isApiEnabled: true }),
  },
  trust: {
    right: 'user.standing',
    does: (context, zoe) => changeStanding(context, zoe, 'TRUSTED'),
    others: (context, zoe) => changeStanding(context, zoe, 'BLOCKED'),
  },
};

/** Rights to see something, and those that mutations require: the records of `test/operations/` say how these are undone. */
const ofApi = [
  ...[
    'take.part',
    'ask.for',
    'act.for',
    'post.edit',
    'post.delete',
    'post.restore',
    'post.lock',
    'post.moderate',
    'post.merge',
  ],
  ...[
    'post.assign',
    'issue.link',
    'post.status',
    'post.tags',
    'status.edit',
    'tag.edit',
    'field.edit',
    'changelog.edit',
  ],
  ...['comment.edit', 'comment.internal', 'comment.official', 'comment.restore', 'comment.delete'],
  ...['user.edit', 'user.erase', 'team.manage', 'company.edit', 'segment.edit'],
  ...['post.see.team', 'post.see.hidden', 'field.team', 'tag.private', 'user.email', 'view.use', 'customer.see'],
];

test('everything that changes something is undone in a test, or listed with the reason why not', () => {
  const names = Object.keys(mutations);
  assert.ok(names.length > 40);
  for (const [name, record] of Object.entries(mutations)) {
    const isUndone = 'undone' in record && (name === 'undo' || Object.keys(record.undone).length > 0);
    assert.notEqual(isUndone, 'permanent' in record, name);
  }
  const named = permanent.flatMap(({ operations }) => operations);
  const ofPages = [...Object.values(onPages).map(({ right }) => right), ...named.filter((name) => name.includes('.'))];
  assert.deepEqual([...new Set([...ofApi, ...ofPages])].sort(), [...actions].sort());
  const known = new Set<string>([...names, ...actions]);
  assert.deepEqual(
    named.filter((name) => !known.has(name) && !name.includes(' ')),
    [],
  );
});

test('docs/api.md lists what cannot be undone, and why', () => {
  const document = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');
  const reasons = [
    ...permanent.map(({ reason }) => reason),
    ...Object.values(mutations).flatMap((record) => ('permanent' in record ? record.permanent : [])),
  ];
  assert.deepEqual(
    reasons.filter((reason) => !document.includes(reason)),
    [],
  );
});

/** What such operations change. */
async function view({ db, board }: TestApp, zoe: string) {
  const user = await findUserById(db.read, board.id, zoe);
  return { ...stateOfBoard(await requireBoard(db.read, board.id)), standing: user?.standing };
}

for (const [name, { does, others }] of Object.entries(onPages)) {
  testBoth(`an undo works alone, and is refused after other changes: ${name}`, async (app) => {
    const { db, clock, board } = app;
    const zoe = await app.makeUser('zoe');
    const actor = await findUser(db.read, board.id, { ssoType: 'SSO', ssoId: 'ada' });
    assert.ok(actor);
    const context = async () => {
      clock.advance(1_000);
      const operation = beginOperation();
      return {
        db,
        clock,
        baseUrl: 'http://board.test',
        board: await requireBoard(db.read, board.id),
        actor,
        operation,
      };
    };
    const run = async (step: Step): Promise<string> => {
      const one = await context();
      await step(one, zoe);
      assert.ok(one.operation.isRecorded);
      return one.operation.id;
    };
    const before = await view(app, zoe);
    const operation = await run(does);
    assert.notDeepEqual(await view(app, zoe), before);
    await undoOperation(await context(), operation);
    assert.deepEqual(await view(app, zoe), before);
    const again = await run(does);
    await run(others);
    const changed = await view(app, zoe);
    await assert.rejects(undoOperation(await context(), again), { code: 'CONFLICT', message: /changed since then/ });
    assert.deepEqual(await view(app, zoe), changed);
  });
}
