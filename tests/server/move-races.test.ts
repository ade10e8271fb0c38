import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { imagesOf, patientRecords, untilWaiting } from './patient-records.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
let count = 0;
const { newPatient, studiesOf } = patientRecords(() => archive);
const runs = 6;

const newUid = () => {
  count += 1;
  return `2.25.8${count}`;
};
const files = (images: number, study: string, part = 1) =>
  Object.fromEntries(
    Array.from({ length: images }, (_, index) => [
      `${part}-${index}.dcm`,
      smallObject({
        StudyInstanceUID: study,
        SeriesInstanceUID: `${study}.1`,
        SOPInstanceUID: `${study}.1.${part}.${index}`,
      }),
    ]),
  );
const statusesOf = async (calls: readonly Promise<Response>[]): Promise<number[]> =>
  (await Promise.all(calls)).map(({ status }) => status);

/** Two or more patients, the first with a study of three images in one series. */
const scene = async () => {
  const [from, to, third] = [await newPatient(), await newPatient(), await newPatient()];
  const uid = newUid();
  await archive.importAll(from, files(3, uid));
  const [study] = await studiesOf(from);
  if (!study) throw new Error('nothing was imported');
  return { from, to, third, uid, study, series: study.series[0]?.id, images: imagesOf([study]) };
};
const move = (what: string, id: string | undefined, patientFromId: string, patientToId: string, seen?: string) =>
  archive.post('/resource/move', { what, id, patientFromId, patientToId, studyToId: null, ...(seen && { seen }) });
const merge = (patientFromId: string, patientToId: string) =>
  archive.post('/resource/study/move_all', { patientFromId, patientToId });

/** No slot or tray shows an image of another patient, and the gallery and the last study dates are right. */
const expectSound = async (patients: readonly string[]) => {
  const ids = sql`any(${[...patients]}::uuid[])`;
  const { rows } = await sql<{ wrong: number }>`
    with owned as (select image.id, study.patient_id from image join series on series.id = image.series_id
      join study on study.id = series.study_id),
    mounted as (select viewset_id, image_id from viewset_item where image_id is not null
      union all select viewset_id, image_id from viewset_detached)
    select (select count(*) from mounted join viewset on viewset.id = viewset_id join study on study.id = viewset.study_id
        join owned on owned.id = image_id where study.patient_id = ${ids} and owned.patient_id <> study.patient_id)::integer
      + (select count(*) from gallery_image full join (select * from gallery_source) as source using (image_id)
        where gallery_image.patient_id is distinct from source.patient_id)::integer
      + (select count(*) from patient where id = ${ids} and last_study_date is distinct from
        (select max(study_date) from study where patient_id = patient.id and deleted_at is null))::integer as wrong`.execute(
    archive.db,
  );
  expect(rows[0]?.wrong).toBe(0);
  expect(archive.failures).toEqual([]);
};

beforeAll(async () => {
  archive = await archiveUnderTest();
});
afterAll(() => archive.close());
beforeEach(() => {
  archive.failures.length = 0;
});

