import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import {
  type AccessFilter,
  type AccessRow,
  type LogPatient,
  newestAccess,
  pageOfAccesses,
} from '../db/stores/access-log-pages.ts';
import type { LogWords } from './log-words.ts';
import { stockholmTime } from './stockholm-time.ts';

/** What an extract says about itself. */
export interface Extract {
  readonly patient: LogPatient;
  /** Days `YYYY-MM-DD`, both included; undefined: as far as the log reaches. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly madeAt: Date;
  /** Name of the person who asked for it. */
  readonly madeBy: string;
  readonly words: LogWords;
}

/** One entry as a patient reads it. */
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

const lineOf = (words: LogWords, row: AccessRow): ExtractLine => ({
  time: stockholmTime(row.at),
  utc: row.at.toISOString(),
  who: row.account_name ?? words.text(row.account_id === null ? 'nobody' : 'gone'),
  role: words.role(row.role),
  // Whoever may use every clinic sits at none of them.
  unit: row.role === 'SuperAdmin' ? words.text('extractNoUnit') : (row.customer_name ?? ''),
  did: words.action(row.action),
});

/** The entries about the patient that there were when it was asked for, newest first, a few hundred at a time. */
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

/** The period in words. */
export const periodOf = ({ from, to, words }: Pick<Extract, 'from' | 'to' | 'words'>): string => {
  if (from !== undefined && to !== undefined) return words.text('extractBetween', { from, to });
  if (from !== undefined) return words.text('extractFrom', { day: from });
  if (to !== undefined) return words.text('extractTo', { day: to });
  return words.text('extractWhole');
};
