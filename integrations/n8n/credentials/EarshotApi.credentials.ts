import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from 'n8n-workflow';

export class EarshotApi implements ICredentialType {
  name = 'earshotApi';

  displayName = 'Earshot API';

  icon: Icon = { light: 'file:../icons/earshot.svg', dark: 'file:../icons/earshot.dark.svg' };

  documentationUrl = 'https://earshot.example.com/n8n#credentials';

  properties: INodeProperties[] = [
    {
      displayName: 'Server',
      name: 'server',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://ideas.example.com',
      description: 'Address of the Earshot server, with its path if it has one, without /b/ and what follows',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      placeholder: 'esk_…',
      description: 'A key of the board with the permissions read and write, bound to a user of the team',
    },
    {
      displayName: 'Acting User',
      name: 'actingUser',
      type: 'string',
      default: '',
      placeholder: 'n8n',
      description:
        'ID of the user to act as, in your own system. Leave it empty if the key is bound to a user or has a default user.',
    },
    {
      displayName: 'SSO Type of the Acting User',
      name: 'ssoType',
      type: 'string',
      default: 'SSO',
      displayOptions: { hide: { actingUser: [''] } },
      description: 'Single sign-on integration that the ID of the acting user belongs to',
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: {
      headers: {
        apikey: '={{$credentials.apiKey}}',
        ssotype: '={{$credentials.actingUser ? $credentials.ssoType || "SSO" : undefined}}',
        ssoid: '={{$credentials.actingUser || undefined}}',
      },
    },
  };

  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{$credentials.server.replace(/\\/+$/, "")}}',
      url: '/api/v1/graphql',
      method: 'POST',
      body: { query: '{ viewer { apiKeyName user { id } } }' },
      json: true,
    },
    rules: [
      {
        type: 'responseCode',
        properties: { value: 401, message: 'The key is not valid: it may have been revoked, or it has expired' },
      },
      {
        type: 'responseCode',
        properties: { value: 404, message: 'There is no Earshot server at this address' },
      },
      {
        type: 'responseCode',
        properties: {
          value: 429,
          message: 'The key works, but its rate limit is exhausted: test it again in a minute',
        },
      },
      {
        type: 'responseSuccessBody',
        properties: {
          key: 'data.viewer.user',
          value: null,
          message: 'The key works but has no user: bind it to a user of the team, or fill in the acting user',
        },
      },
    ] as NonNullable<ICredentialTestRequest['rules']>,
  };
}
