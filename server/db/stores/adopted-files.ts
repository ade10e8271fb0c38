import type { Kysely } from 'kysely';
import { type Claim, hasClaim } from '../../../contract/claims.ts';
import type { Schema } from '../schema.ts';
import { insertAccesses } from './access-log.ts';
import { advance, insertTask } from './imports.ts';
import { ensureFiles, type ReceivedFile } from './received-files.ts';

/** Returns clinics with this id or exact name. */
export const clinicsNamed = (db: Kysely<Schema>, nameOrId: string): Promise<{ id: string; name: string }[]> =>
  db
    .selectFrom('customer')
    .select(['id', 'name'])
    .where(({ eb, or, cast }) => or([eb('name', '=', nameOrId), eb(cast<string>('id', 'text'), '=', nameOrId)]))
    .where('deleted_at', 'is', null)
    .execute();

/** Returns the id of the active user with this e-mail address who may use the clinic; undefined when there is none. */
export const userOfClinic = async (
  db: Kysely<Schema>,
  email: string,
  customerId: string,
): Promise<string | undefined> => {
  const row = await db
    .selectFrom('account')
    .innerJoin('role', 'role.id', 'account.role_id')
    .select(['account.id', 'account.customer_id', 'role.claims'])
    .where(({ eb, fn }) => eb(fn<string>('lower', ['account.email']), '=', email.toLowerCase()))
    .where('account.is_active', '=', true)
    .where('account.deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  // The right to read every clinic (`customer.get_byid`) includes this one.
  const mayUse = row.customer_id === customerId || hasClaim(row.claims as Claim[], 'customer.get_byid');
  return mayUse ? row.id : undefined;
};

export interface RecoveredImport {
  readonly taskId: string;
  readonly customerId: string;
  readonly accountId: string;
  readonly name: string;
  readonly files: readonly ReceivedFile[];
}

const rowsAtOnce = 1_000;

/**
 * Creates an import of recovered files (quarantined or unreferenced) in the name of this user. Parsing starts at once; the user then assigns the
 * patients.
 */
export const adoptFiles = (
  db: Kysely<Schema>,
  { taskId, customerId, accountId, name, files }: RecoveredImport,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const task = { id: taskId, customerId, accountId, name, patientId: null, totalFiles: files.length };
    await insertTask(transaction, { ...task, kind: 'dicom' });
    for (let at = 0; at < files.length; at += rowsAtOnce)
      await ensureFiles(transaction, taskId, files.slice(at, at + rowsAtOnce));
    await insertAccesses(transaction, [
      { at: new Date(), accountId, customerId, patientId: null, action: 'import.begun', objectId: taskId },
    ]);
    await advance(transaction, taskId, 'uploading');
  });
