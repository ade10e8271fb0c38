import { mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { backupFolders } from '../../server/backup/layout.ts';
import { openBackup } from '../../server/backup/read-backup.ts';
import { restoreBackup } from '../../server/backup/restore-backup.ts';
import type { BackupOptions } from '../../server/backup/write-backup.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { testDatabase } from './database.ts';
import { smallObject } from './small-object.ts';

export const object = (number: number) =>
  smallObject({ SOPInstanceUID: `2.25.88${number}`, StudyInstanceUID: `2.25.99${number}` });
export const noPassphrase = () => Promise.reject(new Error('not encrypted'));
export const passphrase = 'three plain words here';

export const rootOf = ({ dataFolder }: { readonly dataFolder: string }) => path.join(dataFolder, 'files');
export const storedIn = (root: string, sha256: string) => path.join(root, sha256.slice(0, 2), sha256);
export const inodeOf = async (file: string) => (await stat(file)).ino;

export const openNewest = async (from: string, ask: () => Promise<string> = noPassphrase) => {
  const [newest = ''] = await backupFolders(from);
  return openBackup(newest, ask);
};

/** Opens an archive with a patient and two images, and returns what its backups need. */
export const backupUnderTest = () => {
  const temporary: string[] = [];
  const open: { close(): Promise<void> }[] = [];
  let archive: ArchiveUnderTest;
  let patientId: string;

  beforeAll(async () => {
    archive = await archiveUnderTest();
    patientId = await archive.addPatient();
    await archive.importAll(patientId, { 'one.dcm': object(1), 'two.dcm': object(2) });
  });
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
  });
  afterAll(async () => {
    await archive.remove();
    for (const one of temporary) await rm(one, { recursive: true, force: true });
  });

  const folder = async (): Promise<string> => {
    const made = await mkdtemp(path.join(os.tmpdir(), 'dentarium-backup-'));
    temporary.push(made);
    return made;
  };
  /** Is closed after the test. */
  const newDatabase = async () => {
    const made = await testDatabase();
    open.push(made);
    return made;
  };
  const emptyInstallation = async () => {
    const target = await newDatabase();
    for (const statement of ['drop schema public cascade', 'create schema public'])
      await sql.raw(statement).execute(target.db);
    return { target, root: path.join(await folder(), 'files') };
  };

  return {
    get archive() {
      return archive;
    },
    get patientId() {
      return patientId;
    },
    folder,
    newDatabase,
    emptyInstallation,
    optionsFor: (to: string, incremental = false): BackupOptions => ({
      database: archive.database.database,
      root: rootOf(archive),
      to,
      incremental,
      version: '0.0.0',
      keepMs: 1e9,
      onProgress: () => undefined,
    }),
    imageHashes: async () =>
      (await archive.db.selectFrom('image').select('sha256').orderBy('sha256').execute()).map(({ sha256 }) => sha256),
    restoreTo: async (from: string, ask: () => Promise<string> = noPassphrase) => {
      const { target, root } = await emptyInstallation();
      const backup = await openNewest(from, ask);
      const result = await restoreBackup({ backup, database: target.database, root, onProgress: () => undefined });
      return { target, root, result };
    },
  };
};
