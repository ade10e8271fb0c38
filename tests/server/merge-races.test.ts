import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findImportStudy } from '../../server/db/stores/import-studies.ts';
import { advance, findTask } from '../../server/db/stores/imports.ts';
import { importStudy, type StudyWork } from '../../server/imports/ledger/import-study.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { patientRecords, untilWaiting } from './patient-records.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
let count = 0;
const { newPatient, studiesOf } = patientRecords(() => archive);

/** Files of one study; another `part` gives other files. */
const files = (images: number, study: string, part = 1) =>
  Object.fromEntries(
    Array.from({ length: images }, (_, index) => [
      `${index}.dcm`,
      smallObject({
        StudyInstanceUID: study,
        SeriesInstanceUID: `${study}.${part}`,
        SOPInstanceUID: `${study}.${part}.${index}`,
        InstanceNumber: index + 1,
      }),
    ]),
  );
const newUid = () => {
  count += 1;
  return `2.25.4${count}`;
};
/** Patients with that many studies each, of one image. */
const patientsWith = async (...studies: number[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const [index, many] of studies.entries()) {
    const id = await newPatient();
    ids.push(id);
    for (let study = 0; study < many; study += 1)
      await archive.db
        .insertInto('study')
        .values({
          id: crypto.randomUUID(),
          customer_id: archive.clinics.customerId,
          patient_id: id,
          uid: newUid(),
          description: 'Prov',
          study_date: `2026-0${index + 1}-0${study + 1}`,
          accession_number: null,
          deleted_at: null,
        })
        .execute();
  }
  return ids;
};
const merge = (patientFromId = '', patientToId = '') =>
  archive.post('/resource/study/move_all', { patientFromId, patientToId });
const ownersOf = async (ids: readonly string[]): Promise<number[]> => {
  const rows = await archive.db
    .selectFrom('study')
    .select('patient_id')
    .where('patient_id', 'in', [...ids])
    .execute();
  return ids.map((id) => rows.filter(({ patient_id }) => patient_id === id).length);
};
const statusesOf = async (calls: readonly Promise<Response>[]): Promise<number[]> =>
  (await Promise.all(calls)).map(({ status }) => status);

/** The last study dates stored with the patients, and those computed from their studies. */
const expectLastStudies = async (ids: readonly string[]) => {
  const rows = await archive.db
    .selectFrom('patient')
    .select(['last_study_date'])
    .select(
      sql<string | null>`(select max(study_date) from study where patient_id = patient.id and deleted_at is null)`.as(
        'counted',
      ),
    )
    .where('id', 'in', [...ids])
    .execute();
  for (const row of rows) expect(row.last_study_date).toEqual(row.counted);
};

beforeAll(async () => {
  archive = await archiveUnderTest();
});
afterAll(() => archive.close());
beforeEach(() => {
  archive.failures.length = 0;
});

