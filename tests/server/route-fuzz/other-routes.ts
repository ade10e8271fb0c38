import { z } from 'zod';
import { hubPath } from '../../../contract/hub.ts';
import { type Route, route } from '../../../contract/route.ts';
import { openid } from '../../../contract/sign-in.ts';
import type { RecordIds } from '../authorization/record.ts';
import type { Scene } from '../authorization/scene.ts';
import { password } from '../clinic.ts';

/** A route that the server answers outside the contract, with its media types. */
export interface OtherRoute {
  readonly route: Route;
  readonly scene: Scene;
  /** The query of the scene is sent as a body of `application/x-www-form-urlencoded`. */
  readonly isForm?: true;
}

const open = (method: Route['method'], path: string, extra: Partial<Route> = {}): Route =>
  route({ method, path, access: 'anyone', reply: z.unknown(), ...extra });
const text = z.string();
const query = (values: Readonly<Record<string, string>>): Scene => ({ requestOf: () => ({ query: values }) });
const nothing: Scene = { requestOf: () => ({}) };
const inInteraction = (
  extra: Readonly<Record<string, string>> = {},
  values: Readonly<Record<string, string>> = {},
): Scene => ({
  requestOf: () => ({ params: { uid: 'V1StGXR8_Z5jdHi6B-myT', ...extra }, query: values }),
});

const tokenFields = {
  grant_type: 'password',
  client_id: openid.clientId,
  username: 'unknown@prov.example',
  password,
  scope: openid.scope,
};
const codeFields = {
  grant_type: 'authorization_code',
  client_id: openid.clientId,
  code: 'x',
  code_verifier: 'y'.repeat(43),
};
const refreshFields = { grant_type: 'refresh_token', client_id: openid.clientId, refresh_token: 'x'.repeat(43) };
const serviceFields = { grant_type: 'client_credentials', client_id: openid.clientId, client_secret: 'x', scope: 'x' };
const authorization = {
  client_id: openid.clientId,
  response_type: 'code',
  redirect_uri: `http://localhost${openid.callbackPath}`,
  scope: openid.scope,
  state: 'x',
  nonce: 'y',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};

const anyQuery = z.looseObject({ id: text.optional(), state: text.optional(), key: text.optional() });

const scimParams = z.object({ clinic: text, id: text });
const scim = (method: Route['method'], path: string, body?: (ids: RecordIds) => unknown): OtherRoute => ({
  route: open(method, `/scim/v2/:clinic${path}`, {
    params: path.includes(':id') ? scimParams : scimParams.pick({ clinic: true }),
    query: z.looseObject({ filter: text.optional(), count: text.optional(), startIndex: text.optional() }),
    ...(body && { body: z.looseObject({}) }),
  }),
  scene: {
    requestOf: (ids) => ({
      params: { clinic: ids.customerId, id: path.startsWith('/Groups') ? ids.doctorRoleId : ids.accountId },
      query: { filter: 'userName eq "a" and emails[type eq "work"]', count: '2', startIndex: '1' },
      ...(body && { body: body(ids) }),
    }),
  },
});
const scimUser = (ids: RecordIds) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: `${ids.accountId}@scim.example`,
  name: { givenName: 'Ny', familyName: 'Person' },
  emails: [{ value: `${ids.accountId}@scim.example`, type: 'work', primary: true }],
  active: true,
});
const operations = (...Operations: readonly object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});
const members = (ids: RecordIds) => [{ value: ids.accountId }];

/** Their names are in `givens`: each needs a token of the clinic. */
export const scimRoutes = {
  scimConfig: scim('GET', '/ServiceProviderConfig'),
  scimSchemas: scim('GET', '/Schemas'),
  scimUsers: scim('GET', '/Users'),
  scimSearch: scim('POST', '/.search', () => ({ filter: 'id pr', attributes: ['id'], startIndex: 1, count: 2 })),
  scimUser: scim('GET', '/Users/:id'),
  scimUserAdd: scim('POST', '/Users', scimUser),
  scimUserReplace: scim('PUT', '/Users/:id', scimUser),
  scimUserPatch: scim('PATCH', '/Users/:id', () =>
    operations(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'ny@scim.example' },
      { op: 'add', value: { active: 'True', 'name.givenName': 'Ny' } },
    ),
  ),
  scimUserDelete: scim('DELETE', '/Users/:id'),
  scimGroups: scim('GET', '/Groups'),
  scimGroup: scim('GET', '/Groups/:id'),
  scimGroupAdd: scim('POST', '/Groups', () => ({ displayName: 'Ny' })),
  scimGroupReplace: scim('PUT', '/Groups/:id', (ids) => ({ displayName: 'Doctor', members: members(ids) })),
  scimGroupPatch: scim('PATCH', '/Groups/:id', (ids) =>
    operations(
      { op: 'remove', path: `members[value eq "${ids.accountId}"]` },
      { op: 'add', path: 'members', value: members(ids) },
    ),
  ),
  scimGroupDelete: scim('DELETE', '/Groups/:id'),
} as const;

