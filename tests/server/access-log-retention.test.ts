import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anchorLine, readAnchors } from '../../server/access-log/anchor.ts';
import { AlteredLog, pruneAccessLog, startLogRetention } from '../../server/access-log/retention.ts';
import { readConfig } from '../../server/config.ts';
import { connect } from '../../server/db/client.ts';
import { migrate } from '../../server/db/migrate.ts';
import { migrations } from '../../server/db/migrations.ts';
import type { Schema } from '../../server/db/schema.ts';
import { insertAccesses } from '../../server/db/stores/access-log.ts';
import { pageOfAccesses } from '../../server/db/stores/access-log-pages.ts';
import { newestSealOf, sealAccesses, sealFaults, sealsUnlike } from '../../server/db/stores/access-log-seals.ts';
import { type NamedKey, newKey } from '../../server/domain/named-key.ts';
import { StartupError } from '../../server/startup-error.ts';
import { type TestDatabase, testDatabase } from './database.ts';

let database: TestDatabase;
const key = newKey();
const never = new AbortController().signal;
const years = (count: number) => {
  const at = new Date();
  at.setUTCFullYear(at.getUTCFullYear() - count);
  return at;
};
const add = (...moments: Date[]) =>
  insertAccesses(
    database.db,
    moments.map((at) => ({
      at,
      accountId: null,
      customerId: null,
      patientId: null,
      objectId: null,
      action: 'sign-out' as const,
    })),
  );
const count = async () =>
  Number(
    (
      await database.db
        .selectFrom('access_log')
        .select((row) => row.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  );
const faultsOf = (db: Kysely<Schema>, withKey: NamedKey | null = key) => sealFaults(db, withKey, years(5), never);
const brokenSeals = async (db: Kysely<Schema>) => (await faultsOf(db)).broken;
/** Changes entries as a database superuser could, after removing the triggers. */
const tamper = async (statement: string) => {
  await sql.raw('alter table access_log disable trigger all').execute(database.db);
  await sql.raw(statement).execute(database.db);
  for (const trigger of ['access_log_never_updated', 'access_log_never_truncated', 'access_log_kept'])
    await sql.raw(`alter table access_log enable always trigger ${trigger}`).execute(database.db);
};

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await tamper('truncate access_log');
  await sql.raw('alter table access_log_seal disable trigger all').execute(database.db);
  await sql.raw('truncate access_log_seal').execute(database.db);
  for (const trigger of ['access_log_seal_stays', 'access_log_seal_never_truncated'])
    await sql.raw(`alter table access_log_seal enable always trigger ${trigger}`).execute(database.db);
});

describe('the database', () => {
  test.each([
    ['rejects an update of any entry', `update access_log set action = 'sign-in'`],
    [
      'rejects an update of old entries',
      `update access_log set action = 'sign-in' where at < now() - interval '6 years'`,
    ],
    ['rejects truncation', 'truncate access_log'],
    ['rejects truncation by cascade', 'truncate access_log cascade'],
    [
      'rejects the deletion of entries younger than five years',
      `delete from access_log where at > now() - interval '6 years'`,
    ],
    ['changes no seal', `update access_log_seal set hash = 'x'`],
    ['rejects the deletion of seals', 'delete from access_log_seal'],
    ['keeps its seals', 'truncate access_log_seal'],
  ])('%s', async (_, statement) => {
    await add(new Date(), years(4), years(7));
    await sealAccesses(database.db, key, never);
    for (const role of ['origin', 'replica'])
      await expect(
        database.db.transaction().execute(async (transaction) => {
          await sql.raw(`set local session_replication_role = ${role}`).execute(transaction);
          await sql.raw(statement).execute(transaction);
        }),
      ).rejects.toThrow('never rewritten');
    expect(await count()).toBe(3);
  });

  test('deletes entries older than five years', async () => {
    await add(new Date(), years(6));
    await sql`delete from access_log where at < now() - interval '5 years'`.execute(database.db);
    expect(await count()).toBe(1);
  });
});

