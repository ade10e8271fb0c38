import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimPublicUrl } from '../../server/db/public-url-claim.ts';
import { keyOfText, newKey, textOfKey } from '../../server/domain/named-key.ts';
import { openVault } from '../../server/secrets/open-vault.ts';
import { archiveCommand } from './archive-command.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase, urlOf } from './database.ts';
import { bearer, dataFolderOf, type RunningServer, runServer, signIn } from './running-server.ts';

const email = 'doctor@prov.example';

let database: TestDatabase;
let server: RunningServer | null;

const masterKeyFile = () => path.join(dataFolderOf(database.database), 'master.key');
/** A server with the master key in its data folder. */
const start = async () => {
  server = await runServer(database.database, { vault: await openVault(database.db, { file: masterKeyFile() }) });
};
const stop = async () => {
  await server?.close();
  server = null;
};

beforeEach(async () => {
  database = await testDatabase();
  await addTwoClinics(database.db);
  await start();
});
afterEach(async () => {
  await stop();
  await database.close();
});

const url = () => server?.url ?? '';
const keys = async (args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
  const environment = { DENTARIUM_DATA: dataFolderOf(database.database), DATABASE_URL: urlOf(database.address) };
  const { code, stdout, stderr } = await archiveCommand(['keys', ...args, '--json'], { ...environment, ...more });
  return { code, stderr, result: stdout ? JSON.parse(stdout) : null };
};
const statusOf = async (tokens: Awaited<ReturnType<typeof signIn>>) =>
  (await fetch(`${url()}/api/Account/info`, { headers: bearer(tokens) })).status;
const logOf = async (action: string) => {
  const own = await signIn(url(), 'super@prov.example');
  return (await (await fetch(`${url()}/api/AccessLog?action=${action}`, { headers: bearer(own) })).json()).data;
};
const idOf = async (file: string) => keyOfText(await readFile(file, 'utf8'))?.id;

describe('keys rotate', () => {
  it('rotates the signing key of a running server without ending a session, and shows it in the log', async () => {
    const tokens = await signIn(url(), email);
    const { code, result } = await keys(['rotate']);
    expect([code, result.olderKeys]).toEqual([0, 'still accepted']);
    expect(await statusOf(tokens)).toBe(200);
    await stop();
    await start();
    const published = await (await fetch(`${url()}/.well-known/openid-configuration/jwks`)).json();
    expect(published.keys.map(({ kid }: { kid: string }) => kid)).toContain(result.key);
    const [header = ''] = (await signIn(url(), email)).access_token.split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString()).kid).toBe(result.key);
    expect(await statusOf(tokens)).toBe(200);
    expect(await logOf('signing-key.rotated')).toMatchObject([{ account: null, clinic: null }]);
  });
});

describe('keys change-master', () => {
  it('is refused while a server runs, and changes nothing', async () => {
    const before = await readFile(masterKeyFile(), 'utf8');
    const claim = await claimPublicUrl(database.address, 'http://localhost', { onLost: () => undefined });
    expect(await keys(['change-master'])).toMatchObject({
      code: 1,
      stderr: 'A server uses the database of this installation: stop all servers first\n',
    });
    await claim.close();
    expect(await readFile(masterKeyFile(), 'utf8')).toBe(before);
  });

  it('replaces the file; users stay signed in, and the earlier key stays for earlier backups', async () => {
    const tokens = await signIn(url(), email);
    const earlier = await idOf(masterKeyFile());
    await stop();
    const { code, result } = await keys(['change-master']);
    expect([code, result.file]).toEqual([0, masterKeyFile()]);
    expect(result.masterKey).not.toBe(earlier);
    expect([await idOf(masterKeyFile()), await idOf(result.earlier)]).toEqual([result.masterKey, earlier]);
    await start();
    expect(await statusOf(tokens)).toBe(200);
    expect(await logOf('master-key.changed')).toMatchObject([{ account: null, clinic: null }]);
  });

  it('writes the new key to a file for a key from a setting', async () => {
    await stop();
    const setting = { DENTARIUM_MASTER_KEY: await readFile(masterKeyFile(), 'utf8') };
    const to = path.join(dataFolderOf(database.database), 'next.key');
    expect((await keys(['change-master'], setting)).stderr).toContain('needs --to FILE');
    const { code, result } = await keys(['change-master', '--to', to], setting);
    expect([code, result]).toEqual([0, { masterKey: await idOf(to), file: to }]);
    expect((await keys(['rotate'], setting)).stderr).toContain(`the master key ${result.masterKey}, but`);
    expect((await keys(['rotate'], { DENTARIUM_MASTER_KEY: await readFile(to, 'utf8') })).code).toBe(0);
  });
});

