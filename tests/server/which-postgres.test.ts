import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { findPostgres } from '../../server/db/postgres-binaries.ts';
import { testDatabase } from './database.ts';

it('runs on the PostgreSQL that this run was given', async () => {
  const bin = process.env.DENTARIUM_TEST_POSTGRES_BIN;
  const version = bin && spawnSync(path.join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout;
  const wanted = version ? /(\d+)\./.exec(version)?.[1] : findPostgres().major;
  const database = await testDatabase();
  const { rows } = await sql<{ server_version: string }>`show server_version`.execute(database.db);
  await database.close();
  expect(rows[0]?.server_version.split('.')[0]).toBe(wanted);
});
