import type { INodeProperties } from 'n8n-workflow';
import { author, idea, show } from './common.ts';

const commentOperations: INodeProperties = {
  displayName: 'Operation',
  name: 'operation',
  type: 'options',
  noDataExpression: true,
  displayOptions: { show: { resource: ['comment'] } },
  options: [
    {
      name: 'Create',
      value: 'create',
      action: 'Create a comment',
      description: 'Write a comment, an official answer or an internal note',
    },
  ],
  default: 'create',
};

const commentText: INodeProperties = {
  displayName: 'Text',
  name: 'text',
  type: 'string',
  typeOptions: { rows: 4 },
  required: true,
  default: '',
  displayOptions: show('comment', 'create'),
  description: 'The text, as Markdown',
};

const commentType: INodeProperties = {
  displayName: 'Post As',
  name: 'type',
  type: 'options',
  options: [
    { name: 'Comment', value: 'BASIC' },
    { name: 'Internal Note', value: 'INTERNAL', description: 'Visible to the team only' },
    { name: 'Official Answer', value: 'OFFICIAL', description: 'Highlighted, and mailed to those who voted' },
  ],
  default: 'BASIC',
  displayOptions: show('comment', 'create'),
};

const fieldsOfComment: INodeProperties = {
  displayName: 'Additional Fields',
  name: 'additionalFields',
  type: 'collection',
  placeholder: 'Add Field',
  default: {},
  displayOptions: show('comment', 'create'),
  options: [author],
};

/** What can be done with comments. */
export const comments: INodeProperties[] = [
  commentOperations,
  { ...idea, displayOptions: show('comment', 'create') },
  commentText,
  commentType,
  fieldsOfComment,
];
