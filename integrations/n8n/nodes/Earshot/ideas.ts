import type { INodeProperties } from 'n8n-workflow';
import { author, idea, show, USER } from './common.ts';

const ideaOperations: INodeProperties = {
  displayName: 'Operation',
  name: 'operation',
  type: 'options',
  noDataExpression: true,
  displayOptions: { show: { resource: ['idea'] } },
  options: [
    {
      name: 'Add Vote',
      value: 'addVote',
      action: 'Add a vote to an idea',
      description: 'Vote for an idea, also on behalf of a customer; each user has one vote',
    },
    {
      name: 'Change Status',
      value: 'changeStatus',
      action: 'Change the status of an idea',
      description: 'Change the status of an idea, with a message to those who follow it',
    },
    {
      name: 'Change Tags',
      value: 'changeTags',
      action: 'Change the tags of an idea',
      description: 'Add, remove or replace the tags of an idea',
    },
    {
      name: 'Create',
      value: 'create',
      action: 'Create an idea',
      description: 'Create an idea, also on behalf of a customer',
    },
    {
      name: 'Find Similar',
      value: 'findSimilar',
      action: 'Find similar ideas',
      description: 'Find ideas that resemble a text, best match first, before a new one is created',
    },
    { name: 'Get', value: 'get', action: 'Get an idea', description: 'Get an idea by its ID, number or URL' },
    { name: 'Get Many', value: 'getAll', action: 'Get many ideas', description: 'Get ideas by search, status or tags' },
    {
      name: 'Update',
      value: 'update',
      action: 'Update an idea',
      description: 'Change title, description or date of an idea, pin or lock it',
    },
  ],
  default: 'create',
};

const title: INodeProperties = {
  displayName: 'Title',
  name: 'title',
  type: 'string',
  required: true,
  default: '',
  displayOptions: show('idea', 'create', 'findSimilar'),
  description: 'The idea in one sentence, up to 200 characters',
};

const text: INodeProperties = {
  displayName: 'Description',
  name: 'text',
  type: 'string',
  typeOptions: { rows: 4 },
  default: '',
  displayOptions: show('idea', 'create', 'findSimilar'),
  description: 'More about it, as Markdown',
};

const status: INodeProperties = {
  displayName: 'Status Name or ID',
  name: 'status',
  type: 'options',
  typeOptions: { loadOptionsMethod: 'getStatuses' },
  default: '',
  description:
    'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
};

const tags: INodeProperties = {
  displayName: 'Tag Names or IDs',
  name: 'tags',
  type: 'multiOptions',
  typeOptions: { loadOptionsMethod: 'getTags' },
  default: [],
  description:
    'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
};

const fieldsOfNewIdea: INodeProperties = {
  displayName: 'Additional Fields',
  name: 'additionalFields',
  type: 'collection',
  placeholder: 'Add Field',
  default: {},
  displayOptions: show('idea', 'create'),
  options: [
    {
      displayName: 'External ID',
      name: 'externalId',
      type: 'string',
      default: '',
      description: 'ID in your own system: if there is an idea with it, that one is returned, and none is created',
    },
    author,
    status,
    tags,
  ],
};

const changes: INodeProperties = {
  displayName: 'Update Fields',
  name: 'updateFields',
  type: 'collection',
  placeholder: 'Add Field',
  default: {},
  displayOptions: show('idea', 'update'),
  options: [
    {
      displayName: 'Description',
      name: 'text',
      type: 'string',
      typeOptions: { rows: 4 },
      default: '',
      description: 'The new description, as Markdown',
    },
    {
      displayName: 'Expected',
      name: 'expected',
      type: 'string',
      default: '',
      placeholder: '2027-Q1',
      description: 'A quarter such as 2027-Q1 or a month such as 2027-01; empty removes it',
    },
    {
      displayName: 'Locked',
      name: 'isLocked',
      type: 'boolean',
      default: false,
      description: 'Whether votes and comments are closed',
    },
    {
      displayName: 'Pinned',
      name: 'isPinned',
      type: 'boolean',
      default: false,
      description: 'Whether the idea is shown first on the board',
    },
    { displayName: 'Title', name: 'title', type: 'string', default: '', description: 'The new title' },
  ],
};

