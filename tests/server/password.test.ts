import { randomBytes, scryptSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProblemError } from '../../server/domain/problem-error.ts';
import { passwordCheckOf } from '../../server/identity/check-password.ts';
import { inHashingQueue } from '../../server/identity/hashing-queue.ts';
import { hashPassword, isOutdated, verifyPassword } from '../../server/identity/password.ts';
import { networkOf } from '../../server/web/network-of.ts';
import { addAccount, addTwoClinics, password } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { holdBlocks } from './hold-blocks.ts';

/** Inputs of the hash function, and how many ran concurrently. */
const work = vi.hoisted(() => ({ done: [] as string[], now: 0, most: 0 }));

vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  type Done = (error: Error | null, key: Buffer) => void;
  const counted = (name: string, done: Done): Done => {
    work.now += 1;
    work.most = Math.max(work.most, work.now);
    return (error, key) => {
      work.now -= 1;
      work.done.push(name);
      done(error, key);
    };
  };
  const argon2 = (kind: 'argon2id', input: Parameters<typeof crypto.argon2>[1], done: Done) =>
    crypto.argon2(kind, input, counted(`${kind} ${input.memory} ${input.passes} ${input.parallelism}`, done));
  const scrypt = (
    text: Buffer,
    salt: Buffer,
    length: number,
    options: { N: number; r: number; p: number },
    done: Done,
  ) => crypto.scrypt(text, salt, length, options, counted(`scrypt ${options.N} ${options.r} ${options.p}`, done));
  return { ...crypto, argon2, scrypt };
});

const current = 'argon2id 19456 2 1';
const older = 'scrypt 32768 8 3';

/** The earlier format of the archive. */
const olderHash = (text: string): string => {
  const salt = randomBytes(16);
  const key = scryptSync(text, salt, 32, { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 26 });
  return `scrypt$15$8$3$${salt.toString('base64url')}$${key.toString('base64url')}`;
};

let database: TestDatabase;
let customerId: string;
beforeAll(async () => {
  database = await testDatabase();
  customerId = (await addTwoClinics(database.db)).customerId;
  await addAccount(database.db, { email: 'gone@prov.example', role: 'Doctor', customerId, isActive: false });
});
beforeEach(async () => {
  await database.db.deleteFrom('sign_in_attempt').execute();
  Object.assign(work, { done: [], most: 0 });
});
afterAll(() => database?.close());

const workOf = async (act: () => Promise<unknown>): Promise<string[]> => {
  work.done = [];
  await act();
  return [...work.done].sort();
};
const check = (email: string, text: string, address = '192.0.2.1') =>
  passwordCheckOf(database.db).checkPassword({ email, password: text, address });
const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'accepted',
    (error: unknown) => (error instanceof ProblemError ? error.code : String(error)),
  );
const hashOf = async (email: string): Promise<string> =>
  (await database.db.selectFrom('account').select('password_hash').where('email', '=', email).executeTakeFirstOrThrow())
    .password_hash;
const setHash = (email: string, hash: string) =>
  database.db.updateTable('account').set({ password_hash: hash }).where('email', '=', email).execute();

describe('a hash', () => {
  it('is argon2id with the OWASP parameters in PHC format, and always different', async () => {
    const [one, two] = [await hashPassword(password), await hashPassword(password)];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(one).not.toBe(two);
    expect(isOutdated(one)).toBe(false);
    expect(await verifyPassword(password, one)).toBe(true);
    expect(await verifyPassword(`${password} `, one)).toBe(false);
  });

  it('equals that of the reference implementation', async () => {
    // argon2 (P-H-C/phc-winner-argon2), test.c: version 19, argon2id, t 2, m 2^16, p 1, "password", "somesalt".
    const stored = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
    expect(await verifyPassword('password', stored)).toBe(true);
    expect(await verifyPassword('passwore', stored)).toBe(false);
    expect(isOutdated(stored)).toBe(true);
  });

  it('is the same for composed and decomposed characters', async () => {
    expect(await verifyPassword('Ångström-1'.normalize('NFD'), await hashPassword('Ångström-1'.normalize('NFC')))).toBe(
      true,
    );
  });

  it('that is malformed matches no password', async () => {
    for (const stored of ['', 'x', '$argon2id$v=19$m=1$x', `scrypt$15$8$3$$`])
      expect(await verifyPassword('', stored)).toBe(false);
  });
});

