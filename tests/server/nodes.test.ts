import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Archive, openArchive } from '../../server/archive.ts';
import { openArchiveFolder } from '../../server/archive-folder/open-folder.ts';
import { type ArchiveUnderTest, archiveUnderTest, type PublishedEvent } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';
import { vaultUnderTest } from './vault-under-test.ts';

let archive: ArchiveUnderTest;
let neighbour: Archive;
const neighbourEvents: PublishedEvent[] = [];
const failures: unknown[] = [];

beforeAll(async () => {
  archive = await archiveUnderTest();
  neighbour = await openArchive({
    db: archive.db,
    vault: vaultUnderTest(),
    filesFolder: await openArchiveFolder(archive.db, path.join(archive.dataFolder, 'files')),
    dataFolder: archive.dataFolder,
    hub: { publish: async (groups, event) => void neighbourEvents.push({ groups, event }) },
    onFailure: (error) => failures.push(error),
    // Polls for work all the time.
    leaseSeconds: 1,
  });
});

afterAll(async () => {
  await neighbour.close();
  await archive.close();
});

test('two nodes on one database share imports and thumbnails without doing anything twice', async () => {
  const patientId = await archive.addPatient();
  const tasks = await Promise.all(
    Array.from({ length: 6 }, (_, task) =>
      archive.importAll(
        patientId,
        Object.fromEntries(
          Array.from({ length: 8 }, (_, index) => [
            `${index}.dcm`,
            smallObject({ SOPInstanceUID: `2.25.5${task}${index}`, StudyInstanceUID: `2.25.6${task}` }),
          ]),
        ),
      ),
    ),
  );
  expect(tasks.map(({ step, error }) => [step, error])).toEqual(tasks.map(() => [5, false]));
  expect(tasks.flatMap(({ files }) => files.map(({ status }) => status))).toEqual(Array(48).fill('imported'));
  const pending = () => archive.db.selectFrom('image').select('id').where('thumb_status', '=', 'pending').execute();
  await expect.poll(pending, { timeout: 30_000 }).toEqual([]);
  const published = () => [...archive.events, ...neighbourEvents].map(({ event }) => event);
  await expect.poll(() => published().filter(({ name }) => name === 'DetachImageProcessed').length).toBe(48);
  for (const name of ['preparing', 'parsed', 'imported'])
    expect(published().filter((event) => event.name === name)).toHaveLength(6);
  expect([...failures, ...archive.failures]).toEqual([]);
});

test('a node resumes the work of a stopped one', async () => {
  const patientId = await archive.addPatient({
    customerId: archive.clinics.customerId,
    personalNumber: '19700101-2391',
  });
  const id = await archive.begin(patientId, {
    'a.dcm': smallObject({ SOPInstanceUID: '2.25.71', StudyInstanceUID: '2.25.72' }),
  });
  await archive.db
    .updateTable('import_task')
    .set({ step: 1, lease_owner: 'a node that is gone', lease_until: new Date(Date.now() + 400) })
    .where('id', '=', id)
    .execute();
  expect(await archive.waitForStep(id, 3)).toMatchObject({ step: 3, error: false, files: [{ status: 'parsed' }] });
});