const chosenStatus: INodeProperties = { ...status, required: true, displayOptions: show('idea', 'changeStatus') };

const statusMessage: INodeProperties = {
  displayName: 'Message',
  name: 'message',
  type: 'string',
  typeOptions: { rows: 3 },
  default: '',
  displayOptions: show('idea', 'changeStatus'),
  description: 'Posted in the discussion with the change, and mailed to those who follow the idea',
};

const tagMode: INodeProperties = {
  displayName: 'Change',
  name: 'tagMode',
  type: 'options',
  options: [
    { name: 'Add', value: 'add', description: 'The idea keeps the tags that it has' },
    { name: 'Remove', value: 'remove', description: 'The idea keeps its other tags' },
    { name: 'Replace', value: 'replace', description: 'The idea has these tags and no others' },
  ],
  default: 'add',
  displayOptions: show('idea', 'changeTags'),
};

const chosenTags: INodeProperties = { ...tags, displayOptions: show('idea', 'changeTags') };

const voter: INodeProperties = {
  displayName: 'On Behalf Of',
  name: 'voter',
  type: 'string',
  default: '',
  placeholder: 'jane@example.com',
  displayOptions: show('idea', 'addVote'),
  description: `Whose vote it is: ${USER}. The user of the key votes if it is empty. Create unknown users with the resource User.`,
};

const returnAll: INodeProperties = {
  displayName: 'Return All',
  name: 'returnAll',
  type: 'boolean',
  default: false,
  displayOptions: show('idea', 'getAll'),
  description: 'Whether to return all results or only up to a given limit',
};

const limit: INodeProperties = {
  displayName: 'Limit',
  name: 'limit',
  type: 'number',
  typeOptions: { minValue: 1 },
  default: 50,
  displayOptions: { show: { resource: ['idea'], operation: ['getAll'], returnAll: [false] } },
  description: 'Max number of results to return',
};

const limitOfSimilar: INodeProperties = {
  ...limit,
  typeOptions: { minValue: 1, maxValue: 100 },
  displayOptions: show('idea', 'findSimilar'),
};

const filters: INodeProperties = {
  displayName: 'Filters',
  name: 'filters',
  type: 'collection',
  placeholder: 'Add Filter',
  default: {},
  displayOptions: show('idea', 'getAll'),
  options: [
    { displayName: 'Created After', name: 'createdAfter', type: 'dateTime', default: '' },
    { displayName: 'External ID', name: 'externalId', type: 'string', default: '' },
    {
      displayName: 'Minimum Votes',
      name: 'minUpvotes',
      type: 'number',
      typeOptions: { minValue: 0 },
      default: 1,
    },
    {
      displayName: 'Search',
      name: 'search',
      type: 'string',
      default: '',
      description: 'Words in title or description',
    },
    {
      displayName: 'Sort',
      name: 'sort',
      type: 'options',
      options: [
        { name: 'Most Comments', value: 'MOST_COMMENTED' },
        { name: 'Most Votes', value: 'TOP' },
        { name: 'Newest', value: 'NEWEST' },
        { name: 'Oldest', value: 'OLDEST' },
        { name: 'Recently Updated', value: 'RECENTLY_UPDATED' },
        { name: 'Trending', value: 'TRENDING' },
      ],
      default: 'TOP',
    },
    {
      displayName: 'Status Names or IDs',
      name: 'statuses',
      type: 'multiOptions',
      typeOptions: { loadOptionsMethod: 'getStatuses' },
      default: [],
      description:
        'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
    },
    tags,
    { displayName: 'Updated After', name: 'updatedAfter', type: 'dateTime', default: '' },
  ],
};

/** What can be done with ideas. */
export const ideas: INodeProperties[] = [
  ideaOperations,
  { ...idea, displayOptions: show('idea', 'addVote', 'changeStatus', 'changeTags', 'get', 'update') },
  title,
  text,
  chosenStatus,
  statusMessage,
  tagMode,
  chosenTags,
  voter,
  returnAll,
  limit,
  limitOfSimilar,
  filters,
  fieldsOfNewIdea,
  changes,
];