describe('a hash in the earlier format', () => {
  const email = 'doctor@prov.example';
  afterEach(async () => setHash(email, await hashPassword(password)));

  it('still works, and is replaced at the next sign-in', async () => {
    const stored = olderHash(password);
    await setHash(email, stored);
    expect(await codeOf(check(email, 'Wrong-2026!'))).toBe('incorrect-login');
    expect(await hashOf(email)).toBe(stored);
    expect((await check(email, password)).email).toBe(email);
    const renewed = await hashOf(email);
    expect(renewed).toMatch(/^\$argon2id\$/);
    expect(await codeOf(check(email, password))).toBe('accepted');
    expect(await hashOf(email)).toBe(renewed);
  });

  it('never replaces a password that was changed meanwhile', async () => {
    await setHash(email, olderHash(password));
    const changed = await hashPassword('Another-2026!');
    const signingIn = check(email, password);
    await vi.waitUntil(() => work.now > 0, { timeout: 20_000, interval: 1 });
    await setHash(email, changed);
    await signingIn;
    expect(await hashOf(email)).toBe(changed);
  });
});

describe('a failed sign-in costs the same work', () => {
  const wrongPassword = 'Wrong-2026!';
  const names = ['doctor@prov.example', 'nobody@prov.example', 'gone@prov.example'];

  it('for every name: known, unknown or inactive', async () => {
    for (const name of names)
      expect([name, await workOf(() => codeOf(check(name, wrongPassword)))]).toEqual([name, [current]]);
  });

  it('for every name while hashes in the earlier format exist', async () => {
    await setHash('admin@prov.example', olderHash(password));
    for (const name of [...names, 'admin@prov.example'])
      expect([name, await workOf(() => codeOf(check(name, wrongPassword)))]).toEqual([name, [current, older]]);
    await setHash('admin@prov.example', await hashPassword(password));
    expect(await workOf(() => codeOf(check('nobody@prov.example', wrongPassword)))).toEqual([current]);
  });

  it('and is logged without the entered name', async () => {
    const before = await database.db.selectFrom('access_log').select('id').execute();
    for (const name of names) await codeOf(check(name, wrongPassword));
    await codeOf(check('gone@prov.example', password));
    const entries = (await database.db.selectFrom('access_log').selectAll().orderBy('id').execute()).slice(
      before.length,
    );
    expect(entries.map(({ action, detail, account_id }) => [action, detail, account_id !== null])).toEqual([
      ['sign-in.refused', 'incorrect-login', true],
      ['sign-in.refused', 'incorrect-login', false],
      ['sign-in.refused', 'incorrect-login', true],
      ['sign-in.refused', 'account-inactive', true],
    ]);
    expect(JSON.stringify(entries)).not.toContain('nobody@');
  });
});