describe('a move concurrent with', () => {
  test.each(['study', 'series', 'image'] as const)(
    'another of the same %s: one wins, the other gets a conflict',
    async (what) => {
      for (let run = 0; run < runs; run += 1) {
        const { from, to, third, study, series, images } = await scene();
        const id = { study: study.id, series, image: images[0] }[what];
        const statuses = await statusesOf([move(what, id, from, to), move(what, id, from, third)]);
        expect(statuses.toSorted()).toEqual([200, 409]);
        const won = statuses[0] === 200 ? to : third;
        expect(imagesOf(await studiesOf(won))).toEqual(what === 'image' ? [images[0]] : images);
        expect(await studiesOf(won === to ? third : to)).toEqual([]);
        await expectSound([from, to, third]);
      }
    },
  );

  test('moves of a series and of its images loses nothing', async () => {
    for (let run = 0; run < runs; run += 1) {
      const { from, to, third, study, series, images } = await scene();
      const statuses = await statusesOf([
        move('image', images[0], from, third),
        move('series', series, from, to),
        move('image', images[1], from, to),
        move('study', study.id, from, third),
      ]);
      expect(statuses).toContain(200);
      for (const status of statuses) expect([200, 404, 409]).toContain(status);
      const now = await Promise.all([from, to, third].map(studiesOf));
      expect(imagesOf(now.flat())).toEqual(images);
      await expectSound([from, to, third]);
    }
  });

  test('moves in opposite directions does not deadlock', async () => {
    for (let run = 0; run < runs; run += 1) {
      const [one, other] = [await scene(), await scene()];
      const statuses = await statusesOf([
        move('study', one.study.id, one.from, other.from),
        move('series', other.series, other.from, one.from),
      ]);
      expect(statuses).toEqual([200, 200]);
      expect(imagesOf(await studiesOf(one.from))).toEqual(other.images);
      expect(imagesOf(await studiesOf(other.from))).toEqual(one.images);
      await expectSound([one.from, other.from]);
    }
  });

  test('a merge of its patients: both happen, in either order', async () => {
    for (let run = 0; run < runs; run += 1) {
      const { from, to, third, study, images } = await scene();
      const [moved, merged] = await statusesOf([
        move('study', study.id, from, to),
        run % 2 === 0 ? merge(from, third) : merge(to, third),
      ]);
      expect(merged).toBe(200);
      expect([200, 409]).toContain(moved);
      const owners = await Promise.all([from, to, third].map(async (id) => imagesOf(await studiesOf(id)).length));
      expect(owners.reduce((sum, owned) => sum + owned, 0)).toBe(images.length);
      expect(owners[0]).toBe(0);
      await expectSound([from, to, third]);
    }
  });

  test('its deletion: the record is with the other patient, or deleted with the first', async () => {
    for (let run = 0; run < runs; run += 1) {
      for (const what of ['study', 'series', 'image'] as const) {
        const { from, to, study, series, images } = await scene();
        const id = { study: study.id, series, image: images[0] }[what];
        const [moved, deleted] = await statusesOf([
          move(what, id, from, to),
          archive.call(`/resource/${what}/delete/${id}`, { method: 'DELETE' }),
        ]);
        expect([200, 403, 404]).toContain(moved);
        expect([200, 404]).toContain(deleted);
        await expectSound([from, to]);
      }
    }
  });

  test('the deletion of either patient: the record stays with one of them', async () => {
    for (let run = 0; run < runs; run += 1) {
      const { from, to, series, images } = await scene();
      const target = run % 2 === 0 ? to : from;
      const [moved, deleted] = await statusesOf([
        move('series', series, from, to),
        archive.call(`/resource/patient/delete/${target}`, { method: 'DELETE', as: archive.clinics.adminId }),
      ]);
      expect(deleted).toBe(200);
      expect([200, 404]).toContain(moved);
      await archive.call(`/resource/patient/restore/${target}`, { method: 'PUT', as: archive.clinics.adminId });
      expect(imagesOf(await studiesOf(moved === 200 ? to : from))).toEqual(images);
      await expectSound([from, to]);
    }
  });

  test('mounting in a viewset of the first patient: no slot shows the moved image', async () => {
    for (let run = 0; run < runs; run += 1) {
      const { from, to, study, series, images } = await scene();
      const slot = { xPos: 0, yPos: 0, width: 100, height: 100, teeth: [11] };
      const pattern = { patientUID: from, currentViewsetUID: null, viewSetItems: [slot] };
      const made = await archive.post('/resource/viewset/', { ...pattern, currentStudyUID: study.uid });
      const { viewSetUuid: viewsetUid } = await made.json();
      const [moved, mounted] = await statusesOf([
        run % 2 === 0 ? move('series', series, from, to) : move('image', images[0], from, to),
        archive.post('/resource/viewset/image/mount', { viewsetUid, itemIndex: 0, imageUid: images[0] }),
        archive.post('/resource/viewset/', { ...pattern, currentStudyUID: study.uid }),
      ]);
      expect(moved).toBe(200);
      expect([200, 409]).toContain(mounted);
      await expectSound([from, to]);
    }
  });
});

describe('an import in progress for the first patient', () => {
  test.each(['study', 'series', 'image'] as const)(
    'of files of a %s that moves: none is lost or filed twice',
    async (what) => {
      for (let run = 0; run < runs; run += 1) {
        const { from, to, uid, study, series, images } = await scene();
        const open = await archive.parse(await archive.begin(from, files(3, uid, 2)));
        const id = { study: study.id, series, image: images[0] }[what];
        const [confirmed, moved] = await statusesOf([
          archive.post('/resource/ImageImport/dicom/import', { id: open.id, mismatchConfirmed: true }),
          move(what, id, from, to),
        ]);
        expect(moved).toBe(200);
        expect([200, 409]).toContain(confirmed);
        if (confirmed === 409)
          await archive.post('/resource/ImageImport/dicom/import', { id: open.id, mismatchConfirmed: true });
        const done = await archive.waitForStep(open.id, 5);
        await archive.archive.thumbnails.idle();
        const filed = done.files.filter(({ status }) => status === 'imported').length;
        const [left, right] = [imagesOf(await studiesOf(from)), imagesOf(await studiesOf(to))];
        expect(left.length + right.length).toBe(3 + filed);
        // A moved series is in one study only: no copy of it is created for the first patient.
        const { rows } = await sql<{ studies: number }>`select count(*)::integer as studies from series
        where uid = ${`${uid}.1`}`.execute(archive.db);
        expect(rows[0]?.studies).toBe(1);
        if (what === 'study') expect([left.length, right.length]).toEqual([0, 6]);
        if (what === 'series') expect(left).toEqual([]);
        if (what === 'image') expect([left.length, right.length]).toEqual([5, 1]);
        await expectSound([from, to]);
      }
    },
  );

  test('blocks the move while it writes into the series, and its images move', async () => {
    const { from, to, uid, series } = await scene();
    const open = await archive.parse(await archive.begin(from, files(3, uid, 2)));
    let calls: Promise<Response>[] = [];
    await archive.db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('study').select('id').where('uid', '=', uid).forUpdate().execute();
      calls = [archive.post('/resource/ImageImport/dicom/import', { id: open.id, mismatchConfirmed: true })];
      await untilWaiting(archive.db, 1);
      calls.push(move('series', series, from, to));
      await untilWaiting(archive.db, 2);
    });
    expect(await statusesOf(calls)).toEqual([200, 200]);
    const done = await archive.waitForStep(open.id, 5);
    expect(done.files.map(({ status }) => status)).toEqual(Array(3).fill('imported'));
    expect(imagesOf(await studiesOf(to))).toHaveLength(6);
    await expectSound([from, to]);
  });
});