test('seals the existing entries of an older archive', async () => {
  const name = `old_${randomUUID().replaceAll('-', '')}`;
  await sql.raw(`create database "${name}" template template0 encoding 'UTF8'`).execute(database.db);
  const { connectionString } = database.address;
  const there = new URL(connectionString ?? 'postgres://unused');
  there.pathname = `/${name}`;
  const old = connect(connectionString ? { connectionString: there.href } : { ...database.address, database: name }, {
    connections: 2,
  });
  try {
    const known = Object.entries(migrations).filter(([migration]) => migration < '010');
    await migrate(old.db, Object.fromEntries(known));
    await sql`insert into access_log (account_id, customer_id, patient_id, action, object_id)
      values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'patient.opened', null)`.execute(old.db);
    await migrate(old.db);
    await expect(sql`update access_log set action = 'sign-in'`.execute(old.db)).rejects.toThrow('never rewritten');
    const seal = await sealAccesses(old.db, key, never);
    expect(seal?.hash).toMatch(/^[\da-f]{64}$/);
    const [entry] = await pageOfAccesses(old.db, {}, { before: null, limit: 10 });
    expect(entry).toMatchObject({ action: 'patient.opened', role: null, account_name: null });
  } finally {
    await old.close();
    await sql.raw(`drop database "${name}" with (force)`).execute(database.db);
  }
});

describe('the retention period', () => {
  test('deletes only expired, sealed entries', async () => {
    await add(years(12), years(11));
    await sealAccesses(database.db, key, never);
    await add(years(9), new Date());
    await sealAccesses(database.db, key, never);
    expect(await pruneAccessLog({ db: database.db, key, years: 10 })).toBe(2);
    expect(await count()).toBe(2);
    expect(await pruneAccessLog({ db: database.db, key, years: 10 })).toBe(0);
  });

  test('deletes a sealed range only as a whole', async () => {
    await add(years(12), years(9));
    expect(await pruneAccessLog({ db: database.db, key, years: 10 })).toBe(0);
    await sealAccesses(database.db, key, never);
    expect(await pruneAccessLog({ db: database.db, key, years: 10 })).toBe(0);
    expect(await count()).toBe(2);
  });

  test('may be extended again: entries deleted under a shorter period are not reported as missing', async () => {
    await add(years(6));
    await sealAccesses(database.db, key, never);
    expect(await pruneAccessLog({ db: database.db, key, years: 5 })).toBe(1);
    await add(new Date());
    await sealAccesses(database.db, key, never);
    expect(await pruneAccessLog({ db: database.db, key, years: 10 })).toBe(0);
  });

  test('is a setting of at least five years', () => {
    const yearsOf = (text?: string) =>
      readConfig(text === undefined ? {} : { DENTARIUM_ACCESS_LOG_YEARS: text }, {}).accessLogYears;
    expect(yearsOf()).toBe(10);
    expect(yearsOf('5')).toBe(5);
    for (const text of ['4', '-1', '7.5', 'long']) {
      expect(() => yearsOf(text)).toThrow(StartupError);
      expect(() => yearsOf(text)).toThrow('DENTARIUM_ACCESS_LOG_YEARS');
    }
  });
});

