import { type JWTPayload, jwtVerify } from 'jose';
import { openid } from '../../contract/sign-in.ts';
import { isDatabaseUnavailable } from '../db/database-unavailable.ts';
import { signingAlgorithm } from './key-generations.ts';
import type { Keys } from './keys.ts';
import { accessTokenSeconds } from './resource-server.ts';

/** Returns a function that verifies an access token of this archive and returns its payload; undefined for any other. */
export const accessTokenPayload =
  (keys: Keys, issuer: string) =>
  async (token: string): Promise<JWTPayload | undefined> => {
    try {
      const { payload } = await jwtVerify(
        token,
        async ({ kid = '' }) => {
          const key = await keys.verifying(kid);
          if (!key) throw new Error('signed by an unknown key');
          return key;
        },
        {
          issuer,
          audience: openid.audience,
          algorithms: [signingAlgorithm],
          typ: 'at+jwt',
          maxTokenAge: accessTokenSeconds,
          // Between nodes, in both directions.
          clockTolerance: 10,
        },
      );
      return payload;
    } catch (error) {
      // Unknown keys are looked up in the database; if it is unavailable, the token cannot be judged.
      if (isDatabaseUnavailable(error)) throw error;
      return undefined;
    }
  };
