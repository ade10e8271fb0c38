import type { Kysely } from 'kysely';
import { isByRecipient } from '../../contract/access-log.ts';
import type { Schema } from '../db/schema.ts';
import type { AccessFilter } from '../db/stores/access-filter.ts';
import { type AccessRow, type LogPatient, newestAccess, pageOfAccesses } from '../db/stores/access-log-pages.ts';
import { stockholmTime } from '../domain/stockholm-time.ts';
import type { LogTexts } from './log-texts.ts';

/** Header of an extract. */
export interface Extract {
  readonly patient: LogPatient;
  /** Days `YYYY-MM-DD`, both inclusive; undefined means no limit. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly madeAt: Date;
  /** Name of the user who requested the extract. */
  readonly madeBy: string;
  readonly words: LogTexts;
}

/** One log entry in readable form. */
export interface ExtractLine {
  readonly time: string;
  /** ISO 8601. */
  readonly utc: string;
  readonly who: string;
  readonly role: string;
  readonly unit: string;
  readonly did: string;
}

const rowsAtOnce = 250;

/** Returns who did it: a user, a service account, a DICOM device, or the recipient of a link with the user who made the link. */
const whoOf = (words: LogTexts, row: AccessRow): string => {
  const name = row.account_name ?? words.text(row.account_id === null ? 'unknownAccount' : 'deletedAccount');
  if (row.is_service_account) return words.text('byService', { name });
  if (row.is_device) return words.text('byDevice', { name });
  return isByRecipient(row.action) ? words.text('extractRecipient', { recipient: row.detail ?? '', name }) : name;
};

const lineOf = (words: LogTexts, row: AccessRow): ExtractLine => ({
  time: stockholmTime(row.at),
  utc: row.at.toISOString(),
  who: whoOf(words, row),
  role: isByRecipient(row.action) ? '' : words.role(row.role),
  // Users with access to every clinic have no clinic of their own.
  unit: row.role === 'SuperAdmin' ? words.text('extractNoUnit') : (row.customer_name ?? ''),
  did: words.action(row.action),
});

/** Yields the entries about the patient that existed at the time of the request, newest first, in batches of a few hundred. */
export async function* extractLines(
  db: Kysely<Schema>,
  { patient, from, to, words }: Extract,
): AsyncGenerator<readonly ExtractLine[]> {
  const newestId = await newestAccess(db);
  if (newestId === null) return;
  const filter: AccessFilter = { patientId: patient.id, from, to };
  let before: string | null = null;
  for (;;) {
    const rows: AccessRow[] = await pageOfAccesses(db, filter, { before, limit: rowsAtOnce, newestId });
    if (rows.length > 0) yield rows.map((row) => lineOf(words, row));
    const last = rows.at(-1);
    if (!last || rows.length < rowsAtOnce) return;
    before = String(last.id);
  }
}

/** Returns the period as text. */
export const periodOf = ({ from, to, words }: Pick<Extract, 'from' | 'to' | 'words'>): string => {
  if (from !== undefined && to !== undefined) return words.text('extractBetween', { from, to });
  if (from !== undefined) return words.text('extractFrom', { day: from });
  if (to !== undefined) return words.text('extractTo', { day: to });
  return words.text('extractWhole');
};
