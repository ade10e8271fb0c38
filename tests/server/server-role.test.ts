import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Address, connect, type Database } from '../../server/db/client.ts';
import type { Schema } from '../../server/db/schema.ts';
import { canAlterLog, grantServerRights } from '../../server/db/server-role.ts';
import { insertAccesses } from '../../server/db/stores/access-log.ts';
import { removeAccessesBefore, sealAccesses } from '../../server/db/stores/access-log-seals.ts';
import { newKey } from '../../server/domain/named-key.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { bearer, runServer, signIn } from './running-server.ts';

const role = `server_${randomUUID().slice(0, 8)}`;
const never = new AbortController().signal;
const key = newKey();

let owner: TestDatabase;
let restricted: Database;

const asRole = (address: Address): Address => {
  if (!address.connectionString) return { ...address, user: role };
  const url = new URL(address.connectionString);
  url.username = role;
  return { connectionString: url.href };
};
const db = (): Kysely<Schema> => restricted.db;

beforeAll(async () => {
  owner = await testDatabase();
  await addTwoClinics(owner.db);
  await sql`create role ${sql.id(role)} login`.execute(owner.db);
  await grantServerRights(owner.db, role);
  restricted = connect(asRole(owner.address));
});
afterAll(async () => {
  await restricted.close();
  await sql`drop owned by ${sql.id(role)}`.execute(owner.db);
  await sql`drop role ${sql.id(role)}`.execute(owner.db);
  await owner.close();
});

const yearsAgo = (years: number): Date => {
  const at = new Date();
  at.setUTCFullYear(at.getUTCFullYear() - years);
  return at;
};
const add = (at: Date) =>
  insertAccesses(db(), [
    { at, accountId: null, customerId: null, patientId: null, objectId: null, action: 'sign-out' },
  ]);

describe('the role of the server', () => {
  it('seals the log, and removes only what is past its retention', async () => {
    await add(yearsAgo(6));
    await sealAccesses(db(), key, never);
    await add(new Date());
    await sealAccesses(db(), key, never);
    expect(await removeAccessesBefore(db(), yearsAgo(5), never)).toBe(1);
    await expect(sql`select access_log_remove(0, 1000000)`.execute(db())).rejects.toThrow('never rewritten');
  });

  it('serves: it signs users in, writes records and the access log', async () => {
    // Started here: its first run of the retention job would race with the test above.
    const server = await runServer(restricted);
    onTestFinished(() => server.close());
    const tokens = await signIn(server.url, 'admin@prov.example');
    const reply = await fetch(`${server.url}/api/AccessLog?action=sign-in`, { headers: bearer(tokens) });
    expect([reply.status, (await reply.json()).data.length]).toEqual([200, 1]);
  });

  it.each([
    ['change an entry', `update access_log set action = 'sign-in'`],
    ['delete an old entry', `delete from access_log where at < now() - interval '6 years'`],
    ['empty the log', 'truncate access_log'],
    ['change a seal', `update access_log_seal set hash = 'x'`],
    ['delete a seal', 'delete from access_log_seal'],
    ['disable a trigger', 'alter table access_log disable trigger all'],
    ['skip triggers', 'set session_replication_role = replica'],
    ['drop a trigger', 'drop trigger access_log_kept on access_log'],
    [
      'replace a function',
      `create or replace function access_log_stays() returns trigger language plpgsql as $$ begin return old; end $$`,
    ],
    ['create a table', 'create table public.own (id int)'],
    ['drop a table', 'drop table image'],
    ['mark a migration', `insert into kysely_migration (name, timestamp) values ('x', 'x')`],
    ['become somebody else', 'set role postgres'],
  ])('cannot %s', async (_, statement) => {
    await expect(sql.raw(statement).execute(db())).rejects.toThrow(/permission denied|must be owner/);
  });

  it('is told from one that owns the tables', async () => {
    expect([await canAlterLog(db()), await canAlterLog(owner.db)]).toEqual([false, true]);
  });
});
