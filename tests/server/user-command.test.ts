import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signInAttempts } from '../../server/identity/attempts.ts';
import { newSharedKey } from '../../server/identity/totp.ts';
import { archiveCommand } from './archive-command.ts';
import { addTwoClinics, password } from './clinic.ts';
import { type TestDatabase, testDatabase, urlOf } from './database.ts';
import { bearer, dataFolderOf, type RunningServer, requestTokens, runServer, signIn } from './running-server.ts';
import { becomeAdministrator, startedServers } from './started-servers.ts';

const email = 'doctor@prov.example';
const chosen = 'Another-2026!';
const openidScope = { scope: 'openid offline_access api.read' };

describe('on a database of DATABASE_URL', () => {
  let database: TestDatabase;
  let server: RunningServer | null;
  let clinics: Awaited<ReturnType<typeof addTwoClinics>>;

  beforeEach(async () => {
    database = await testDatabase();
    clinics = await addTwoClinics(database.db);
    server = await runServer(database.database);
  });
  afterEach(async () => {
    await server?.close();
    await database.close();
  });

  const environment = () => ({
    DENTARIUM_DATA: dataFolderOf(database.database),
    DATABASE_URL: urlOf(database.address),
  });
  const command = async (args: readonly string[], input?: string) => {
    const { code, stdout, stderr } = await archiveCommand([...args, '--json'], environment(), input);
    return { code, stderr, result: stdout ? JSON.parse(stdout) : null };
  };
  const url = () => server?.url ?? '';
  const statusOf = async (tokens: Awaited<ReturnType<typeof signIn>>, route = '/api/Account/info') =>
    (await fetch(`${url()}${route}`, { headers: bearer(tokens) })).status;
  const passwordStatus = async (given: string) =>
    (await requestTokens(url(), { grant_type: 'password', username: email, password: given, ...openidScope })).status;
  const logged = () =>
    database.db
      .selectFrom('access_log')
      .select(['action', 'account_id', 'customer_id', 'object_id', 'detail'])
      .where('account_id', 'is', null)
      .orderBy('id')
      .execute();

  it('sets a password from stdin by the rules of the product, ends the sessions and logs it for the clinic', async () => {
    const tokens = await signIn(url(), email);
    expect(await command(['user', 'set-password', '--email', 'DOCTOR@prov.example'], `${chosen}\n`)).toMatchObject({
      code: 0,
      result: { email, state: 'active' },
    });
    expect(await statusOf(tokens)).toBe(401);
    expect([await passwordStatus(password), await passwordStatus(chosen)]).toEqual([400, 200]);
    expect(await logged()).toEqual([
      {
        action: 'user.password-set',
        account_id: null,
        customer_id: clinics.customerId,
        object_id: clinics.doctorId,
        detail: `Anna Prov <${email}>`,
      },
    ]);
  });

  it('says what it has done', async () => {
    const { stdout } = await archiveCommand(['user', 'unlock', '--email', email], environment());
    expect(stdout).toContain(`email: ${email}\n`);
    expect(stdout).toMatch(/\nThe user can sign in at once\.\n$/);
  });

  it('creates no archive where there is none', async () => {
    const empty = mkdtempSync(path.join(os.tmpdir(), 'dentarium-no-archive-'));
    const ran = await archiveCommand(['user', 'list'], { DATABASE_URL: '', DENTARIUM_DATA: empty });
    expect([ran.code, ran.stderr]).toEqual([
      1,
      expect.stringContaining(`There is no archive in ${empty}: mount its disk`),
    ]);
    expect(readdirSync(empty)).toEqual([]);
    rmSync(empty, { recursive: true });
  });

  it('rejects a password that breaks rules, names them, and changes nothing', async () => {
    const tokens = await signIn(url(), email);
    const { code, stderr } = await command(['user', 'set-password', '--email', email], 'short\n');
    expect([code, stderr]).toEqual([
      1,
      'The password needs 6 to 100 characters, a digit, an uppercase letter, a character that is no letter and no digit: nothing was changed\n',
    ]);
    expect(await statusOf(tokens)).toBe(200);
    expect(await logged()).toEqual([]);
  });

  it('makes an inactive user of a clinic a super administrator, who has the rights with the next sign-in', async () => {
    const tokens = await signIn(url(), email);
    expect(await statusOf(tokens, '/api/Account/users/all')).toBe(403);
    await database.db.updateTable('account').set({ is_active: false }).where('id', '=', clinics.doctorId).execute();
    expect(await command(['user', 'super-administrator', '--email', email])).toMatchObject({
      code: 0,
      result: { role: 'SuperAdmin', clinic: null, state: 'active' },
    });
    expect(await statusOf(tokens)).toBe(401);
    expect(await statusOf(await signIn(url(), email), '/api/Account/users/all')).toBe(200);
    expect((await logged()).map(({ action, detail }) => [action, detail])).toEqual([
      ['user.edited', `Anna Prov <${email}>: Doctor → SuperAdmin`],
      ['user.activated', `Anna Prov <${email}>`],
    ]);
  });

  it('turns two-factor off with its recovery codes, and ends the sessions', async () => {
    const tokens = await signIn(url(), email);
    const own = { account_id: clinics.doctorId, code_hash: randomUUID(), used_at: null };
    await database.db.insertInto('recovery_code').values(own).execute();
    await database.db
      .updateTable('account')
      .set({ two_factor_key: newSharedKey() })
      .where('id', '=', clinics.doctorId)
      .execute();
    expect(await passwordStatus(password)).toBe(400);
    expect(await command(['user', 'reset-two-factor', '--email', email])).toMatchObject({
      code: 0,
      result: { twoFactor: false },
    });
    expect(await statusOf(tokens)).toBe(401);
    expect(await passwordStatus(password)).toBe(200);
    expect(await database.db.selectFrom('recovery_code').selectAll().execute()).toEqual([]);
    expect((await logged()).map(({ action }) => action)).toEqual(['two-factor.disabled']);
  });

  it('unlocks a user after wrong passwords, also while no server runs', async () => {
    await signInAttempts(database.db).begin(email, '10.0.0.1');
    const until = new Date(Date.now() + 300_000);
    await database.db.updateTable('sign_in_attempt').set({ failures: 9, blocked_until: until }).execute();
    expect(await passwordStatus(password)).toBe(429);
    const { result } = await command(['user', 'list']);
    expect(result.users.find((user: { email: string }) => user.email === email).state).toBe(
      'waits after wrong passwords',
    );
    await server?.close();
    server = null;
    expect((await command(['user', 'unlock', '--email', email])).code).toBe(0);
    server = await runServer(database.database);
    expect(await passwordStatus(password)).toBe(200);
    expect((await logged()).map(({ action }) => action)).toContain('user.unlocked');
  });

  it('rejects unknown users and wrong usage with one sentence', async () => {
    const refusals: [readonly string[], number, unknown][] = [
      [
        ['user', 'unlock', '--email', 'none@prov.example'],
        1,
        'There is no user with the e-mail address none@prov.example\n',
      ],
      [['user', 'unlock'], 2, 'user unlock needs --email EMAIL\n'],
      [['user', 'list', '--email', email], 2, 'user list lists all users: it has no --email\n'],
      [['user', 'promote', '--email', email], 2, expect.stringContaining('There is no action "promote"')],
      [['user'], 2, expect.stringContaining('An action is missing')],
      [['user', 'set-password', chosen, '--email', email], 2, expect.stringContaining('is one argument too many')],
    ];
    for (const [args, code, stderr] of refusals) expect(await command(args)).toMatchObject({ code, stderr });
    expect(await logged()).toEqual([]);
  });
});

