import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { restoreBackup } from '../../server/backup/restore-backup.ts';
import { writeBackup } from '../../server/backup/write-backup.ts';
import { archiveCommand } from './archive-command.ts';
import { backupUnderTest, openNewest, passphrase, storedIn } from './backup-under-test.ts';
import { urlOf } from './database.ts';

const test = backupUnderTest();
const { folder, emptyInstallation, optionsFor, imageHashes, restoreTo } = test;

describe('the restore', () => {
  it('changes nothing in a database or a folder that is not empty', async () => {
    const to = await folder();
    await writeBackup(optionsFor(to));
    const backup = await openNewest(to);
    const { target, root } = await emptyInstallation();
    const onProgress = () => undefined;
    await expect(restoreBackup({ backup, database: test.archive.database.database, root, onProgress })).rejects.toThrow(
      /The database is not empty: nothing was changed. It has 2 clinics, 4 users, 1 patients and 2 images \(the newest of /,
    );
    await mkdir(root, { recursive: true });
    await writeFile(path.join(root, 'something'), '');
    await expect(restoreBackup({ backup, database: target.database, root, onProgress })).rejects.toThrow(
      'is not empty',
    );
    expect(await readdir(root)).toEqual(['something']);
  });

  it('stops before it changes anything when the copy of the database is damaged', async () => {
    const to = await folder();
    const { folder: written } = await writeBackup(optionsFor(to));
    await truncate(path.join(written, 'database', 'patient.gz'), 20);
    await expect(restoreTo(to)).rejects.toThrow(/patient.gz is damaged: nothing was changed/);
  });

  it('restores the other files when one is damaged, and names it', async () => {
    const to = await folder();
    const { folder: written } = await writeBackup(optionsFor(to));
    const [sha256 = ''] = await imageHashes();
    const file = storedIn(path.join(written, 'files'), sha256);
    const bytes = await readFile(file);
    bytes[200] = (bytes[200] ?? 0) ^ 1;
    await writeFile(file, bytes);
    const { result } = await restoreTo(to);
    expect(result).toMatchObject({ files: 1, absent: [{ sha256, problem: 'damaged' }] });
  });
});

describe('the commands', () => {
  it('back up and restore through DATABASE_URL, and reject wrong usage', async () => {
    const to = await folder();
    const environment = { DENTARIUM_DATA: test.archive.dataFolder, DATABASE_URL: urlOf(test.archive.database.address) };
    const backup = await archiveCommand(['backup', '--to', to, '--json'], environment);
    expect([backup.code, JSON.parse(backup.stdout)]).toMatchObject([0, { files: 2, copied: 2, absent: [] }]);
    const check = await archiveCommand(['restore', '--from', to, '--check'], environment);
    expect([check.code, check.stdout]).toEqual([
      0,
      expect.stringMatching(/faults: \[\]\nEvery file of the backup is intact\.\n$/),
    ]);
    const refused = await archiveCommand(['restore', '--from', to], environment);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('The database is not empty')]);
    expect((await archiveCommand(['backup'], environment)).code).toBe(2);
    const elsewhere = await archiveCommand(['backup', '--to', to, '--data', await folder()], environment);
    expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringContaining('does not exist')]);
    const { target, root } = await emptyInstallation();
    const restored = await archiveCommand(['restore', '--from', to, '--json'], {
      DENTARIUM_DATA: path.dirname(root),
      DATABASE_URL: urlOf(target.address),
    });
    expect([restored.code, JSON.parse(restored.stdout)]).toMatchObject([0, { files: 2, patients: 1, absent: [] }]);
  });

  it('keep the passphrase out of the folder and ask for none without a terminal', async () => {
    const to = await folder();
    const environment = { DENTARIUM_DATA: test.archive.dataFolder, DATABASE_URL: urlOf(test.archive.database.address) };
    const encrypted = { ...environment, DENTARIUM_BACKUP_PASSPHRASE: passphrase };
    expect((await archiveCommand(['backup', '--to', to, '--encrypt'], encrypted)).code).toBe(0);
    const without = await archiveCommand(['restore', '--from', to, '--check'], environment);
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('DENTARIUM_BACKUP_PASSPHRASE')]);
    expect((await archiveCommand(['restore', '--from', to, '--check'], encrypted)).code).toBe(0);
    const plain = await folder();
    await archiveCommand(['backup', '--to', plain], environment);
    const mixed = await archiveCommand(['backup', '--to', plain, '--encrypt'], encrypted);
    expect([mixed.code, mixed.stderr]).toEqual([1, expect.stringContaining('without encryption')]);
  });
});
