import { changeStanding } from '../../identity/access/standing.ts';
import { lockBoard, requireBoard } from '../../identity/board/board.ts';
import {
  type CompanyState,
  type DeletedCompany,
  deleteCompany,
  readCompanyState,
  restoreCompany,
  updateCompany,
} from '../../identity/customers/companies.ts';
import {
  deleteSegment,
  readSegmentState,
  restoreSegment,
  type SegmentState,
  updateSegment,
} from '../../identity/customers/segments.ts';
import { changeBoard } from '../../identity/settings/settings.ts';
import { type BoardState, settingWords, stateOfBoard } from '../../identity/settings/table.ts';
import { changeRole } from '../../identity/team/members.ts';
import { findUserById, type Role } from '../../identity/users/users.ts';
import { readFields } from '../fields/fields.ts';
import {
  type DeletedField,
  deleteField,
  type FieldChanges,
  type FieldState,
  readFieldState,
  rearrangeFields,
  restoreField,
  updateField,
} from '../fields/managing.ts';
import { type DeletedStatus, deleteStatus, restoreStatus } from '../lifecycle/deleting-status.ts';
import {
  rearrangeStatuses,
  type StatusChanges,
  type StatusState,
  stateOfStatus,
  updateStatus,
} from '../statuses/managing.ts';
import { listStatuses } from '../statuses/statuses.ts';
import {
  type DeletedTag,
  deleteTag,
  lockTags,
  restoreTag,
  stateOfTag,
  type TagChanges,
  type TagState,
  updateTag,
} from '../tags/tags.ts';
import type { Undoable } from './undoable.ts';

/** Statuses: created, changed, deleted. */
export const status: Undoable<keyof StatusState | 'exists' | 'postCount'> = {
  words: {
    exists: 'creation or deletion',
    name: 'name',
    color: 'color',
    postVisibility: 'visibility',
    isOnRoadmap: 'place on the roadmap',
    postCount: 'number of ideas',
  },
  async read(tx, { board }, id) {
    const row = (await listStatuses(tx, board.id)).find((one) => one.id === id);
    return row ? { exists: true, ...stateOfStatus(row), postCount: row.post_count } : null;
  },
  write(context, id, { exists, ...state }) {
    if (exists === false) return deleteStatus(context, id);
    return exists
      ? restoreStatus(context, id, state as DeletedStatus)
      : updateStatus(context, id, state as StatusChanges);
  },
};

/** The order of the statuses. */
export const statusOrder: Undoable<'statusIds'> = {
  words: { statusIds: 'order of the statuses' },
  async read(tx, { board }) {
    return { statusIds: (await listStatuses(tx, board.id)).map(({ id }) => id) };
  },
  write: (context, _, { statusIds }) => rearrangeStatuses(context, statusIds as readonly string[]),
};

/** Tags: created, changed, deleted. */
export const tag: Undoable<keyof TagState | 'exists' | 'postCount'> = {
  words: {
    exists: 'creation or deletion',
    name: 'name',
    color: 'color',
    isPrivate: 'visibility',
    postCount: 'number of ideas',
  },
  async read(tx, { board }, id) {
    const [row] = await lockTags(tx, board.id, [id]);
    return row ? { exists: true, ...stateOfTag(row), postCount: row.post_count } : null;
  },
  write(context, id, { exists, ...state }) {
    if (exists === false) return deleteTag(context, id);
    return exists ? restoreTag(context, id, state as DeletedTag) : updateTag(context, id, state as TagChanges);
  },
};

/** Fields: created, changed, deleted. What posts lose with one is recorded with these. */
export const field: Undoable<keyof FieldState | 'exists' | 'isUsed'> = {
  words: {
    exists: 'creation or deletion',
    label: 'name',
    description: 'description',
    type: 'settings',
    locations: 'settings',
    options: 'options',
    visibility: 'settings',
    isRequired: 'settings',
    isOnForm: 'settings',
    allowUrlPrefill: 'settings',
    isUsed: 'values of ideas',
  },
  read: (tx, { board }, id) => readFieldState(tx, board.id, id),
  write(context, id, { exists, ...state }) {
    if (exists === false) return deleteField(context, id);
    return exists ? restoreField(context, id, state as DeletedField) : updateField(context, id, state as FieldChanges);
  },
};

/** Companies: created, changed, deleted. */
export const company: Undoable<keyof CompanyState | 'exists' | 'userIds'> = {
  words: {
    exists: 'creation or deletion',
    name: 'name',
    plan: 'plan',
    monthlyRevenue: 'revenue',
    attributes: 'attributes',
    userIds: 'people',
  },
  read: (tx, { board }, id) => readCompanyState(tx, board.id, id),
  write(context, id, { exists, ...state }) {
    if (exists === false) return deleteCompany(context, id);
    return exists ? restoreCompany(context, id, state as DeletedCompany) : updateCompany(context, id, state);
  },
};

/** Segments: created, changed, deleted. */
export const segment: Undoable<keyof SegmentState | 'exists'> = {
  words: { exists: 'creation or deletion', name: 'name', match: 'conditions', conditions: 'conditions' },
  read: (tx, { board }, id) => readSegmentState(tx, board.id, id),
  write(context, id, { exists, ...state }) {
    if (exists === false) return deleteSegment(context, id);
    return exists ? restoreSegment(context, id, state as SegmentState) : updateSegment(context, id, state);
  },
};

/** The order of the fields. */
export const fieldOrder: Undoable<'fieldIds'> = {
  words: { fieldIds: 'order of the fields' },
  async read(tx, { board }) {
    return { fieldIds: (await readFields(tx, board.id)).map(({ id }) => id) };
  },
  write: (context, _, { fieldIds }) => rearrangeFields(context, fieldIds as readonly string[]),
};

/** The settings of the board. */
export const board: Undoable<keyof BoardState> = {
  words: settingWords,
  async read(tx, { board: { id } }) {
    await lockBoard(tx, id);
    return stateOfBoard(await requireBoard(tx, id));
  },
  write: (context, _, state) => changeBoard(context, state as Partial<BoardState>),
};

/** The role and the standing of users. */
export const user: Undoable<'role' | 'standing'> = {
  words: { role: 'role', standing: 'standing' },
  async read(tx, { board }, id) {
    const row = await findUserById(tx, board.id, id);
    return row ? { role: row.role, standing: row.standing } : null;
  },
  async write(context, id, { role, standing }) {
    if (role) await changeRole(context, id, role as Role);
    if (standing) await changeStanding(context, id, standing as string);
  },
};
