import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countLimit } from '../../contract/lists.ts';
import type { FoundStudy } from '../../contract/studies.ts';
import { updateStudy } from '../../server/db/stores/record-edits.ts';
import { ensureSeries, ensureStudy } from '../../server/db/stores/studies.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { addClinic } from './clinic.ts';

let archive: ArchiveUnderTest;
let clinic: string;
let [anna, bo] = ['', ''];
let made = 0;

interface Found {
  readonly data: readonly FoundStudy[];
  readonly totalCount: number;
  readonly isTotalExact: boolean;
  readonly next: string | null;
}

const addStudy = async (
  patientId: string,
  description: string,
  studyDate: string | null,
  accessionNumber: string | null = null,
): Promise<string> => {
  made += 1;
  const study = { customerId: clinic, patientId, uid: `2.25.88${made}`, description, studyDate, accessionNumber };
  return (await ensureStudy(archive.db, study)).id;
};

const requestSearch = (query: object, as = archive.clinics.superId) =>
  archive.post('/resource/study/search', { customerId: clinic, ...query }, as);
const search = async (query: object): Promise<Found> => {
  const reply = await requestSearch(query);
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
  return reply.json();
};
const described = ({ data }: Found) => data.map(({ description }) => description);
const found = async (q: string) => described(await search({ q, ppage: 50 }));

beforeAll(async () => {
  archive = await archiveUnderTest();
});
afterAll(() => archive.close());

/** A separate clinic for each test. */
beforeEach(async () => {
  clinic = await addClinic(archive.db, 'Undersökningar');
  const patient = { customerId: clinic, birthDate: null };
  const names = { firstName: 'Anna', lastName: 'Lindström-Åberg', personalNumber: '19450607-2391' };
  anna = await archive.addPatient({ ...patient, ...names });
  bo = await archive.addPatient({ ...patient, firstName: 'Bo', lastName: 'Ek', personalNumber: '19700102-2382' });
  await addStudy(anna, 'Bitewing höger', '2024-03-01', 'ACC-2024/117');
  await addStudy(anna, 'Panorama', '2025-06-30');
  await addStudy(bo, 'Panorama före ingrepp', '2025-07-01', 'X77');
  await addStudy(bo, 'Odaterad Šavšek', null);
});

describe('matching', () => {
  test.each([
    ['', ['Panorama före ingrepp', 'Panorama', 'Bitewing höger', 'Odaterad Šavšek']],
    ['pano', ['Panorama före ingrepp', 'Panorama']],
    ['FORE', ['Panorama före ingrepp']],
    ['savs', ['Odaterad Šavšek']],
    ['šAVŠ', ['Odaterad Šavšek']],
    ['hoger bite', ['Bitewing höger']],
    ['acc-2024/117', ['Bitewing höger']],
    ['acc2024117', ['Bitewing höger']],
    ['x77', ['Panorama före ingrepp']],
    ['lindstrom', ['Panorama', 'Bitewing höger']],
    ['åberg-lind anna', ['Panorama', 'Bitewing höger']],
    ['pano anna', ['Panorama']],
    ['bo ek pan', ['Panorama före ingrepp']],
    ['19450607-2391', ['Panorama', 'Bitewing höger']],
    ['450607', ['Panorama', 'Bitewing höger']],
    ['2382 pano', ['Panorama före ingrepp']],
    ['orama', []],
    ['pano%', ['Panorama före ingrepp', 'Panorama']],
    ['%%', []],
    ['pano anna bo', []],
  ])('%s finds %j', async (q, expected) => {
    const results = await search({ q, ppage: 50 });
    expect(described(results)).toEqual(expected);
    expect(results).toMatchObject({ totalCount: expected.length, isTotalExact: true, next: null });
  });

  test('filters by days, both inclusive', async () => {
    const within = async (range: object) => described(await search({ q: '', ...range }));
    expect(await within({ from: '2025-06-30', to: '2025-06-30' })).toEqual(['Panorama']);
    expect(await within({ to: '2025-06-30' })).toEqual(['Panorama', 'Bitewing höger']);
    expect(await within({ from: '2025-07-01' })).toEqual(['Panorama före ingrepp']);
    expect(described(await search({ q: 'anna', from: '2025-01-01' }))).toEqual(['Panorama']);
  });

  test('follows changes of the study', async () => {
    const id = await addStudy(bo, 'Gammal text', '2020-01-01', 'G1');
    expect(await found('gammal g1')).toEqual(['Gammal text']);
    const fields = { description: 'Ny text', studyDate: '2020-01-01', accessionNumber: 'N-2' };
    expect(await updateStudy(archive.db, { id, version: 1, accountId: archive.clinics.doctorId }, fields)).toBe(true);
    expect(await found('gammal')).toEqual([]);
    expect(await found('ny n2')).toEqual(['Ny text']);
    const put = (deletedAt: Date | null) =>
      archive.db.updateTable('study').set({ deleted_at: deletedAt }).where('id', '=', id).execute();
    await put(new Date());
    expect(await found('ny')).toEqual([]);
    await put(null);
    expect(await found('ny')).toEqual(['Ny text']);
    await archive.db.updateTable('study').set({ patient_id: anna }).where('id', '=', id).execute();
    expect(await found('ny anna')).toEqual(['Ny text']);
    await archive.db.updateTable('patient').set({ deleted_at: new Date() }).where('id', '=', anna).execute();
    expect(await found('ny')).toEqual([]);
    const { rows } =
      await sql`select customer_id, word, id from study, study_words(search_text) as word where deleted_at is null
      except select customer_id, word, study_id from study_word`.execute(archive.db);
    expect(rows).toEqual([]);
  });
});

