import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AutomaticBackupParts, createAutomaticBackup } from '../../server/backup/automatic-backup.ts';
import { backupWarnings } from '../../server/backup/backup-warnings.ts';
import { backupsIn } from '../../server/backup/layout.ts';
import { checkBackup, openBackup } from '../../server/backup/read-backup.ts';
import { connect } from '../../server/db/client.ts';
import { archiveMark } from '../../server/db/stores/archive-mark.ts';
import { newestGoodBackup, runningBackupSince } from '../../server/db/stores/backup-runs.ts';
import { archiveCommand } from './archive-command.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { urlOf } from './database.ts';
import { smallObject } from './small-object.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const never = new AbortController().signal;

let archive: ArchiveUnderTest;
let to: string;
let clock: Date;
beforeAll(async () => {
  archive = await archiveUnderTest();
  const object = (number: number) => smallObject({ SOPInstanceUID: `2.25.7${number}`, StudyInstanceUID: '2.25.8' });
  await archive.importAll(await archive.addPatient(), { 'one.dcm': object(1), 'two.dcm': object(2) });
});
afterAll(() => archive.close());
beforeEach(async () => {
  await archive.db.deleteFrom('backup_run').execute();
  clock = new Date(2026, 10, 24, 14, 0);
  // Beside the data folder, on the same disk: an administrator has prepared it.
  to = path.join(await mkdtemp(path.join(os.tmpdir(), 'dentarium-automatic-')), 'backups');
  await mkdir(to);
  await writeFile(path.join(to, 'archive-id'), `${await archiveMark(archive.db)}\n`);
  return () => rm(path.dirname(to), { recursive: true });
});

const later = (milliseconds: number) => {
  clock = new Date(clock.getTime() + milliseconds);
};
const node = (extra: Partial<AutomaticBackupParts> & { readonly keepDays?: number; bytesPerSecond?: number } = {}) =>
  createAutomaticBackup({
    database: archive.database.database,
    root: path.join(archive.dataFolder, 'files'),
    dataFolder: archive.dataFolder,
    version: '0.0.0',
    keepMs: 1e9,
    settings: {
      folder: to,
      at: { hour: 2, minute: 30 },
      keepDays: extra.keepDays ?? 30,
      bytesPerSecond: extra.bytesPerSecond ?? 1e12,
    },
    now: () => clock,
    onDone: () => undefined,
    onFailure: () => undefined,
    ...extra,
  });
const complete = async () => (await backupsIn(to)).complete;
const runs = async () => {
  const rows = await archive.db.selectFrom('backup_run').selectAll().orderBy('started_at').execute();
  return rows.map(({ result, error }) => (error === null ? result : `${result}: ${error}`));
};
const warnings = () => backupWarnings(archive.db, { folder: to }, () => clock)();
/** Gives backups other names, so that one that follows within a second has another one. */
const dated = async (name: string, date: string) => rename(path.join(to, name), path.join(to, date));
const only = async () => {
  const [name = '', ...more] = await complete();
  expect(more).toEqual([]);
  return name;
};

