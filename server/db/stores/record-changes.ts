import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { type ChangedField, type ChangeSubject, changeSubject } from '../../../contract/changes.ts';
import type { ChangedValue, RecordChangeTable } from '../record-change-table.ts';
import type { Schema } from '../schema.ts';

/** A recorded change, and of what it is. */
export type RecordChangeRow = Selectable<RecordChangeTable> & { readonly subject: ChangeSubject };

const tables = {
  image: 'image_change',
  study: 'study_change',
  patient: 'patient_change',
} as const satisfies Record<ChangeSubject, keyof Schema>;

/** A value of an image, study or patient before and after. */
export interface ValueChange {
  readonly subject: ChangeSubject;
  readonly id: string;
  readonly field: ChangedField;
  readonly before: ChangedValue;
  readonly after: ChangedValue;
}

const isSame = ({ before, after }: ValueChange): boolean => JSON.stringify(before) === JSON.stringify(after);

/** Records the values that differ, in the transaction that changes them. */
export const recordChanges = async (
  transaction: Transaction<Schema>,
  accountId: string,
  changes: readonly ValueChange[],
): Promise<void> => {
  const changed = changes.filter((change) => !isSame(change));
  for (const subject of changeSubject.options) {
    const own = changed.filter((change) => change.subject === subject);
    if (own.length === 0) continue;
    await sql`
      insert into ${sql.table(tables[subject])} (subject_id, field, before, after, author_id, author_name)
      select (change->>'id')::uuid, change->>'field',
        jsonb_build_object('value', change->'before'), jsonb_build_object('value', change->'after'),
        account.id, account.first_name || ' ' || account.last_name
      from jsonb_array_elements(${JSON.stringify(own)}::jsonb) with ordinality as entry (change, place), account
      where account.id = ${accountId} order by place`.execute(transaction);
  }
};

const changesIn = (db: Kysely<Schema>, subject: ChangeSubject, id: string) =>
  db
    .selectFrom(tables[subject])
    .selectAll()
    .select(sql.lit(subject).as('subject'))
    .where('subject_id', '=', id)
    .orderBy('id', 'desc')
    .execute();

/** Returns the changes of these records, newest first. */
export const changesOf = async (
  db: Kysely<Schema>,
  subjects: Readonly<Partial<Record<ChangeSubject, string>>>,
): Promise<RecordChangeRow[]> => {
  const rows: RecordChangeRow[] = [];
  for (const subject of changeSubject.options) {
    const id = subjects[subject];
    if (id !== undefined) rows.push(...(await changesIn(db, subject, id)));
  }
  return rows.sort((one, other) => other.changed_at.getTime() - one.changed_at.getTime());
};
