import { z } from 'zod';
import { hubPath } from '../../../contract/hub.ts';
import { type Route, route } from '../../../contract/route.ts';
import { openid } from '../../../contract/sign-in.ts';
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

export const otherRoutes: Readonly<Record<string, OtherRoute>> = {
  tokenByPassword: { route: open('POST', openid.tokenPath), scene: query(tokenFields), isForm: true },
  tokenByCode: { route: open('POST', openid.tokenPath), scene: query(codeFields), isForm: true },
  tokenByRefresh: { route: open('POST', openid.tokenPath), scene: query(refreshFields), isForm: true },
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
  unknownCall: {
    route: open('POST', '/resource/:name', { params: z.object({ name: text }) }),
    scene: { requestOf: () => ({ params: { name: 'unknown' }, body: {} }) },
  },
};