describe('the schedule', () => {
  it('makes up for a missed backup at once, then makes one a day', async () => {
    await node().round(never);
    expect(await runs()).toEqual(['good']);
    await dated(await only(), '2020-01-01T00-00-00Z');
    later(12 * 60 * minute);
    await node().round(never);
    expect(await runs()).toEqual(['good']);
    later(60 * minute);
    await node().round(never);
    expect(await runs()).toEqual(['good', 'good']);
    expect(await newestGoodBackup(archive.db)).toMatchObject({ files: 2, absent: 0, is_automatic: true, folder: to });
    const newest = await openBackup(path.join(to, (await complete()).at(-1) ?? ''), () => Promise.reject());
    expect(await checkBackup(newest, { full: true, onProgress: () => undefined })).toEqual([]);
  });

  it('makes one backup when two nodes have it', async () => {
    const second = connect(archive.database.address);
    const nodes = [node(), node({ database: second })];
    for (let time = 0; time < 3; time++) await Promise.all(nodes.map(({ round }) => round(never)));
    await second.close();
    expect(await runs()).toEqual(['good']);
    expect(await complete()).toHaveLength(1);
  });

  it('continues a backup that a closing server has interrupted, which does not count before', async () => {
    const closing = new AbortController();
    const slow = node({ bytesPerSecond: 1 }).round(closing.signal);
    slow.catch(() => undefined);
    await expect.poll(() => runningBackupSince(archive.db)).not.toBeNull();
    closing.abort(new Error('the server is closing'));
    await expect(slow).rejects.toThrow();
    expect([await runs(), await complete(), await runningBackupSince(archive.db)]).toEqual([['cancelled'], [], null]);
    await node().round(never);
    expect([await runs(), await backupsIn(to)]).toMatchObject([['cancelled', 'good'], { partial: [] }]);
  });

  it('records a backup whose process ended without a word', async () => {
    const row = {
      id: crypto.randomUUID(),
      started_at: clock,
      result: 'running',
      is_automatic: true,
      folder: to,
    } as const;
    await archive.db.insertInto('backup_run').values(row).execute();
    expect(await runningBackupSince(archive.db)).toBeNull();
    later(minute);
    await node().round(never);
    expect(await runs()).toEqual(['failed: interrupted', 'good']);
  });
});

describe('the folder of backups', () => {
  it('gets no backup when its disk is not mounted; the warning ends with the next good backup', async () => {
    await node().round(never);
    const disk = `${to}-disk`;
    await rename(to, disk);
    await mkdir(to);
    later(day);
    await expect(node().round(never)).rejects.toThrow(`${to} had backups of this archive, but is now another folder`);
    expect(await readdir(to)).toEqual([]);
    expect(await warnings()).toMatchObject([{ kind: 'backup', error: 'target-unmarked', since: clock.toISOString() }]);
    await rm(to, { recursive: true });
    later(5 * minute);
    await expect(node().round(never)).rejects.toThrow();
    await expect(readdir(to)).rejects.toThrow('ENOENT');
    await rename(disk, to);
    await dated(await only(), '2020-01-01T00-00-00Z');
    later(10 * minute);
    await node().round(never);
    expect(await runs()).toEqual(['good', 'failed: target-unmarked', 'failed: target-unmarked', 'good']);
    expect(await warnings()).toEqual([]);
  });

  it('is not begun by the schedule on the disk of the system or of the data', async () => {
    await rm(path.join(to, 'archive-id'));
    await expect(node().round(never)).rejects.toThrow(`${to} is on the disk of the system or of the data`);
    await rm(to, { recursive: true });
    later(5 * minute);
    await expect(node().round(never)).rejects.toThrow(`${to} does not exist`);
    await expect(readdir(to)).rejects.toThrow('ENOENT');
    expect(await runs()).toEqual(['failed: target-unprepared', 'failed: target-absent']);
  });

  it('is neither one of another archive nor inside the data folder', async () => {
    await writeFile(path.join(to, 'archive-id'), 'another archive\n');
    await expect(node().round(never)).rejects.toThrow('has backups of another archive');
    later(minute);
    await symlink(archive.dataFolder, path.join(path.dirname(to), 'link'));
    to = path.join(path.dirname(to), 'link', 'backups');
    await expect(node().round(never)).rejects.toThrow('is inside the data folder');
    to = path.join(path.dirname(path.dirname(to)), 'backups');
    expect(await runs()).toEqual(['failed: target-foreign', 'failed: target-inside']);
  });

  it('may be full: the backup is retried after five minutes and continues', async () => {
    const database = path.join(to, '2020-01-01T00-00-00Z.partial', 'database');
    await mkdir(database, { recursive: true });
    await symlink('/dev/full', path.join(database, 'patient.gz.draft'));
    await expect(node().round(never)).rejects.toThrow('ENOSPC');
    expect([await runs(), await complete()]).toEqual([['failed: target-full'], []]);
    expect(await warnings()).toMatchObject([{ kind: 'backup', error: 'target-full', lastGoodAt: null }]);
    later(4 * minute);
    await node().round(never);
    expect(await runs()).toHaveLength(1);
    later(minute);
    await node().round(never);
    expect(await runs()).toEqual(['failed: target-full', 'good']);
    expect([await warnings(), (await backupsIn(to)).partial]).toEqual([[], []]);
  });
});

