import { randomUUID } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { readPostmaster, superuser } from '../../server/db/postmaster.ts';
import { insertPatients } from './names.ts';

const batch = 50_000;

/** A connection to PostgreSQL or PGlite. */
export interface Connection {
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

/** A connection to the database that the program runs in a data folder. */
export const openDatabaseOf = async (dataFolder: string): Promise<pg.Client> => {
  const socket = readPostmaster(path.join(dataFolder, 'database'))?.socketFolder;
  if (!socket) throw new Error(`no database runs in ${dataFolder}`);
  const client = new pg.Client({ host: socket, user: superuser, database: 'dentarium' });
  await client.connect();
  return client;
};

export const addClinics = async (client: Connection, count: number): Promise<string[]> => {
  const ids = Array.from({ length: count }, () => randomUUID());
  await client.query("insert into customer (id, name) select id, 'Bench' from unnest($1::uuid[]) as id", [ids]);
  return ids;
};

/**
 * Spreads patients evenly over clinics. Triggers are disabled, and the search words are written as by an update to this version. Resolves
 * with patients a second.
 */
export const addPatients = async (client: Connection, clinics: readonly string[], count: number): Promise<number> => {
  await client.query('create temporary table if not exists bench_clinic (n int primary key, id uuid)');
  await client.query('truncate bench_clinic');
  await client.query(
    'insert into bench_clinic select n - 1, id from unnest($1::uuid[]) with ordinality as each (id, n)',
    [clinics],
  );
  const customer = `(select id from bench_clinic where bench_clinic.n = person.n % ${clinics.length})`;
  const began = performance.now();
  await client.query("set session_replication_role = 'replica'");
  for (let from = 1; from <= count; from += batch)
    await client.query(insertPatients(customer, from, Math.min(from + batch - 1, count)));
  await client.query(`insert into patient_word (customer_id, place, word, names, patient_id, start)
    select customer_id, found.place, found.word, found.names, id, found.start
    from patient, patient_words(search_text, last_words, search_digits) as found
    where customer_id in (select id from bench_clinic) order by 1, 2, 3, 4`);
  await client.query(`insert into patient_name_word (customer_id, word)
    select distinct customer_id, word from patient_word where place < 2 and customer_id in (select id from bench_clinic)`);
  await client.query("set session_replication_role = 'origin'");
  const seconds = (performance.now() - began) / 1000;
  await client.query('vacuum analyze patient');
  await client.query('vacuum analyze patient_word');
  await client.query('vacuum analyze patient_name_word');
  return count / seconds;
};

/** A clinic whose patients have the same names and numbers in every database that it is added to. Resolves with patients a second, too. */
export const addSameClinic = async (
  client: Connection,
  patients: number,
): Promise<{ readonly customerId: string; readonly rate: number }> => {
  const [customerId = ''] = await addClinics(client, 1);
  await client.query('select setseed(0.5)');
  return { customerId, rate: await addPatients(client, [customerId], patients) };
};