describe('on the embedded database', () => {
  const { inFolder, start, stop } = startedServers();
  const own = 'first@prov.example';

  it('changes users of a running server and of a stopped one', async () => {
    const child = await start();
    await becomeAdministrator(child);
    const tokens = await signIn(child.url, own);
    const environment = { DENTARIUM_DATA: inFolder() };
    const setting = ['user', 'set-password', '--email', own];
    expect((await archiveCommand(setting, environment, `${chosen}\n`)).code).toBe(0);
    expect((await fetch(`${child.url}/api/Account/info`, { headers: bearer(tokens) })).status).toBe(401);
    await stop(child, 'SIGTERM');
    expect((await archiveCommand(setting, environment, `${password}\n`)).code).toBe(0);
    const { code, stdout } = await archiveCommand(['user', 'list'], environment);
    expect([code, stdout]).toEqual([0, `${own}\tEva Först\tSuperAdmin\tno clinic\tpassword only\tactive\n`]);
    const again = await start();
    expect((await signIn(again.url, own)).access_token).toBeTruthy();
  });
});

it('name the program in their usage as a checkout or a package calls it', async () => {
  for (const name of [
    'backup',
    'restore',
    'verify',
    'quarantine',
    'user',
    'keys',
    'doctor',
    'move-database',
    'move-files',
  ]) {
    const inCheckout = await archiveCommand([name, '--help']);
    expect([inCheckout.code, inCheckout.stdout]).toEqual([0, expect.stringContaining(`npm run archive -- ${name}`)]);
    const installed = await archiveCommand([name, '--help'], { DENTARIUM_PROGRAM: 'dentarium' });
    expect(installed.stdout).toMatch(new RegExp(`^Usage: dentarium ${name}`));
    expect(installed.stdout).not.toContain('npm run');
  }
});
