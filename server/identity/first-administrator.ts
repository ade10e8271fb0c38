import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { firstAdministrator } from '../../contract/account.ts';
import type { Schema } from '../db/schema.ts';
import { hasSuperAdministrator, insertFirstAdministrator } from '../db/stores/first-administrator.ts';
import { appendToSecret, deleteSecret, readStoredSecret } from '../db/stores/secret-store.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { hashPassword } from './password.ts';

type Request = z.output<NonNullable<typeof firstAdministrator.body>>;

export interface FirstAdministrator {
  /** True while the installation has no super administrator and a setup link exists. */
  isAwaited(): Promise<boolean>;
  /** Creates a one-time key; null when an administrator exists. Earlier keys, as of other nodes, remain valid until one is used. */
  newKey(): Promise<string | null>;
  /** Creates clinic and super administrator in one transaction and deletes all keys. @throws ProblemError 'link-expired' */
  create(request: Request): Promise<string>;
}

const secretName = 'first-administrator-key';
const hashed = (key: string): Buffer => createHash('sha256').update(key).digest();

/** Older keys are dropped, so that restarts do not fill the table. */
const maxKeys = 16;

const storedKeys = async (db: Kysely<Schema>): Promise<readonly Buffer[]> =>
  ((await readStoredSecret(db, secretName)) ?? '')
    .split(' ')
    .filter(Boolean)
    .map((key) => Buffer.from(key, 'base64url'));

/** Sets up the first super administrator of an empty installation, with the one-time key that the server printed. */
export const firstAdministratorOf = (db: Kysely<Schema>): FirstAdministrator => ({
  isAwaited: async () => (await storedKeys(db)).length > 0 && !(await hasSuperAdministrator(db)),
  newKey: async () => {
    if (await hasSuperAdministrator(db)) return null;
    const key = randomBytes(24).toString('base64url');
    await appendToSecret(db, secretName, hashed(key).toString('base64url'), maxKeys);
    return key;
  },
  create: async (request) => {
    const given = hashed(request.key);
    const isKnown = (await storedKeys(db)).some((key) => timingSafeEqual(key, given));
    if (!isKnown) throw new ProblemError('link-expired');
    const passwordHash = await hashPassword(request.password);
    return db.transaction().execute(async (transaction) => {
      const isFirst = await deleteSecret(transaction, secretName);
      if (!isFirst || (await hasSuperAdministrator(transaction))) throw new ProblemError('link-expired');
      return insertFirstAdministrator(transaction, { ...request, passwordHash });
    });
  },
});
