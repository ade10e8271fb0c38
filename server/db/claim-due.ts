import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { DicomTransferTables } from './dicom-transfer-tables.ts';
import type { Schema } from './schema.ts';
import { secondsFromNow } from './seconds-from-now.ts';

type LeasedTable = 'dicom_sending' | 'dicom_fetch' | 'commitment_request';

/** Claims the row with work that is due longest and that no other node works on. `more`: what is returned beside its columns. */
export const claimDue = async <Table extends LeasedTable, More = object>(
  db: Kysely<Schema>,
  name: Table,
  hasWork: RawBuilder<unknown>,
  { owner, seconds }: { readonly owner: string; readonly seconds: number },
  more: RawBuilder<More> = sql``,
): Promise<(Selectable<DicomTransferTables[Table]> & More) | undefined> => {
  const table = sql.table(name);
  const { rows } = await sql<Selectable<DicomTransferTables[Table]> & More>`
    update ${table} set lease_owner = ${owner}, lease_until = ${secondsFromNow(seconds)}
    where id = (select id from ${table}
      where ${hasWork} and try_at <= now() and (lease_until is null or lease_until < now())
      order by try_at limit 1 for update skip locked)
    returning * ${more}`.execute(db);
  return rows[0];
};