describe('old backups', () => {
  it('are removed after their time when a newer good one exists, never the newest', async () => {
    clock = new Date();
    await node().round(never);
    await dated(await only(), '2020-01-01T00-00-00Z');
    later(day);
    await node({ keepDays: 7 }).round(never);
    expect(await only()).not.toBe('2020-01-01T00-00-00Z');
    await dated(await only(), '2020-02-01T00-00-00Z');
    // The next one fails: the expired one is the newest good one.
    await symlink('/dev/full', path.join(to, `${'2020-02-02T00-00-00Z'}.partial`));
    later(day);
    await expect(node({ keepDays: 7 }).round(never)).rejects.toThrow();
    expect(await only()).toBe('2020-02-01T00-00-00Z');
  });

  it('are kept while the newest is damaged or lacks a file that they have', async () => {
    clock = new Date();
    await node().round(never);
    await dated(await only(), '2020-01-01T00-00-00Z');
    later(day);
    await node({ keepDays: 3650 }).round(never);
    const newest = (await complete()).at(-1) ?? '';
    const manifestFile = path.join(to, newest, 'manifest.json');
    const manifest = JSON.parse(await readFile(manifestFile, 'utf8'));
    const [sha256] = (await archive.db.selectFrom('image').select('sha256').execute()).map((row) => row.sha256);
    manifest.files.absent = [{ sha256, problem: 'damaged' }];
    await writeFile(manifestFile, JSON.stringify(manifest));
    await mkdir(path.join(to, '2020-01-02T00-00-00Z.removing'));
    await dated(newest, '2020-03-01T00-00-00Z');
    await symlink('/dev/full', path.join(to, '2020-04-01T00-00-00Z.partial'));
    later(day);
    await expect(node({ keepDays: 7 }).round(never)).rejects.toThrow();
    expect(await backupsIn(to)).toMatchObject({
      complete: ['2020-01-01T00-00-00Z', '2020-03-01T00-00-00Z'],
      removing: [],
    });
    await writeFile(path.join(to, '2020-03-01T00-00-00Z', 'manifest.json'), 'damaged');
    later(5 * minute);
    await expect(node({ keepDays: 7 }).round(never)).rejects.toThrow();
    expect(await complete()).toHaveLength(2);
  });
});

describe('the warning', () => {
  it('appears when the newest good backup is older than two days, and ends with one by command', async () => {
    expect(await warnings()).toEqual([]);
    await node().round(never);
    const lastGoodAt = clock.toISOString();
    later(2 * day - minute);
    expect(await warnings()).toEqual([]);
    later(minute);
    expect(await warnings()).toMatchObject([{ kind: 'backup', error: null, since: clock.toISOString(), lastGoodAt }]);
    clock = new Date(Date.now() + minute);
    const elsewhere = path.join(path.dirname(to), 'other');
    const environment = { DENTARIUM_DATA: archive.dataFolder, DATABASE_URL: urlOf(archive.database.address) };
    expect((await archiveCommand(['backup', '--to', elsewhere], environment)).code).toBe(0);
    expect(await newestGoodBackup(archive.db)).toMatchObject({ is_automatic: false, folder: elsewhere });
    expect(await warnings()).toEqual([]);
  });
});

describe('the command', () => {
  it('begins anew on another disk only when told to', async () => {
    const environment = { DENTARIUM_DATA: archive.dataFolder, DATABASE_URL: urlOf(archive.database.address) };
    const backup = (...args: string[]) => archiveCommand(['backup', '--to', to, ...args], environment);
    expect((await backup()).code).toBe(0);
    await rm(to, { recursive: true });
    const refused = await backup();
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--new-disk')]);
    await expect(readdir(to)).rejects.toThrow('ENOENT');
    expect((await backup('--new-disk')).code).toBe(0);
    expect(await runs()).toEqual(['good', 'failed: target-unmarked', 'good']);
    const inside = await archiveCommand(['backup', '--to', path.join(archive.dataFolder, 'copy')], environment);
    expect([inside.code, inside.stderr]).toEqual([1, expect.stringContaining('inside the data folder')]);
  });
});
