import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { fuzzystrmatch } from '@electric-sql/pglite/contrib/fuzzystrmatch';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { pgDump } from '@electric-sql/pglite-tools/pg_dump';
import { Kysely, PGliteDialect, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Database } from '../../server/db/client.ts';
import { openEmbeddedPostgres } from '../../server/db/embedded-postgres.ts';
import { migrate } from '../../server/db/migrate.ts';
import type { Schema } from '../../server/db/schema.ts';
import { addClinic } from './clinic.ts';
import { testDatabase } from './database.ts';
import { contentsOf, fillTables } from './fill-tables.ts';
import { addImage, addPatient, addSeries, addStudy } from './gallery-clinic.ts';

/** PostgreSQL programs of this run; null for the bundled one, which has no pg_dump. */
const binFolder = process.env.DENTARIUM_TEST_POSTGRES_BIN ?? null;

const run = (program: string, args: readonly string[], input?: string): string => {
  const { status, stdout, stderr } = spawnSync(path.join(binFolder ?? '', program), args, {
    encoding: 'utf8',
    input,
    maxBuffer: 1e9,
  });
  expect({ program, status, stderr }).toEqual({ program, status: 0, stderr: '' });
  return stdout;
};

const emptyDatabase = async () => {
  const database = await testDatabase();
  for (const statement of ['drop schema public cascade', 'create schema public'])
    await sql.raw(statement).execute(database.db);
  return database;
};

/** Search, sort and counts must work: triggers and generated columns apply to rows inserted after the restore. */
const worksAfterRestore = async (db: Kysely<Schema>): Promise<void> => {
  expect(await migrate(db)).toEqual({ changed: false });
  const customerId = await addClinic(db, 'Łódź Åre');
  const clinic = await db
    .selectFrom('customer')
    .select('search_text')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow();
  expect(clinic.search_text).toBe(' lodz are');
  const patient = await addPatient(db, customerId, 'Žofia', 'Ødegård');
  const image = await addImage(db, customerId, await addSeries(db, await addStudy(db, patient)));
  const { rows } = await sql<{
    found: number;
  }>`select (select count(*)::int from patient_word where patient_id = ${patient.id})
    + (select count(*)::int from gallery_image where image_id = ${image}) as found`.execute(db);
  expect(rows[0]?.found).toBe(6);
};

describe.skipIf(binFolder === null)('a dump by the pg_dump of the installed PostgreSQL', () => {
  const connectionArgs = (database: Database) => [
    '-h',
    String(database.address.host),
    '-U',
    'postgres',
    '-d',
    String(database.address.database),
  ];

  it('restores every table unchanged with pg_restore', async () => {
    const [source, target] = [await testDatabase(), await emptyDatabase()];
    const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-dump-'));
    try {
      await fillTables(source.db);
      const file = path.join(folder, 'archive.dump');
      run('pg_dump', [...connectionArgs(source.database), '-Fc', '-f', file]);
      run('pg_restore', [...connectionArgs(target.database), '--clean', '--if-exists', '--exit-on-error', file]);
      expect(await contentsOf(target.db)).toEqual(await contentsOf(source.db));
      await worksAfterRestore(target.db);
    } finally {
      rmSync(folder, { recursive: true });
      await Promise.all([source.close(), target.close()]);
    }
  });

  it('restores every table unchanged into the bundled PostgreSQL', async () => {
    const source = await testDatabase();
    const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-dump-'));
    const bundled = await openEmbeddedPostgres({ folder: path.join(folder, 'database'), settings: ['fsync=off'] });
    const target = connect({ host: bundled.host, user: bundled.user, database: 'postgres' });
    try {
      await fillTables(source.db);
      const script = run('pg_dump', connectionArgs(source.database));
      run('psql', [...connectionArgs(target), '-q', '-v', 'ON_ERROR_STOP=1', '-o', '/dev/null'], script);
      expect(await contentsOf(target.db)).toEqual(await contentsOf(source.db));
      await worksAfterRestore(target.db);
    } finally {
      await target.close();
      await bundled.close();
      rmSync(folder, { recursive: true });
      await source.close();
    }
  });
});

describe.skipIf(binFolder !== null)('a dump by pg_dump 18', () => {
  let pglite: PGlite;
  let source: Kysely<Schema>;
  beforeAll(async () => {
    pglite = await PGlite.create({ extensions: { fuzzystrmatch, pg_trgm } });
    source = new Kysely<Schema>({ dialect: new PGliteDialect({ pglite }) });
    await migrate(source);
    await fillTables(source);
  });
  afterAll(() => pglite.close());

  it('restores every table unchanged into the bundled PostgreSQL', async () => {
    const expected = await contentsOf(source);
    const dump = await (await pgDump({ pg: pglite })).text();
    const target = await emptyDatabase();
    try {
      const client = await target.database.pool.connect();
      // Lines that start with a backslash are psql commands.
      await client.query(dump.replaceAll(/^\\(un)?restrict .*$/gm, '')).finally(() => client.release(true));
      expect(await contentsOf(target.db)).toEqual(expected);
      await worksAfterRestore(target.db);
    } finally {
      await target.close();
    }
  });
});

it('has no function that depends on the search path of its caller', async () => {
  const { db, close } = await testDatabase();
  try {
    const { rows } = await sql`select proname from pg_proc join pg_language on pg_language.oid = prolang
      where pronamespace = 'public'::regnamespace and lanname <> 'c' and prosqlbody is null
        and not coalesce(array_to_string(proconfig, ' ') like '%search_path=%', false)`.execute(db);
    expect(rows).toEqual([]);
  } finally {
    await close();
  }
});
