import { type Kysely, sql } from 'kysely';
import { claimDue } from '../claim-due.ts';
import type { DicomTransferTables } from '../dicom-transfer-tables.ts';
import type { Schema } from '../schema.ts';
import { secondsFromNow } from '../seconds-from-now.ts';

type TransferTable = 'dicom_sending' | 'dicom_fetch';

interface FailedTransfer<Failure> {
  readonly id: string;
  readonly owner: string;
  readonly failure: Failure;
}

/** Leases of the transfers of a table: one node at a time works on each that has not ended. */
export const transferLeases = <Table extends TransferTable>(name: Table) => {
  const table = sql.table(name);
  const isOwned = (id: string, owner: string) => sql`id = ${id} and lease_owner = ${owner} and ended_at is null`;

  return {
    /** Claims the one that is due longest and that no other node works on, for `seconds`. */
    claim: (db: Kysely<Schema>, owner: string, seconds: number) =>
      claimDue(db, name, sql`ended_at is null`, { owner, seconds }),
    /** False when the lease was lost, or the transfer was cancelled or removed: the work must stop. */
    renew: async (db: Kysely<Schema>, id: string, owner: string, seconds: number): Promise<boolean> => {
      const { rows } = await sql`
        update ${table} set lease_until = ${secondsFromNow(seconds)} where ${isOwned(id, owner)} returning id`.execute(
        db,
      );
      return rows.length > 0;
    },
    /** Gives it back as it is, to be continued by any node. */
    release: async (db: Kysely<Schema>, id: string, owner: string): Promise<void> => {
      await sql`update ${table} set lease_owner = null, lease_until = null where ${isOwned(id, owner)}`.execute(db);
    },
    /** Tries again after `seconds`. */
    retry: async (
      db: Kysely<Schema>,
      { id, owner, failure }: FailedTransfer<NonNullable<DicomTransferTables[Table]['failure']>>,
      seconds: number,
    ): Promise<void> => {
      await sql`update ${table} set lease_owner = null, lease_until = null, failure = ${failure}, tries = tries + 1,
        try_at = ${secondsFromNow(seconds)} where ${isOwned(id, owner)}`.execute(db);
    },
    /** Returns the failed attempts since an image was last transferred. */
    failedTries: async (db: Kysely<Schema>, id: string): Promise<number> => {
      const { rows } = await sql<{ tries: number }>`select tries from ${table} where id = ${id}`.execute(db);
      return rows[0]?.tries ?? 0;
    },
  };
};
