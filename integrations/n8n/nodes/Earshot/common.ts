import type { INodeProperties } from 'n8n-workflow';

type Show = { resource: string[]; operation: string[] };

/** When a parameter is shown: for these operations of a resource. */
export const show = (resource: string, ...operation: string[]): { show: Show } => ({
  show: { resource: [resource], operation },
});

/** How a user is named. */
export const USER =
  'An email address, an ID on the board, or the ID in your own system after its SSO type, such as SSO:42';

/** The idea that an operation is about. */
export const idea: INodeProperties = {
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

/** Who an idea or comment is by. */
export const author: INodeProperties = {
  displayName: 'On Behalf Of',
  name: 'author',
  type: 'string',
  default: '',
  placeholder: 'SSO:42',
  description: `${USER}. Needs a user of the key who may act for others.`,
};
