import { importJWK, type JWK, SignJWT } from 'jose';
import type { TokenReply } from '../../contract/sign-in.ts';

/** Signs the claims of a real session token again, with changes. */
export const signedBy = async (
  key: JWK,
  tokens: TokenReply,
  changes: Readonly<Record<string, unknown>> = {},
  header: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const claims = JSON.parse(Buffer.from(tokens.access_token.split('.')[1] ?? '', 'base64url').toString());
  return new SignJWT({ ...claims, ...changes })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: String(key.kid), ...header })
    .sign(await importJWK(key, 'ES256'));
};
