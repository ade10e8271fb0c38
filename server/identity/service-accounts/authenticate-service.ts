import type { JWTPayload } from 'jose';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { serviceScopes } from '../../../contract/service-scopes.ts';
import type { Schema } from '../../db/schema.ts';
import { isActive, noteServiceUse, serviceAccountById } from '../../db/stores/service-accounts.ts';
import type { ServiceCaller } from '../../domain/policy/service-caller.ts';

/** A token of a user has the user as `sub` and the program as `client_id`. */
const serviceClaims = z.object({ sub: z.uuid(), client_id: z.uuid(), scope: z.string() });

const minute = 60_000;

/**
 * Returns the service account of a verified access token; undefined for a token of a user, and when the account was revoked or has expired. The
 * database is asked on every request, and a scope counts only while both the token and the account have it.
 */
export const serviceOf = async (
  db: Kysely<Schema>,
  payload: JWTPayload | undefined,
): Promise<ServiceCaller | undefined> => {
  const claims = serviceClaims.safeParse(payload).data;
  if (!claims || claims.sub !== claims.client_id) return undefined;
  const account = await serviceAccountById(db, claims.sub);
  if (!account || !isActive(account)) return undefined;
  // A failure, for example of a full disk, must not stop reading.
  if (Date.now() - (account.usedAt?.getTime() ?? 0) >= minute)
    await noteServiceUse(db, account.id).catch(() => undefined);
  const ofToken = claims.scope.split(' ');
  return {
    serviceAccountId: account.id,
    clinics: account.clinics.map(({ id }) => id),
    scopes: serviceScopes.filter((scope) => account.scopes.includes(scope) && ofToken.includes(scope)),
  };
};
