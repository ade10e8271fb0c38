import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { RoleName } from '../../contract/claims.ts';
import type { Schema } from '../../server/db/schema.ts';
import { ensureBuiltInRoles } from '../../server/db/stores/role-store.ts';
import { hashPassword } from '../../server/identity/password.ts';

export const password = 'Prov-2026!';

/** One hash for all accounts, because hashing is slow. */
const sharedHash = hashPassword(password);

export const addClinic = async (db: Kysely<Schema>, name: string): Promise<string> => {
  const id = randomUUID();
  await db.insertInto('customer').values({ id, name }).execute();
  return id;
};

export const addAccount = async (
  db: Kysely<Schema>,
  account: { email: string; role: RoleName; customerId: string | null; isActive?: boolean },
): Promise<string> => {
  await ensureBuiltInRoles(db);
  const role = await db.selectFrom('role').select('id').where('name', '=', account.role).executeTakeFirstOrThrow();
  const id = randomUUID();
  await db
    .insertInto('account')
    .values({
      id,
      email: account.email,
      first_name: 'Anna',
      last_name: 'Prov',
      role_id: role.id,
      customer_id: account.customerId,
      is_active: account.isActive ?? true,
      password_hash: await sharedHash,
      security_stamp: randomUUID(),
    })
    .execute();
  return id;
};

/** Creates two clinics and one account of each role in the first. */
export const addTwoClinics = async (db: Kysely<Schema>) => {
  const customerId = await addClinic(db, 'Provkliniken');
  const otherCustomerId = await addClinic(db, 'Andra kliniken');
  return {
    customerId,
    otherCustomerId,
    superId: await addAccount(db, { email: 'super@prov.example', role: 'SuperAdmin', customerId: null }),
    adminId: await addAccount(db, { email: 'admin@prov.example', role: 'CustomerAdmin', customerId }),
    doctorId: await addAccount(db, { email: 'doctor@prov.example', role: 'Doctor', customerId }),
    otherDoctorId: await addAccount(db, { email: 'other@prov.example', role: 'Doctor', customerId: otherCustomerId }),
  };
};