describe('concurrent merges', () => {
  test('in opposite directions leave all studies with one of the two', async () => {
    for (let run = 0; run < 10; run += 1) {
      const [one = '', other = ''] = await patientsWith(3, 2);
      expect(await statusesOf([merge(one, other), merge(other, one)])).toEqual([200, 200]);
      expect((await ownersOf([one, other])).sort()).toEqual([0, 5]);
      await expectLastStudies([one, other]);
    }
  });

  test('in a ring lose nothing and do not deadlock', async () => {
    for (let run = 0; run < 10; run += 1) {
      const [one = '', two = '', three = ''] = await patientsWith(1, 2, 3);
      expect(await statusesOf([merge(one, two), merge(two, three), merge(three, one)])).toEqual([200, 200, 200]);
      const owned = await ownersOf([one, two, three]);
      expect(owned.reduce((sum, studies) => sum + studies, 0)).toBe(6);
      await expectLastStudies([one, two, three]);
    }
  });

  test('of the same patient with their previews: the later one gets a conflict', async () => {
    const [from = '', one = '', other = ''] = await patientsWith(2, 0, 0);
    const seen = async (to: string) => {
      const query = new URLSearchParams({ patientFromId: from, patientToId: to });
      return (await (await archive.call(`/resource/study/move_all/preview?${query}`)).json()).seen;
    };
    const bodies = await Promise.all(
      [one, other].map(async (to) => ({ patientFromId: from, patientToId: to, seen: await seen(to) })),
    );
    const statuses = await statusesOf(bodies.map((body) => archive.post('/resource/study/move_all', body)));
    expect(statuses.toSorted()).toEqual([200, 409]);
    expect(await ownersOf([from, one, other])).toEqual([0, ...(statuses[0] === 200 ? [2, 0] : [0, 2])]);
  });

  test('with a deletion of one patient: all studies move, or none', async () => {
    for (let run = 0; run < 10; run += 1) {
      const [from = '', to = ''] = await patientsWith(3, 1);
      const target = run % 2 === 0 ? to : from;
      const [merged, deleted] = await statusesOf([
        merge(from, to),
        archive.call(`/resource/patient/delete/${target}`, { method: 'DELETE', as: archive.clinics.adminId }),
      ]);
      expect(deleted).toBe(200);
      expect([200, 404]).toContain(merged);
      expect(await ownersOf([from, to])).toEqual(merged === 200 ? [0, 4] : [3, 1]);
    }
  });

  test('with edits, deletions, restores and new viewsets: no deadlock, and the last study date is right', async () => {
    for (let run = 0; run < 6; run += 1) {
      const [from = '', to = ''] = await patientsWith(4, 1);
      const rows = await archive.db
        .selectFrom('study')
        .selectAll()
        .where('patient_id', '=', from)
        .orderBy('uid')
        .execute();
      const [edited, removed, restored, mounted] = rows;
      await archive.call(`/resource/study/delete/${restored?.id}`, { method: 'DELETE' });
      const change = (method: string, target: string, body?: object) =>
        archive.call(target, {
          method,
          ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
        });
      const slot = { xPos: 0, yPos: 0, width: 100, height: 100, teeth: [11] };
      const viewset = { patientUID: from, currentViewsetUID: null, viewSetItems: [slot] };
      const fields = { id: edited?.id, version: 1, description: 'Ny', studyDate: '2026-11-11', accessionNumber: null };
      const statuses = await statusesOf([
        change('PUT', '/resource/study/update', fields),
        change('DELETE', `/resource/study/delete/${removed?.id}`),
        merge(from, to),
        change('PUT', `/resource/study/restore/${restored?.id}`),
        change('POST', '/resource/viewset/', { ...viewset, currentStudyUID: mounted?.uid }),
        change('POST', '/resource/viewset/', { ...viewset, currentStudyUID: null }),
      ]);
      expect(statuses.slice(0, 4)).toEqual([200, 200, 200, 200]);
      // A study that was just moved is not counted for the first patient.
      expect([200, 409]).toContain(statuses[4]);
      expect(statuses[5]).toBe(200);
      await expectLastStudies([from, to]);
      const [left = 0, moved = 0] = await ownersOf([from, to]);
      expect([left, moved]).toEqual(left === 0 ? [0, 6] : [1, 5]);
    }
    expect(archive.failures).toEqual([]);
  });
});

