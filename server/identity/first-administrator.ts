import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { firstAdministrator } from '../../contract/account.ts';
import type { Schema } from '../db/schema.ts';
import { hasSuperAdministrator, insertFirstAdministrator } from '../db/stores/first-administrator.ts';
import { putSecret, readSecret, useSecret } from '../db/stores/secret-store.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { hashPassword } from './password.ts';

type Request = z.output<NonNullable<typeof firstAdministrator.body>>;

export interface FirstAdministrator {
  /** True while the installation has no super administrator and a setup link exists. */
  isAwaited(): Promise<boolean>;
  /** Creates a new one-time key and invalidates the previous one. Null when an administrator exists. */
  newKey(): Promise<string | null>;
  /** Creates clinic and super administrator in one transaction and deletes the key. @throws ProblemError 'link-expired' */
  create(request: Request): Promise<string>;
}

const secretName = 'first-administrator-key';
const hashed = (key: string): Buffer => createHash('sha256').update(key).digest();

const storedKey = async (db: Kysely<Schema>): Promise<Buffer | null> => {
  const value = await readSecret(db, secretName);
  return value === undefined ? null : Buffer.from(value, 'base64url');
};

/** Sets up the first super administrator of an empty installation, with the one-time key that the server printed. */
export const firstAdministratorOf = (db: Kysely<Schema>): FirstAdministrator => ({
  isAwaited: async () => (await storedKey(db)) !== null && !(await hasSuperAdministrator(db)),
  newKey: async () => {
    if (await hasSuperAdministrator(db)) return null;
    const key = randomBytes(24).toString('base64url');
    await putSecret(db, secretName, hashed(key).toString('base64url'));
    return key;
  },
  create: async (request) => {
    const key = await storedKey(db);
    if (!key || !timingSafeEqual(key, hashed(request.key))) throw new ProblemError('link-expired');
    const passwordHash = await hashPassword(request.password);
    return db.transaction().execute(async (transaction) => {
      const isUsed = await useSecret(transaction, secretName, key.toString('base64url'));
      if (!isUsed || (await hasSuperAdministrator(transaction))) throw new ProblemError('link-expired');
      return insertFirstAdministrator(transaction, { ...request, passwordHash });
    });
  },
});