describe('guessing', () => {
  it('is blocked for an account from any address, whether or not it exists', async () => {
    for (const name of ['doctor@prov.example', 'nobody@prov.example']) {
      const codes = await Promise.all(
        Array.from({ length: 8 }, (_, index) => codeOf(check(name, `Guess-${index}!`, `192.0.2.${index}`))),
      );
      expect(codes.filter((code) => code === 'incorrect-login')).toHaveLength(5);
      expect(codes.filter((code) => code === 'too-many-requests')).toHaveLength(3);
      await holdBlocks(database.db);
      expect(await codeOf(check(name, password, '192.0.2.99'))).toBe('too-many-requests');
    }
    expect(await codeOf(check('admin@prov.example', password, '192.0.2.0'))).toBe('accepted');
  });

  it('is blocked for an address, whatever the names', async () => {
    const codes: string[] = [];
    for (let index = 0; index < 30; index += 1)
      codes.push(await codeOf(check(`name${index}@prov.example`, 'Guess-2026!', '198.51.100.1')));
    expect(codes.every((code) => code === 'incorrect-login')).toBe(true);
    await holdBlocks(database.db);
    expect(await codeOf(check('doctor@prov.example', password, '198.51.100.1'))).toBe('too-many-requests');
    expect(await codeOf(check('doctor@prov.example', password, '198.51.100.2'))).toBe('accepted');
  });

  it('is blocked for a whole IPv6 network, which belongs to one customer', async () => {
    expect(networkOf('2001:db8:0:17::1')).toBe('2001:db8:0:17::/64');
    expect(networkOf('2001:0DB8::17:1:2:3:4%eth0')).toBe('2001:db8:0:17::/64');
    expect(networkOf('2001:db8:0:18::1')).not.toBe(networkOf('2001:db8:0:17::1'));
    expect(networkOf('::1')).toBe('0:0:0:0::/64');
    expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7');
    expect(networkOf('192.0.2.7')).toBe('192.0.2.7');
    for (let index = 0; index < 30; index += 1)
      await codeOf(check(`six${index}@prov.example`, 'Guess-2026!', `2001:db8:0:17::${index.toString(16)}`));
    await holdBlocks(database.db);
    expect(await codeOf(check('doctor@prov.example', password, '2001:db8:0:17:ffff::1'))).toBe('too-many-requests');
    expect(await codeOf(check('doctor@prov.example', password, '2001:db8:0:18::1'))).toBe('accepted');
  });

  it('is delayed longer each time, and reset by the correct password', async () => {
    const waits: number[] = [];
    for (let index = 0; index < 9; index += 1) {
      await codeOf(check('doctor@prov.example', 'Guess-2026!', `203.0.113.${index}`));
      const row = await database.db
        .selectFrom('sign_in_attempt')
        .selectAll()
        .orderBy('failures', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow();
      waits.push(Math.round((row.blocked_until.getTime() - (row.last_at as Date).getTime()) / 1000));
      await database.db
        .updateTable('sign_in_attempt')
        .set({ blocked_until: new Date(0) })
        .execute();
    }
    expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16]);
    expect(await codeOf(check('doctor@prov.example', password))).toBe('accepted');
    for (let index = 0; index < 4; index += 1)
      expect(await codeOf(check('doctor@prov.example', 'Guess-2026!'))).toBe('incorrect-login');
    expect(await codeOf(check('doctor@prov.example', password))).toBe('accepted');
  });
});

describe('hashing', () => {
  it('leaves threads to file I/O: two at a time, and a file is read while others wait', async () => {
    let left = 24;
    const hashes = Array.from({ length: left }, () =>
      hashPassword(password).finally(() => {
        left -= 1;
      }),
    );
    await readFile(import.meta.filename);
    expect(left).toBeGreaterThan(12);
    await Promise.all(hashes);
    expect(work.most).toBe(2);
  });

  it('rejects requests beyond the queue limit, and continues afterwards', async () => {
    const gate = Promise.withResolvers<void>();
    const jobs = Array.from({ length: 210 }, () => codeOf(inHashingQueue(() => gate.promise)));
    gate.resolve();
    const ends = await Promise.all(jobs);
    expect(ends.filter((end) => end === 'accepted')).toHaveLength(202);
    expect(ends.filter((end) => end === 'too-many-requests')).toHaveLength(8);
    expect(await codeOf(inHashingQueue(async () => 'again'))).toBe('accepted');
  });

  it('continues after an error', async () => {
    const failures = Array.from({ length: 5 }, () => codeOf(inHashingQueue(() => Promise.reject(new Error('no')))));
    expect(await Promise.all(failures)).toEqual(Array(5).fill('Error: no'));
    expect(await codeOf(inHashingQueue(async () => 'again'))).toBe('accepted');
  });
});