describe('an import in progress', () => {
  /** A patient with one study, and an import waiting for confirmation with more of that study and another one. */
  const scene = async () => {
    const [from, to] = [await newPatient(), await newPatient()];
    const study = newUid();
    await archive.importAll(from, files(1, study));
    await archive.archive.thumbnails.idle();
    const { id } = await archive.parse(await archive.begin(from, files(3, study, 2)));
    return { from, to, study, id };
  };
  const imagesOf = async (id: string) =>
    (await studiesOf(id)).flatMap(({ series }) => series.flatMap(({ images }) => images));

  test('blocks the merge while it writes, and its studies move', async () => {
    const { from, to, study, id } = await scene();
    let confirmed = Promise.resolve(new Response());
    let merged = confirmed;
    await archive.db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('study').select('id').where('uid', '=', study).forUpdate().execute();
      confirmed = archive.post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true });
      await untilWaiting(archive.db, 1);
      merged = merge(from, to);
      await untilWaiting(archive.db, 2);
    });
    expect(await statusesOf([confirmed, merged])).toEqual([200, 200]);
    const done = await archive.waitForStep(id, 5);
    expect(done.files.map(({ status }) => status)).toEqual(['imported', 'imported', 'imported']);
    expect(await imagesOf(from)).toEqual([]);
    expect(await imagesOf(to)).toHaveLength(4);
    expect((await studiesOf(to)).map(({ uid }) => uid)).toEqual([study]);
    expect(archive.failures).toEqual([]);
  });

  test('writes to the other patient what it had prepared for the first', async () => {
    const { from, to, id } = await scene();
    const { db } = archive;
    // Leased by an idle owner, so that the archive's own runner skips it.
    await db
      .updateTable('import_task')
      .set({ lease_owner: 'another node', lease_until: new Date(Date.now() + 3_600_000) })
      .where('id', '=', id)
      .execute();
    await advance(db, id, 'validation', { confirmedBy: archive.clinics.doctorId });
    const task = await findTask(db, id);
    const { key } = await db
      .selectFrom('import_study')
      .select('key')
      .where('task_id', '=', id)
      .executeTakeFirstOrThrow();
    const study = await findImportStudy(db, id, key);
    if (!task || !study) throw new Error('nothing was parsed');
    let merges = 0;
    const { files: store, imaging } = archive.archive;
    const slowStore = {
      ...store,
      sizeOf: async (sha256: string) => {
        merges += 1;
        // During classification, after the owner was read.
        if (merges === 1) expect((await merge(from, to)).status).toBe(200);
        return store.sizeOf(sha256);
      },
    };
    const published: string[] = [];
    const work = {
      db,
      reading: { files: slowStore, imaging } as unknown as StudyWork['reading'],
      records: {
        patientChanged: async ({ patientId }) => void published.push(patientId),
        ordersChanged: async () => undefined,
        viewsetsChanged: async () => undefined,
        viewsetImagesChanged: async () => undefined,
      },
    } satisfies StudyWork;
    let ticks = 0;
    const tick = async () => {
      ticks += 1;
    };
    const counter = { tick, report: async () => undefined, finish: async () => undefined };
    await importStudy(work, task, study, new AbortController().signal, counter);
    expect(ticks).toBe(3);
    expect(published).toEqual([to]);
    const rows = await db.selectFrom('import_file').select(['status', 'problem']).where('task_id', '=', id).execute();
    expect(rows).toEqual(Array(3).fill({ status: 'imported', problem: null }));
    expect(await imagesOf(from)).toEqual([]);
    expect(await imagesOf(to)).toHaveLength(4);
  });

  test('confirmed during a merge ends up completely with the other patient', async () => {
    for (let run = 0; run < 4; run += 1) {
      const { from, to, id } = await scene();
      const [confirmed, merged] = await statusesOf([
        archive.post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true }),
        merge(from, to),
      ]);
      expect(merged).toBe(200);
      // The files name the first patient's number, which is not confirmed for the other one.
      expect([200, 409]).toContain(confirmed);
      if (confirmed === 409) await archive.post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true });
      const done = await archive.waitForStep(id, 5);
      expect(done.files.map(({ status }) => status)).toEqual(['imported', 'imported', 'imported']);
      expect(await imagesOf(from)).toEqual([]);
      expect(await imagesOf(to)).toHaveLength(4);
    }
    expect(archive.failures).toEqual([]);
  });
});
