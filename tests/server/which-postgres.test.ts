import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { findPostgres } from '../../server/db/postgres-binaries.ts';
import { testDatabase } from './database.ts';

it('runs on the PostgreSQL configured for this run', async () => {
  const binFolder = process.env.DENTARIUM_TEST_POSTGRES_BIN;
  const version = binFolder && spawnSync(path.join(binFolder, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout;
  const expected = version ? /(\d+)\./.exec(version)?.[1] : findPostgres().major;
  const database = await testDatabase();
  const { rows } = await sql<{ server_version: string }>`show server_version`.execute(database.db);
  await database.close();
  expect(rows[0]?.server_version.split('.')[0]).toBe(expected);
});
