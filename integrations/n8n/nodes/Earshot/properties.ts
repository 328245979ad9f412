import type { INodeProperties } from 'n8n-workflow';
import { comments } from './comments.ts';
import { ideas } from './ideas.ts';
import { users } from './users.ts';

const resources: INodeProperties = {
  displayName: 'Resource',
  name: 'resource',
  type: 'options',
  noDataExpression: true,
  options: [
    { name: 'Comment', value: 'comment' },
    { name: 'Idea', value: 'idea' },
    { name: 'User', value: 'user' },
  ],
  default: 'idea',
};

/** The parameters of the node. */
export const properties: INodeProperties[] = [resources, ...comments, ...ideas, ...users];
