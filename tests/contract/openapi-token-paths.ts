import { openid } from '../../contract/sign-in.ts';

const text = { type: 'string' };
const reply = (description: string, schema: object) => ({
  description,
  content: { 'application/json': { schema } },
});
const oauthError = reply('Error of OAuth 2.0 (RFC 6749, section 5.2)', {
  type: 'object',
  properties: { error: text, error_description: text },
  required: ['error'],
});

/** Responses of these endpoints, by component name. */
export const tokenResponses = {
  UserInfo: reply('Done', {
    type: 'object',
    properties: {
      sub: { type: 'string', format: 'uuid' },
      name: text,
      email: text,
      role: { type: 'array', items: text },
      permission: { type: 'array', items: text },
    },
    required: ['sub', 'name', 'email', 'role', 'permission'],
  }),
};

const userInfo = (operationId: string) => ({
  operationId,
  summary: 'Claims of the signed-in user.',
  description: 'OpenID Connect Core, section 5.3.',
  tags: ['tokens'],
  responses: {
    200: { $ref: '#/components/responses/UserInfo' },
    '4XX': { $ref: '#/components/responses/Problem' },
  },
});

/** The endpoints of the OpenID provider that a program needs; the others are in /.well-known/openid-configuration. */
export const tokenPaths = {
  [openid.tokenPath]: {
    post: {
      operationId: 'connectToken',
      summary: 'Access and refresh tokens.',
      description:
        'Grants: authorization_code with PKCE, password, refresh_token, client_credentials of a service account (RFC 6749).',
      tags: ['tokens'],
      security: [],
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              properties: {
                grant_type: { enum: ['authorization_code', 'password', 'refresh_token', 'client_credentials'] },
                client_id: {
                  type: 'string',
                  description: 'Absent when it is in the header, with the secret (HTTP Basic)',
                },
                client_secret: { type: 'string', description: 'Of a service account' },
                scope: text,
                username: text,
                password: text,
                code: { type: 'string', description: 'Authorization code, or code of the second factor' },
                code_verifier: text,
                redirect_uri: text,
                refresh_token: text,
                [openid.attemptParameter]: text,
              },
              required: ['grant_type'],
            },
          },
        },
      },
      responses: {
        200: reply('Done', { $ref: '#/components/schemas/TokenReply' }),
        '4XX': oauthError,
      },
    },
  },
  [openid.userInfoPath]: { get: userInfo('connectUserInfo'), post: userInfo('connectUserInfoPost') },
};