describe('keys discard', () => {
  it('is refused while the master key is there, whatever is wrong with its file', async () => {
    const id = await idOf(masterKeyFile());
    await stop();
    expect(await keys(['discard'])).toMatchObject({
      code: 1,
      stderr: `The master key ${id} is there: nothing is discarded\n`,
    });
    await writeFile(masterKeyFile(), 'damaged');
    expect((await keys(['discard'])).stderr).toContain('is not a master key');
  });

  it('leaves passkeys with the recovery codes of their users, and does not name these', async () => {
    await stop();
    const account = await database.db
      .updateTable('account')
      .set({ two_factor_key: 'encrypted:0123456789abcdef:x' })
      .where('email', '=', email)
      .returning('id')
      .executeTakeFirstOrThrow();
    const account_id = account.id;
    await database.db
      .insertInto('passkey')
      .values({
        account_id,
        name: 'Office',
        credential_id: 'a',
        public_key: Buffer.from('b'),
        counter: 0,
        transports: [],
      })
      .execute();
    await database.db.insertInto('recovery_code').values({ account_id, code_hash: 'c' }).execute();
    await writeFile(masterKeyFile(), textOfKey(newKey()));
    expect(await keys(['discard'])).toMatchObject({ code: 0, result: { withoutTwoFactor: [] } });
    const codes = await database.db
      .selectFrom('recovery_code')
      .where('account_id', '=', account_id)
      .selectAll()
      .execute();
    expect(codes).toHaveLength(1);
    await database.db.deleteFrom('passkey').execute();
    await start();
  });

  it('lets the server start after the key is lost, and names the users without two-factor authentication', async () => {
    await stop();
    await database.db
      .updateTable('account')
      .set({ two_factor_key: 'encrypted:0123456789abcdef:x' })
      .where('email', '=', email)
      .execute();
    const lost = await idOf(masterKeyFile());
    await writeFile(masterKeyFile(), textOfKey(newKey()));
    await expect(start()).rejects.toThrow(`master key ${lost}`);
    expect(await keys(['discard'])).toMatchObject({ code: 0, result: { lostKey: lost, withoutTwoFactor: [email] } });
    await start();
    expect(await statusOf(await signIn(url(), email))).toBe(200);
    expect(await logOf('master-key.discarded')).toMatchObject([{ account: null, clinic: null }]);
    expect(await logOf('two-factor.disabled')).toMatchObject([{ account: null, detail: email }]);
  });
});

it('rejects wrong usage with one sentence', async () => {
  const refusals: [readonly string[], string][] = [
    [[], 'keys has the actions rotate, change-master, discard\n'],
    [['renew'], 'keys has the actions rotate, change-master, discard\n'],
    [['discard', '--distrust'], '--distrust belongs to keys rotate\n'],
    [['rotate', '--to', 'x'], '--to belongs to keys change-master\n'],
  ];
  for (const [args, stderr] of refusals) expect(await keys(args)).toMatchObject({ code: 2, stderr });
  await stop();
  expect(await keys(['change-master', '--to', 'x'])).toMatchObject({
    code: 2,
    stderr: `change-master has no --to, as the key is in ${masterKeyFile()}\n`,
  });
});
