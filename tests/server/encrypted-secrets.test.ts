import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openid, type TokenReply } from '../../contract/sign-in.ts';
import type { Schema } from '../../server/db/schema.ts';
import { changeMasterKey, discardSecrets, encryptSecrets } from '../../server/db/stores/encrypted-secrets.ts';
import { announceNode } from '../../server/db/stores/nodes.ts';
import { ensureSecret } from '../../server/db/stores/secret-store.ts';
import { createVault, SecretsLocked } from '../../server/db/vault.ts';
import { newKey } from '../../server/domain/named-key.ts';
import { readGenerations } from '../../server/identity/key-generations.ts';
import { codeOf } from './authenticator.ts';
import { password } from './clinic.ts';
import { bearer, requestTokens, runServer, signIn } from './running-server.ts';
import { later, twoFactorUnderTest } from './two-factor-under-test.ts';
import { masterKeyUnderTest, vaultUnderTest } from './vault-under-test.ts';

type Db = Kysely<Schema>;

/** Every value of every table as text: what a copy of the database shows. */
const copyOf = async (db: Db): Promise<string> => {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = current_schema()`.execute(db);
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const all = sql<{ text: string }>`select row_to_json(t)::text as text from ${sql.table(name)} t`;
      const { rows } = await all.execute(db);
      return rows.map(({ text }) => text).join('\n');
    }),
  );
  return texts.join('\n');
};

const grantOf = ({ access_token }: TokenReply) => String(decodeJwt(access_token).grant);
const callStatus = async (tokens: TokenReply, url: string) =>
  (await fetch(`${url}/api/Account/info`, { headers: bearer(tokens) })).status;

describe('a copy of the database', () => {
  const bench = twoFactorUnderTest();
  const db = () => bench.database.db;

  it('reveals no signing key, cookie key, two-factor key or session', async () => {
    const { key, first } = await bench.withTwoFactor();
    const generations = await readGenerations(db(), vaultUnderTest());
    const linkKey = await ensureSecret(db(), vaultUnderTest(), 'thumbnail-links', () => 'unused');
    const copy = await copyOf(db());
    expect(generations.length).toBeGreaterThan(0);
    const secrets = [...generations.flatMap(({ jwk, cookie }) => [jwk.d, cookie]), linkKey, key, grantOf(first)];
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(20);
      expect(copy).not.toContain(secret);
    }
  });

  it('opens with the right master key only', async () => {
    await expect(readGenerations(db(), createVault(newKey()))).rejects.toThrow(SecretsLocked);
  });

  it('shows a secret only where it was written', async () => {
    const vault = vaultUnderTest();
    const sealed = await vault.seal(db(), 'one', 'secret');
    expect(await vault.open(db(), 'one', sealed)).toBe('secret');
    await expect(vault.open(db(), 'another', sealed)).rejects.toThrow();
  });
});

describe('secrets of an earlier version', () => {
  const bench = twoFactorUnderTest();
  const db = () => bench.database.db;

  /** Leaves only the signing keys, as earlier versions stored them. Returns the private part of the first. */
  const storePlain = async () => {
    const generations = await readGenerations(db(), vaultUnderTest());
    await db().transaction().execute(discardSecrets);
    const value = JSON.stringify(generations);
    await db().insertInto('secret').values({ name: 'signing-keys', value }).execute();
    return String(generations[0]?.jwk.d);
  };

  it('stay readable for nodes of that version while one runs, and are encrypted afterwards', async () => {
    const privateKey = await storePlain();
    await sql`insert into node (id, name, version) values (gen_random_uuid(), 'older', '0.1.0')`.execute(db());
    const upgraded = vaultUnderTest();
    await encryptSecrets(db(), upgraded);
    expect(await copyOf(db())).toContain(privateKey);
    expect(await upgraded.seal(db(), 'any', 'plain')).toBe('plain');

    await db().deleteFrom('node').where('name', '=', 'older').execute();
    await encryptSecrets(db(), upgraded);
    expect(await copyOf(db())).not.toContain(privateKey);
    expect((await readGenerations(db(), upgraded))[0]?.jwk.d).toBe(privateKey);
  });

  it('are encrypted by two nodes at once with one key', async () => {
    await storePlain();
    const vaults = [vaultUnderTest(), vaultUnderTest()];
    await Promise.all(vaults.map((vault) => encryptSecrets(db(), vault)));
    const [one, other] = await Promise.all(vaults.map((vault) => readGenerations(db(), vault)));
    expect(one).toEqual(other);
  });

  it('wait for no node that reads encrypted ones', async () => {
    await storePlain();
    await announceNode(db(), { id: randomUUID(), name: 'other', version: '0.0.0', roles: 'both' });
    expect(await vaultUnderTest().enable(db())).toBe(true);
  });
});

describe('a new master key', () => {
  const bench = twoFactorUnderTest();
  const db = () => bench.database.db;

  it('keeps sessions, two-factor keys and links, and voids the earlier one', async () => {
    const { email, key } = await bench.withTwoFactor();
    const tokens = await signIn(bench.running.url, 'doctor@prov.example');
    const next = newKey();
    await db()
      .transaction()
      .execute((transaction) => changeMasterKey(transaction, masterKeyUnderTest, next));
    await expect(readGenerations(db(), vaultUnderTest())).rejects.toThrow(SecretsLocked);
    const node = await runServer(bench.database.database, { vault: createVault(next) });
    try {
      expect(await callStatus(tokens, node.url)).toBe(200);
      later();
      const fields = { grant_type: 'password', username: email, password, scope: openid.scope, code: codeOf(key) };
      expect((await requestTokens(node.url, fields)).status).toBe(200);
    } finally {
      await node.close();
      await db()
        .transaction()
        .execute((transaction) => changeMasterKey(transaction, next, masterKeyUnderTest));
    }
  });
});

describe('a lost master key', () => {
  const bench = twoFactorUnderTest();
  const db = () => bench.database.db;

  it('costs sessions and two-factor authentication, and nothing else', async () => {
    const { email, id, first } = await bench.withTwoFactor();
    const changed = await db().transaction().execute(discardSecrets);
    expect(changed.map((user) => user.id)).toContain(id);
    const node = await runServer(bench.database.database, { vault: createVault(newKey()) });
    try {
      expect(await callStatus(first, node.url)).toBe(401);
      expect(await callStatus(await signIn(node.url, email), node.url)).toBe(200);
    } finally {
      await node.close();
    }
  });
});
