import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type HubEvent, hubPath } from '../../contract/hub.ts';
import { runBackup } from '../../server/backup/run-backup.ts';
import { withBackupLock } from '../../server/db/backup-lock.ts';
import { connect, type Database } from '../../server/db/client.ts';
import { openExternal } from '../../server/db/open-database.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { runToEnd, startChild } from './child-server.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase, urlOf } from './database.ts';
import { type PgBouncer, startPgBouncer } from './pgbouncer.ts';
import { findProxy } from './proxy-program.ts';
import { runServer, signIn } from './running-server.ts';
import { smallObject } from './small-object.ts';
import { becomeAdministrator } from './started-servers.ts';

/* Debian's pgBouncer in transaction mode between the server and PostgreSQL. */

const findPgBouncer = async () =>
  process.env.DENTARIUM_TEST_DATABASE_URL
    ? 'pgBouncer is tested on the PostgreSQL of the tests only, not on that of DENTARIUM_TEST_DATABASE_URL'
    : findProxy('pgbouncer');

describe.each([{ found: await findPgBouncer() }])('behind pgBouncer in transaction mode', ({ found }) => {
  if (typeof found === 'string') return it.skip(found);
  let folder: string;
  let test: TestDatabase;
  let pooler: PgBouncer;
  const nameOf = ({ address }: TestDatabase) => address.database ?? '';
  /** As a server with both settings has it. */
  const pooled = (): Database => connect({ connectionString: pooler.urlOf(nameOf(test)) }, { direct: test.address });

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-pooled-'));
    test = await testDatabase();
    pooler = await startPgBouncer(found, test.address.host ?? '');
  });
  afterAll(async () => {
    await pooler?.close();
    await test?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('the program does not start without an address past the pooler, and names the setting', async () => {
    const { code, lines } = await runToEnd(['--port', '0', '--data', path.join(folder, 'deaf'), '--empty'], {
      DATABASE_URL: pooler.urlOf(nameOf(test)),
    });
    expect([code, lines.at(-1)]).toEqual([
      1,
      expect.stringMatching(/keeps no sessions.*DENTARIUM_DATABASE_DIRECT_URL/),
    ]);
  });

  it('rejects an address past the pooler that leads to another database', async () => {
    const open = openExternal(
      pooler.urlOf(nameOf(test)),
      { milliseconds: 0 },
      { directUrl: urlOf({ ...test.address, database: 'postgres' }) },
    );
    await expect(open).rejects.toThrow(/DENTARIUM_DATABASE_DIRECT_URL does not hear what DATABASE_URL notifies/);
  });

  it('the program migrates an empty database, and two nodes serve it, one of which ends', async () => {
    const name = `${nameOf(test)}_new`;
    const admin = connect({ ...test.address, database: 'postgres' }, { connections: 1 });
    await admin.pool.query(`create database "${name}" template template0 encoding 'UTF8'`);
    const environment = {
      DATABASE_URL: pooler.urlOf(name),
      DENTARIUM_DATABASE_DIRECT_URL: urlOf({ ...test.address, database: name }),
      DENTARIUM_PUBLIC_URL: 'http://localhost:9',
    };
    const data = path.join(folder, 'new');
    const first = await startChild(data, [], environment);
    const second = await startChild(data, [], environment);
    await becomeAdministrator(first);
    expect(await first.stop('SIGTERM')).toBe(0);
    expect((await fetch(`${second.url}/health/ready`)).status).toBe(200);
    // The public URL may change when no node is left: no lock stays behind with the pooler.
    expect(await second.stop('SIGTERM')).toBe(0);
    const third = await startChild(data, [], { ...environment, DENTARIUM_PUBLIC_URL: 'http://localhost:10' });
    expect(await third.stop('SIGTERM')).toBe(0);
    await admin.pool.query(`drop database "${name}" with (force)`);
    await admin.close();
  });

  describe('with an archive', () => {
    let database: Database;
    let archive: ArchiveUnderTest;

    beforeAll(async () => {
      database = pooled();
      archive = await archiveUnderTest(
        {},
        {
          database: { db: database.db, database, address: test.address, close: database.close },
          dataFolder: mkdtempSync(path.join(folder, 'archive-')),
          clinics: await addTwoClinics(test.db),
        },
      );
    });
    afterAll(() => archive?.close());

    it('imports, makes thumbnails, and writes a backup', async () => {
      const patientId = await archive.addPatient();
      const tasks = await Promise.all(
        [1, 2, 3, 4].map((task) =>
          archive.importAll(
            patientId,
            Object.fromEntries(
              [1, 2, 3, 4].map((index) => [
                `${index}.dcm`,
                smallObject({ SOPInstanceUID: `2.25.8${task}${index}`, StudyInstanceUID: `2.25.9${task}` }),
              ]),
            ),
          ),
        ),
      );
      expect(tasks.map(({ step, error }) => [step, error])).toEqual(tasks.map(() => [5, false]));
      await archive.archive.thumbnails.idle();
      await archive.archive.renditions.idle();
      const states = await test.db.selectFrom('image').select(['thumb_status', 'rendition_status']).execute();
      expect(states).toEqual(Array(16).fill({ thumb_status: 'ready', rendition_status: 'ready' }));
      const { backup } = await runBackup({
        database,
        root: path.join(archive.dataFolder, 'files'),
        to: path.join(folder, 'backups'),
        by: 'command',
        incremental: false,
        version: '0.0.0',
        dataFolder: archive.dataFolder,
        keepDays: null,
        bytesPerSecond: null,
        onProgress: () => undefined,
        now: () => new Date(),
        keepMs: 0,
        signal: new AbortController().signal,
      });
      expect([backup.files, backup.absent]).toEqual([16, []]);
      expect(archive.failures).toEqual([]);
    });

    it('a lock is held as long as its work, and no longer', async () => {
      const never = new AbortController().signal;
      const held = await withBackupLock(database.address, never, async () =>
        withBackupLock(database.address, never, async () => 'twice').catch((error: Error) => error.name),
      );
      expect(held).toBe('BackupInProgress');
      expect(await withBackupLock(database.address, never, async () => 'again')).toBe('again');
    });

    it('events reach browsers at another node', async () => {
      const nodes = [pooled(), pooled()];
      const { dataFolder } = archive;
      const [here, there] = await Promise.all(nodes.map((each) => runServer(each, { dataFolder })));
      if (!here || !there) throw new Error('no nodes');
      const { access_token: token } = await signIn(here.url, 'doctor@prov.example');
      const connection = new HubConnectionBuilder()
        .withUrl(`${here.url}${hubPath}`, { transport: HttpTransportType.WebSockets, accessTokenFactory: () => token })
        .configureLogging(LogLevel.None)
        .build();
      const received: unknown[] = [];
      connection.on('preparing', (body) => received.push(body));
      await connection.start();
      const event: HubEvent = { name: 'preparing', body: { taskId: '3f0a3c1e-6d0b-4d8e-9d55-0a6f6f6f6f6f' } };
      await there.hub.publish([`user:${archive.clinics.doctorId}`], event);
      await vi.waitFor(() => expect(received).toEqual([event.body]), 20_000);
      await connection.stop();
      await here.close();
      await there.close();
      for (const each of nodes) await each.close();
    });

    it('leaves nothing of a session behind in the connections of the pooler', async () => {
      const { rows } = await database.pool.query<{ name: string; setting: string }>(
        "select name, setting from pg_settings where source = 'session' and name not in ('client_encoding', 'application_name', 'DateStyle', 'TimeZone', 'standard_conforming_strings', 'session_authorization')",
      );
      expect(rows).toEqual([]);
      const locks = await test.database.pool.query("select from pg_locks where locktype = 'advisory' and granted");
      expect(locks.rowCount).toBe(0);
    });
  });
});
