import type { INodeProperties } from 'n8n-workflow';
import { show } from './common.ts';

const userOperations: INodeProperties = {
  displayName: 'Operation',
  name: 'operation',
  type: 'options',
  noDataExpression: true,
  displayOptions: { show: { resource: ['user'] } },
  options: [
    {
      name: 'Create or Update',
      value: 'upsert',
      action: 'Create or update a user',
      description: 'Create a new record, or update the current one if it already exists (upsert)',
    },
  ],
  default: 'upsert',
};

const userId: INodeProperties = {
  displayName: 'User ID',
  name: 'ssoId',
  type: 'string',
  required: true,
  default: '',
  displayOptions: show('user', 'upsert'),
  description: 'ID of the user in your own system',
};

const ssoType: INodeProperties = {
  displayName: 'SSO Type',
  name: 'ssoType',
  type: 'string',
  required: true,
  default: 'SSO',
  displayOptions: show('user', 'upsert'),
  description: 'Single sign-on integration that the ID belongs to',
};

const fieldsOfUser: INodeProperties = {
  displayName: 'Additional Fields',
  name: 'additionalFields',
  type: 'collection',
  placeholder: 'Add Field',
  default: {},
  displayOptions: show('user', 'upsert'),
  options: [
    {
      displayName: 'Attributes',
      name: 'attributes',
      type: 'json',
      default: '{}',
      description: 'A JSON object to store with the user; it replaces the stored one',
    },
    {
      displayName: 'Company ID',
      name: 'companyId',
      type: 'string',
      default: '',
      description: 'ID of the company in your own system; it becomes the only company of the user',
    },
    { displayName: 'Company Name', name: 'companyName', type: 'string', default: '' },
    { displayName: 'Email', name: 'email', type: 'string', placeholder: 'name@email.com', default: '' },
    { displayName: 'Name', name: 'name', type: 'string', default: '' },
  ],
};

/** What can be done with users. */
export const users: INodeProperties[] = [userOperations, userId, ssoType, fieldsOfUser];