export const otherRoutes: Readonly<Record<string, OtherRoute>> = {
  tokenByPassword: { route: open('POST', openid.tokenPath), scene: query(tokenFields), isForm: true },
  tokenByCode: { route: open('POST', openid.tokenPath), scene: query(codeFields), isForm: true },
  tokenByRefresh: { route: open('POST', openid.tokenPath), scene: query(refreshFields), isForm: true },
  tokenByClient: { route: open('POST', openid.tokenPath), scene: query(serviceFields), isForm: true },
  revocation: {
    route: open('POST', openid.revocationPath),
    scene: query({ client_id: openid.clientId, token: 'x' }),
    isForm: true,
  },
  authorize: { route: open('GET', openid.authorizePath, { query: anyQuery }), scene: query(authorization) },
  authorizeResume: {
    route: open('GET', `${openid.authorizePath}/:uid`, { params: z.object({ uid: text }) }),
    scene: inInteraction(),
  },
  userInfo: { route: open('GET', openid.userInfoPath, { query: anyQuery }), scene: nothing },
  userInfoPost: {
    route: open('POST', openid.userInfoPath),
    scene: query({ access_token: 'x' }),
    isForm: true,
  },
  configuration: { route: open('GET', '/.well-known/openid-configuration'), scene: nothing },
  keys: { route: open('GET', '/.well-known/openid-configuration/jwks'), scene: nothing },
  interactionPage: {
    route: open('GET', '/interaction/:uid', { params: z.object({ uid: text }) }),
    scene: inInteraction(),
  },
  upstream: {
    route: open('GET', '/interaction/:uid/upstream/:method', { params: z.object({ uid: text, method: text }) }),
    scene: inInteraction({ method: 'aad' }),
  },
  upstreamCallback: {
    route: open('GET', '/connect/upstream/:method', { params: z.object({ method: text }), query: anyQuery }),
    scene: { requestOf: () => ({ params: { method: 'openid' }, query: { state: 'x', code: 'y' } }) },
  },
  upstreamDone: {
    route: open('GET', '/interaction/:uid/upstream/:method/done', {
      params: z.object({ uid: text, method: text }),
      query: anyQuery,
    }),
    scene: inInteraction({ method: 'siths' }, { key: 'x' }),
  },
  hubNegotiate: {
    route: open('POST', `${hubPath}/negotiate`, { query: anyQuery }),
    scene: query({ negotiateVersion: '1' }),
  },
  hubPoll: { route: open('GET', hubPath, { query: anyQuery }), scene: query({ id: 'unknown' }) },
  hubSend: {
    route: open('POST', hubPath, { query: anyQuery }),
    scene: { requestOf: () => ({ query: { id: 'unknown' }, body: { protocol: 'json', version: 1 } }) },
  },
  hubClose: { route: open('DELETE', hubPath, { query: anyQuery }), scene: query({ id: 'unknown' }) },
  healthLive: { route: open('GET', '/health/live', { query: anyQuery }), scene: nothing },
  healthReady: { route: open('GET', '/health/ready', { query: anyQuery }), scene: nothing },
  outbox: { route: open('GET', '/api/outbox', { query: anyQuery }), scene: query({ language: 'sv' }) },
  page: {
    route: open('GET', '/patients/:id', { params: z.object({ id: text }), query: anyQuery }),
    scene: { requestOf: (ids) => ({ params: { id: ids.patientId } }) },
  },
  ...scimRoutes,
  unknownCall: {
    route: open('POST', '/resource/:name', { params: z.object({ name: text }) }),
    scene: { requestOf: () => ({ params: { name: 'unknown' }, body: {} }) },
  },
};
