import { sql } from 'kysely';

const intactFile = (table: 'image' | 'waiting') => sql<boolean>`not exists (
  select 1 from stored_file_fault where stored_file_fault.sha256 = ${sql.ref(`${table}.sha256`)})`;

/** Jobs skip images whose file is recorded as damaged or missing. */
export const hasIntactFile = intactFile('image');
export const waitingHasIntactFile = intactFile('waiting');
