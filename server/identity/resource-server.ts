import { serviceScopes } from '../../contract/service-scopes.ts';
import { openid } from '../../contract/sign-in.ts';
import { signingAlgorithm } from './key-generations.ts';

export const accessTokenSeconds = 300;

/** Returns the format of access tokens: JWTs with the archive as audience. */
export const resourceServer = {
  scope: [openid.scope, ...serviceScopes].join(' '),
  audience: openid.audience,
  accessTokenFormat: 'jwt',
  accessTokenTTL: accessTokenSeconds,
  jwt: { sign: { alg: signingAlgorithm } },
} as const;