describe('results', () => {
  test('contain the patient, date, modalities and number of images', async () => {
    const id = await addStudy(anna, 'Rik', '2026-01-02', 'R1');
    for (const [uid, modality] of [
      ['1', 'PX'],
      ['2', 'IO'],
      ['3', 'IO'],
    ] as const)
      await ensureSeries(archive.db, { studyId: id, uid: `2.25.99${uid}`, modality, number: 1, description: null });
    const { data } = await search({ q: 'rik' });
    expect(data).toMatchObject([
      {
        id,
        patientId: anna,
        customerId: clinic,
        description: 'Rik',
        studyDate: '2026-01-02',
        accessionNumber: 'R1',
        totalImages: 0,
        modalities: ['IO', 'PX'],
        patient: { firstName: 'Anna', lastName: 'Lindström-Åberg', personalNumber: '19450607-2391', birthDate: null },
      },
    ]);
  });

  test('are logged per study; studies of another clinic are not found', async () => {
    const { data } = await search({ q: 'pano', ppage: 1 });
    const rows = await archive.db.selectFrom('access_log').selectAll().where('customer_id', '=', clinic).execute();
    expect(rows).toMatchObject([{ action: 'study.listed', patient_id: bo, object_id: data[0]?.id }]);
    expect((await requestSearch({ q: 'pano' }, archive.clinics.doctorId)).status).toBe(404);
    const { customerId, doctorId } = archive.clinics;
    const own = await requestSearch({ q: 'pano', customerId }, doctorId);
    expect(await own.json()).toMatchObject({ data: [], totalCount: 0 });
  });
});

test('are paged by cursor and by number; a cursor is valid for its own search only', async () => {
  for (let day = 1; day <= 9; day += 1) await addStudy(bo, `Serie ${day}`, day % 3 ? `2026-02-0${day}` : null);
  for (const q of ['', 'serie', 'bo ser']) {
    const whole = await found(q);
    const byCursor: string[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const page = await search({ q, ppage: 2, ...(after ? { after } : {}) });
      byCursor.push(...described(page));
      expect(page.totalCount).toBe(whole.length);
      after = page.next;
    }
    expect(byCursor).toEqual(whole);
    expect(described(await search({ q, ppage: 4, page: 2 }))).toEqual(whole.slice(4, 8));
  }
  const { next } = await search({ q: 'serie', ppage: 2 });
  expect((await requestSearch({ q: 'ser', after: next, ppage: 2 })).status).toBe(400);
});

test('of a very frequent word are the newest ones, uncounted', async () => {
  await sql`insert into study (id, customer_id, patient_id, uid, description, search_text, study_date)
    select gen_random_uuid(), ${clinic}, ${anna}, ${clinic} || n, 'Vanlig', ' vanlig', date '2000-01-01' + n
    from generate_series(1, ${countLimit + 20}::integer) as n`.execute(archive.db);
  const common = await search({ q: 'vanlig', ppage: 5 });
  expect(common).toMatchObject({ totalCount: 6, isTotalExact: false });
  const second = await search({ q: 'vanlig', ppage: 5, after: common.next });
  expect(second).toMatchObject({ totalCount: 11, isTotalExact: false });
  const days = [...common.data, ...second.data].map(({ studyDate }) => studyDate);
  expect(days).toEqual([...days].toSorted().toReversed());
  expect(new Set(days).size).toBe(10);
});
