import { readdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openBackup } from '../../server/backup/read-backup.ts';
import { restoreBackup } from '../../server/backup/restore-backup.ts';
import { writeBackup } from '../../server/backup/write-backup.ts';
import { type DestructionParts, destroyDue } from '../../server/resource/destruction/destruction-job.ts';
import { backupUnderTest, noPassphrase } from './backup-under-test.ts';
import { addApproved, addStoredRecord, filesWith, partsOf, tablesWith } from './destruction-under-test.ts';

const test = backupUnderTest();

/** The second run removes the files of the first. */
const runTwice = async (parts: DestructionParts) => {
  await destroyDue(parts);
  await destroyDue(parts);
};

/** Names of backups have a resolution of one second. */
const backUp = async (to: string, incremental = true) => {
  const { folder } = await writeBackup(test.optionsFor(to, incremental));
  await setTimeout(1_000 - (Date.now() % 1_000));
  return folder;
};
const restore = async (from: string) => {
  const { target, root } = await test.emptyInstallation();
  const backup = await openBackup(from, noPassphrase);
  const result = await restoreBackup({ backup, database: target.database, root, onProgress: () => undefined });
  return { db: target.db, root, dataFolder: path.dirname(root), result };
};

it('a restore of an older backup destroys again what was destroyed after it', async () => {
  const { archive } = test;
  const to = await test.folder();
  const { ids, hashes } = await addStoredRecord(archive);
  const kept = await addStoredRecord(archive);
  const older = await backUp(to);
  await addApproved(archive, { kind: 'patient', subjectId: ids.patientId, patientId: ids.patientId });
  await runTwice(await partsOf(archive));
  const newer = await backUp(to);
  const traces = { names: hashes, bytes: [] };
  expect(await filesWith(newer, traces), 'a later backup').toEqual([]);
  expect((await filesWith(older, traces)).length).toBe(2);
  const list = await readFile(path.join(to, 'destroyed-records'), 'utf8');
  expect(list.split('\n').filter(Boolean)).toHaveLength(1);
  expect(list).not.toContain(ids.patientName);

  const again = await restore(older);
  expect(again.result).toMatchObject({ destroyedAgain: 1, absent: [] });
  expect((await tablesWith(again, ids.studyId)).length).toBeGreaterThan(0);
  const parts = await partsOf(again);
  // As the server does when it starts.
  await runTwice(parts);
  expect(await tablesWith(again, ids.studyId)).toEqual([]);
  expect(await tablesWith(again, ids.patientId)).toEqual(['access_log', 'destruction_order']);
  expect(await filesWith(again.dataFolder, traces)).toEqual([]);
  expect((await filesWith(again.dataFolder, { names: kept.hashes, bytes: [] })).length).toBe(2);
  const order = await again.db.selectFrom('destruction_order').select(['state', 'images']).executeTakeFirstOrThrow();
  expect(order).toEqual({ state: 'destroyed', images: 2 });

  expect((await restore(newer)).result, 'nothing to repeat').toMatchObject({ destroyedAgain: 0 });
});

it('a later backup of a restored archive keeps the list', async () => {
  const to = await test.folder();
  const { ids } = await addStoredRecord(test.archive);
  const older = await backUp(to);
  await addApproved(test.archive, { kind: 'patient', subjectId: ids.patientId, patientId: ids.patientId });
  await runTwice(await partsOf(test.archive));
  await backUp(to);
  const listed = await readFile(path.join(to, 'destroyed-records'), 'utf8');
  await test.archive.db.deleteFrom('destruction_order').where('subject_id', '=', ids.patientId).execute();
  await backUp(to, false);
  expect(await readFile(path.join(to, 'destroyed-records'), 'utf8')).toBe(listed);
  expect((await restore(older)).result.destroyedAgain, 'the other one is in the older backup too').toBe(1);
});

it('an order that was approved before the backup is carried out again without the list', async () => {
  const to = await test.folder();
  const { ids, hashes } = await addStoredRecord(test.archive);
  await addApproved(test.archive, { kind: 'patient', subjectId: ids.patientId, patientId: ids.patientId });
  const from = await backUp(to);
  await runTwice(await partsOf(test.archive));
  expect((await readdir(to)).includes('destroyed-records')).toBe(true);
  await rename(path.join(to, 'destroyed-records'), path.join(to, 'elsewhere'));
  const again = await restore(from);
  expect(again.result.destroyedAgain).toBe(0);
  await runTwice(await partsOf(again));
  expect(await tablesWith(again, ids.studyId)).toEqual([]);
  expect(await filesWith(again.dataFolder, { names: hashes, bytes: [] })).toEqual([]);
});
