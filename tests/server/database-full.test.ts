import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openid } from '../../contract/sign-in.ts';
import { addTwoClinics, password } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type RunningServer, requestTokens, runServer, signIn } from './running-server.ts';

let database: TestDatabase;
let server: RunningServer;
beforeAll(async () => {
  database = await testDatabase();
  await addTwoClinics(database.db);
  server = await runServer(database.database);
});
afterAll(async () => {
  await server.close();
  await database.close();
});

test('answers sign-in and renewal with 503 while the database has no disk space, and the session continues afterwards', async () => {
  const tokens = await signIn(server.url, 'doctor@prov.example');
  const signInFields = { grant_type: 'password', username: 'doctor@prov.example', password, scope: openid.scope };
  const renewal = {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token ?? '',
    [openid.attemptParameter]: 'a-secret-of-twenty-characters',
  };
  await sql`create function disk_full() returns trigger language plpgsql as
    $$ begin raise exception using errcode = 'disk_full'; end $$`.execute(database.db);
  await sql`create trigger disk_full before insert or update on oidc execute function disk_full()`.execute(database.db);
  for (const form of [signInFields, renewal]) {
    const reply = await requestTokens(server.url, form);
    expect([reply.status, reply.headers.get('retry-after'), await reply.json()]).toEqual([
      503,
      '2',
      { error: 'temporarily_unavailable', error_description: 'storage-full' },
    ]);
  }
  await sql`drop trigger disk_full on oidc`.execute(database.db);
  await sql`drop function disk_full`.execute(database.db);
  expect((await requestTokens(server.url, renewal)).status).toBe(200);
  expect((await requestTokens(server.url, signInFields)).status).toBe(200);
});
