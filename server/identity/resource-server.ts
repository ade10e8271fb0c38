import { openid } from '../../contract/sign-in.ts';
import { signingAlgorithm } from './key-generations.ts';

export const accessTokenSeconds = 300;

/** What an access token for the archive looks like: a JWT that the archive alone accepts. */
export const resourceServer = {
  scope: openid.scope,
  audience: openid.audience,
  accessTokenFormat: 'jwt',
  accessTokenTTL: accessTokenSeconds,
  jwt: { sign: { alg: signingAlgorithm } },
} as const;
