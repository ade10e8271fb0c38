import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { firstAdministrator } from '../../contract/account.ts';
import type { Schema } from '../db/schema.ts';
import { Refusal } from '../refusal.ts';
import { hashPassword } from './password.ts';

type Request = z.output<NonNullable<typeof firstAdministrator.body>>;

export interface FirstAdministrator {
  /** True while the installation has no super administrator and a link is out. */
  isAwaited(): Promise<boolean>;
  /** A new one-time key; an earlier one is void. Null when there already is an administrator. */
  newKey(): Promise<string | null>;
  /** Clinic and super administrator in one transaction; the key is gone with it. @throws Refusal 'link-expired' */
  create(request: Request): Promise<string>;
}

const secretName = 'first-administrator-key';
const hashed = (key: string): Buffer => createHash('sha256').update(key).digest();

const storedKey = async (db: Kysely<Schema>): Promise<Buffer | null> => {
  const row = await db.selectFrom('secret').select('value').where('name', '=', secretName).executeTakeFirst();
  return row ? Buffer.from(row.value, 'base64url') : null;
};

const hasAdministrator = async (db: Kysely<Schema>): Promise<boolean> => {
  const found = await db
    .selectFrom('account')
    .innerJoin('role', 'role.id', 'account.role_id')
    .where('role.name', '=', 'SuperAdmin')
    .where('account.deleted_at', 'is', null)
    .select('account.id')
    .executeTakeFirst();
  return found !== undefined;
};

/** The way into an empty installation: whoever holds the key that the server printed becomes its super administrator. */
export const firstAdministratorOf = (db: Kysely<Schema>): FirstAdministrator => ({
  isAwaited: async () => (await storedKey(db)) !== null && !(await hasAdministrator(db)),
  newKey: async () => {
    if (await hasAdministrator(db)) return null;
    const key = randomBytes(24).toString('base64url');
    const value = hashed(key).toString('base64url');
    await db
      .insertInto('secret')
      .values({ name: secretName, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
    return key;
  },
  create: async (request) => {
    const key = await storedKey(db);
    if (!key || !timingSafeEqual(key, hashed(request.key))) throw new Refusal('link-expired');
    const passwordHash = await hashPassword(request.password);
    return db.transaction().execute(async (transaction) => {
      // Of two calls at the same moment the second waits at this row, and then finds it gone.
      const used = await transaction
        .deleteFrom('secret')
        .where('name', '=', secretName)
        .where('value', '=', key.toString('base64url'))
        .executeTakeFirst();
      if (used.numDeletedRows === 0n || (await hasAdministrator(transaction))) throw new Refusal('link-expired');
      const role = await transaction
        .selectFrom('role')
        .select('id')
        .where('name', '=', 'SuperAdmin')
        .executeTakeFirstOrThrow();
      const id = randomUUID();
      await transaction.insertInto('customer').values({ id: randomUUID(), name: request.organisationName }).execute();
      await transaction
        .insertInto('account')
        .values({
          id,
          email: request.email,
          first_name: request.firstName,
          last_name: request.lastName,
          role_id: role.id,
          customer_id: null,
          password_hash: passwordHash,
          security_stamp: randomUUID(),
        })
        .execute();
      return id;
    });
  },
});
