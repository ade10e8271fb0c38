import type { ClientBase, Pool } from 'pg';

/** Counts of the records in an archive, for messages. */
export interface ArchiveCounts {
  readonly clinics: number;
  readonly users: number;
  readonly patients: number;
  readonly images: number;
  /** When the newest image was imported; null without images. */
  readonly newestImage: string | null;
}

const noCounts: ArchiveCounts = { clinics: 0, users: 0, patients: 0, images: 0, newestImage: null };

/** Returns what the database holds; zeros when it has no tables yet. */
export const archiveCounts = async (client: Pick<ClientBase | Pool, 'query'>): Promise<ArchiveCounts> => {
  const { rows: tables } = await client.query<{ found: string | null }>("select to_regclass('image')::text as found");
  if (!tables[0]?.found) return noCounts;
  const { rows } = await client.query<ArchiveCounts>(`
    select (select count(*)::int from customer) as clinics, (select count(*)::int from account) as users,
      (select count(*)::int from patient) as patients, (select count(*)::int from image) as images,
      (select to_char(max(created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') from image) as "newestImage"`);
  return rows[0] ?? noCounts;
};
