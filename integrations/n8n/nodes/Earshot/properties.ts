import type { INodeProperties } from 'n8n-workflow';

type Show = { resource: string[]; operation: string[] };

const show = (resource: string, ...operation: string[]): { show: Show } => ({
  show: { resource: [resource], operation },
});

const USER = 'An email address, an ID on the board, or the ID in your own system after its SSO type, such as SSO:42';

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

const idea: INodeProperties = {
  displayName: 'Idea',
  name: 'idea',
  type: 'resourceLocator',
  default: { mode: 'list', value: '' },
  required: true,
  description: 'The idea to work with',
  modes: [
    {
      displayName: 'From List',
      name: 'list',
      type: 'list',
      typeOptions: { searchListMethod: 'searchIdeas', searchable: true },
    },
    { displayName: 'By ID', name: 'id', type: 'string', placeholder: '01a1ff42-0a2d-7000-b125-02ca63d43883' },
    { displayName: 'By Number', name: 'number', type: 'string', placeholder: '12' },
    {
      displayName: 'By URL',
      name: 'url',
      type: 'string',
      placeholder: 'https://ideas.example.com/b/acme/posts/12/dark-mode',
    },
  ],
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

const author: INodeProperties = {
  displayName: 'On Behalf Of',
  name: 'author',
  type: 'string',
  default: '',
  placeholder: 'SSO:42',
  description: `${USER}. Needs a user of the key who may act for others.`,
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

export const properties: INodeProperties[] = [
  resources,
  commentOperations,
  ideaOperations,
  userOperations,
  { ...idea, displayOptions: show('idea', 'addVote', 'changeStatus', 'changeTags', 'get', 'update') },
  { ...idea, displayOptions: show('comment', 'create') },
  title,
  text,
  commentText,
  commentType,
  chosenStatus,
  statusMessage,
  tagMode,
  chosenTags,
  voter,
  userId,
  ssoType,
  returnAll,
  limit,
  limitOfSimilar,
  filters,
  fieldsOfNewIdea,
  changes,
  fieldsOfComment,
  fieldsOfUser,
];
