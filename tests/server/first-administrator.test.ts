import { afterAll, beforeAll, expect, it } from 'vitest';
import { welcome } from '../../contract/about.ts';
import { firstAdministrator } from '../../contract/account.ts';
import { ensureBuiltInRoles } from '../../server/db/stores/role-store.ts';
import { firstAdministratorOf } from '../../server/identity/first-administrator.ts';
import { password } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { bearer, type RunningServer, runServer, signIn } from './running-server.ts';

let database: TestDatabase;
let running: RunningServer;

beforeAll(async () => {
  database = await testDatabase();
  await ensureBuiltInRoles(database.db);
  running = await runServer(database.database);
});
afterAll(async () => {
  await running?.close();
  await database?.close();
});

const request = (key: string, email = 'first@prov.example') =>
  fetch(`${running.url}${firstAdministrator.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      key,
      email,
      firstName: 'Eva',
      lastName: 'Först',
      password,
      organisationName: 'Första kliniken',
    }),
  });
const isAwaited = async () => (await (await fetch(`${running.url}${welcome.path}`)).json()).awaitsFirstAdministrator;

it('admits the holder of any printed key, once for all of them', async () => {
  const first = firstAdministratorOf(database.db);
  expect(await isAwaited()).toBe(false);
  const dropped = (await first.newKey()) ?? '';
  // Two nodes that start at once print one key each.
  const [key = '', other = ''] = await Promise.all([first.newKey(), first.newKey()]);
  for (let restart = 0; restart < 14; restart += 1) await first.newKey();
  expect(await isAwaited()).toBe(true);
  expect(JSON.stringify(await database.db.selectFrom('secret').selectAll().execute())).not.toContain(key);

  expect((await request(dropped)).status).toBe(410);
  expect((await request('x'.repeat(32))).status).toBe(410);
  const replies = await Promise.all([request(key ?? ''), request(other ?? '', 'second@prov.example')]);
  expect(replies.map((reply) => reply.status).sort()).toEqual([200, 410]);
  expect((await request(key ?? '')).status).toBe(410);
  expect((await request(other ?? '')).status).toBe(410);
  expect(await isAwaited()).toBe(false);
  expect(await first.newKey()).toBeNull();

  const [account, ...others] = await database.db.selectFrom('account').select('email').execute();
  expect(others).toEqual([]);
  const tokens = await signIn(running.url, account?.email ?? '');
  const clinics = await fetch(`${running.url}/api/Customer/get_all`, { headers: bearer(tokens) });
  expect(await clinics.json()).toMatchObject({ totalCount: 1, data: [{ name: 'Första kliniken' }] });
});