describe('seals', () => {
  const sealed = async () => {
    for (let run = 0; run < 3; run += 1) {
      await add(...Array.from({ length: 4 }, (_, index) => new Date(Date.now() - 1000 * (20 - 4 * run - index))));
      await sealAccesses(database.db, key, never);
    }
    return database.db.selectFrom('access_log_seal').selectAll().orderBy('id').execute();
  };

  test('match unchanged entries, including new ones', async () => {
    const seals = await sealed();
    expect(seals.map(({ entries }) => entries)).toEqual([4, 4, 4]);
    expect(seals[1]?.previous_hash).toBe(seals[0]?.hash);
    await add(new Date());
    expect(await brokenSeals(database.db)).toEqual([]);
  });

  test.each([
    [
      'changed',
      'update access_log set account_id = gen_random_uuid() where id = (select from_id from access_log_seal order by id offset 1 limit 1)',
    ],
    [
      'moved in time',
      `update access_log set at = at + interval '1 microsecond' where id = (select until_id from access_log_seal order by id offset 1 limit 1)`,
    ],
    [
      'removed',
      'delete from access_log where id = (select until_id from access_log_seal order by id offset 1 limit 1)',
    ],
    [
      'removed with all of its seal',
      'delete from access_log using access_log_seal seal where access_log.id between from_id and until_id and seal.id = (select id from access_log_seal order by id offset 1 limit 1)',
    ],
  ])('reveal an entry that was %s', async (_, statement) => {
    const [, second] = await sealed();
    await tamper(statement);
    expect(await brokenSeals(database.db)).toEqual([second?.id]);
    await expect(pruneAccessLog({ db: database.db, key, years: 10 })).rejects.toThrow(AlteredLog);
  });

  test('reveal a seal that was recomputed for changed entries: the next seal does not match', async () => {
    const [first] = await sealed();
    await tamper(`update access_log set action = 'sign-in' where id = ${first?.from_id}`);
    const { db } = database;
    await sql.raw('alter table access_log_seal disable trigger all').execute(db);
    await sql`update access_log_seal set hash = 'made anew' where id = ${first?.id}`.execute(db);
    const broken = await brokenSeals(db);
    expect(broken.length).toBeGreaterThan(0);
  });

  test('reveal entries whose seals were all computed again, without their key', async () => {
    const seals = await sealed();
    await tamper(`update access_log set action = 'sign-in' where id = ${seals[0]?.from_id}`);
    const { db } = database;
    await sql.raw('alter table access_log_seal disable trigger all').execute(db);
    await db.deleteFrom('access_log_seal').execute();
    await sealAccesses(db, newKey(), never);
    // With the id of the true key, which the forger knows, or without.
    const forgedWith = async (keyId: string | null) => {
      await db.updateTable('access_log_seal').set({ key_id: keyId }).execute();
      return faultsOf(db);
    };
    const [{ id } = { id: 0 }] = await db.selectFrom('access_log_seal').select('id').execute();
    expect(await forgedWith(key.id)).toEqual({ broken: [id], withoutKey: 0 });
    expect(await forgedWith(null)).toEqual({ broken: [], withoutKey: 1 });
  });

  test('reveal a changed address', async () => {
    await insertAccesses(database.db, [
      {
        at: new Date(),
        accountId: null,
        customerId: null,
        patientId: null,
        objectId: null,
        action: 'sign-in',
        address: '192.0.2.1',
      },
    ]);
    const seal = await sealAccesses(database.db, key, never);
    expect(await brokenSeals(database.db)).toEqual([]);
    await tamper(`update access_log set address = '192.0.2.2'`);
    expect(await brokenSeals(database.db)).toEqual([seal?.id]);
  });

  test('reveal that the mac of a later one was removed', async () => {
    const [, , last] = await sealed();
    const { db } = database;
    await sql.raw('alter table access_log_seal disable trigger all').execute(db);
    await sql`update access_log_seal set mac = null, key_id = null where id = ${last?.id}`.execute(db);
    expect(await brokenSeals(db)).toEqual([last?.id]);
  });

  test('of versions without a key may precede, and none may follow', async () => {
    const { db } = database;
    const [first] = await sealed();
    await sql.raw('alter table access_log_seal disable trigger all').execute(db);
    await db.deleteFrom('access_log_seal').where('id', '<>', Number(first?.id)).execute();
    await sql`update access_log_seal set mac = null, key_id = null`.execute(db);
    await sql.raw('alter table access_log_seal enable trigger all').execute(db);
    await sealAccesses(db, key, never);
    expect(await faultsOf(db)).toEqual({ broken: [], withoutKey: 0 });
    const ofOlder = { from_id: 900, until_id: 901, entries: 1, newest_at: new Date(), previous_hash: 'x', hash: 'y' };
    await expect(db.insertInto('access_log_seal').values(ofOlder).execute()).rejects.toThrow(
      'seals of the access log have a key',
    );
  });

  test('are counted as without key when that is not there', async () => {
    await sealed();
    for (const other of [null, newKey()])
      expect(await faultsOf(database.db, other)).toEqual({ broken: [], withoutKey: 3 });
  });

  test('of a lost key are covered by the next one with a key', async () => {
    await sealed();
    const next = newKey();
    await add(new Date());
    await sealAccesses(database.db, next, never);
    expect(await faultsOf(database.db, next)).toEqual({ broken: [], withoutKey: 0 });
  });

  test('that are gone or differ are revealed by anchors, which were kept elsewhere', async () => {
    const { db } = database;
    await sealed();
    const kept = await newestSealOf(db);
    const anchors = readAnchors(`\n${kept && anchorLine(kept)}\n`);
    expect(anchors).toEqual([kept]);
    expect(await sealsUnlike(db, anchors ?? [])).toEqual([]);
    await sql.raw('alter table access_log_seal disable trigger all').execute(db);
    await sql`update access_log_seal set mac = 'another' where id = ${kept?.id}`.execute(db);
    expect(await sealsUnlike(db, anchors ?? [])).toEqual([kept?.id]);
    await db.deleteFrom('access_log_seal').execute();
    expect(await sealsUnlike(db, anchors ?? [])).toEqual([kept?.id]);
    for (const text of ['x', '{"seal":1}', `${kept && anchorLine(kept)}\nx`]) expect(readAnchors(text)).toBeNull();
  });

  test('include entries whose id was assigned before sealing but committed after', async () => {
    const { db } = database;
    await add(new Date());
    let inserted = () => {};
    let commit = () => {};
    const isInserted = new Promise<void>((resolve) => {
      inserted = resolve;
    });
    const mayCommit = new Promise<void>((resolve) => {
      commit = resolve;
    });
    const slow = db.transaction().execute(async (transaction) => {
      await insertAccesses(transaction, [
        { at: new Date(), accountId: null, customerId: null, patientId: null, objectId: null, action: 'sign-in' },
      ]);
      inserted();
      await mayCommit;
    });
    await isInserted;
    // Sealing waits for open writers, but gives up before it blocks readers for long.
    await expect(sealAccesses(db, key, never)).rejects.toThrow(/lock timeout/);
    commit();
    await slow;
    await sealAccesses(db, key, never);
    const seals = await db.selectFrom('access_log_seal').select('entries').execute();
    expect(seals.reduce((sum, { entries }) => sum + entries, 0)).toBe(await count());
    expect(await brokenSeals(db)).toEqual([]);
  });

  test('are made by one node at a time, each entry once', async () => {
    await add(...Array.from({ length: 50 }, () => new Date()));
    await Promise.all(Array.from({ length: 4 }, () => sealAccesses(database.db, key, never)));
    const seals = await database.db.selectFrom('access_log_seal').selectAll().orderBy('id').execute();
    expect(seals.reduce((sum, { entries }) => sum + entries, 0)).toBe(50);
    expect(await brokenSeals(database.db)).toEqual([]);
  });

  test('are reported to the external log, and so is an altered log', async () => {
    await add(new Date());
    const reported: string[] = [];
    const first = await new Promise<{ id: number; hash: string }>((resolve, reject) => {
      const job = startLogRetention({
        db: database.db,
        key,
        years: 10,
        onFailure: reject,
        onSealed: (seal) => {
          reported.push(seal.hash);
          void job.close().then(() => resolve(seal));
        },
      });
    });
    expect(first.hash).toMatch(/^[\da-f]{64}$/);
    await tamper(`update access_log set action = 'sign-in'`);
    const failure = await new Promise<unknown>((resolve) => {
      const job = startLogRetention({
        db: database.db,
        key,
        years: 10,
        onSealed: () => undefined,
        onFailure: (error) => void job.close().then(() => resolve(error)),
      });
    });
    expect(failure).toBeInstanceOf(AlteredLog);
  });
});
