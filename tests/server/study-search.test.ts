import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mostCounted } from '../../contract/lists.ts';
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

const ask = (asked: object, as = archive.clinics.superId) =>
  archive.post('/resource/study/search', { customerId: clinic, ...asked }, as);
const search = async (asked: object): Promise<Found> => {
  const reply = await ask(asked);
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
  return reply.json();
};
const described = ({ data }: Found) => data.map(({ description }) => description);
const found = async (q: string) => described(await search({ q, ppage: 50 }));

beforeAll(async () => {
  archive = await archiveUnderTest();
});
afterAll(() => archive.close());

/** A clinic of its own for each test, so that none depends on what another did. */
beforeEach(async () => {
  clinic = await addClinic(archive.db, 'Undersökningar');
  const person = { customerId: clinic, birthDate: null };
  const names = { firstName: 'Anna', lastName: 'Lindström-Åberg', personalNumber: '19450607-2391' };
  anna = await archive.addPatient({ ...person, ...names });
  bo = await archive.addPatient({ ...person, firstName: 'Bo', lastName: 'Ek', personalNumber: '19700102-2382' });
  await addStudy(anna, 'Bitewing höger', '2024-03-01', 'ACC-2024/117');
  await addStudy(anna, 'Panorama', '2025-06-30');
  await addStudy(bo, 'Panorama före ingrepp', '2025-07-01', 'X77');
  await addStudy(bo, 'Odaterad Šavšek', null);
});

describe('what finds a study', () => {
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
    const answered = await search({ q, ppage: 50 });
    expect(described(answered)).toEqual(expected);
    expect(answered).toMatchObject({ totalCount: expected.length, isTotalExact: true, next: null });
  });

  test('the days bound it, both included', async () => {
    const within = async (range: object) => described(await search({ q: '', ...range }));
    expect(await within({ from: '2025-06-30', to: '2025-06-30' })).toEqual(['Panorama']);
    expect(await within({ to: '2025-06-30' })).toEqual(['Panorama', 'Bitewing höger']);
    expect(await within({ from: '2025-07-01' })).toEqual(['Panorama före ingrepp']);
    expect(described(await search({ q: 'anna', from: '2025-01-01' }))).toEqual(['Panorama']);
  });

  test('its words follow what is done to it', async () => {
    const id = await addStudy(bo, 'Gammal text', '2020-01-01', 'G1');
    expect(await found('gammal g1')).toEqual(['Gammal text']);
    const fields = { description: 'Ny text', studyDate: '2020-01-01', accessionNumber: 'N-2' };
    expect(await updateStudy(archive.db, { id, version: 1 }, fields)).toBe(true);
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

describe('what is said of a study', () => {
  test('whose it is, its day, its modalities, and how many images it has', async () => {
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
        ...{ id, patientId: anna, customerId: clinic, description: 'Rik', studyDate: '2026-01-02' },
        ...{ accessionNumber: 'R1', totalImages: 0, modalities: ['IO', 'PX'] },
        patient: { firstName: 'Anna', lastName: 'Lindström-Åberg', personalNumber: '19450607-2391', birthDate: null },
      },
    ]);
  });

  test('is noted in the log, study by study; of another clinic there is nothing to find', async () => {
    const { data } = await search({ q: 'pano', ppage: 1 });
    const rows = await archive.db.selectFrom('access_log').selectAll().where('customer_id', '=', clinic).execute();
    expect(rows).toMatchObject([{ action: 'study.listed', patient_id: bo, object_id: data[0]?.id }]);
    expect((await ask({ q: 'pano' }, archive.clinics.doctorId)).status).toBe(404);
    const { customerId, doctorId } = archive.clinics;
    const own = await ask({ q: 'pano', customerId }, doctorId);
    expect(await own.json()).toMatchObject({ data: [], totalCount: 0 });
  });
});

test('pages go from place to place, and by number; a place is good for its own search alone', async () => {
  for (let day = 1; day <= 9; day += 1) await addStudy(bo, `Serie ${day}`, day % 3 ? `2026-02-0${day}` : null);
  for (const q of ['', 'serie', 'bo ser']) {
    const whole = await found(q);
    const byPlace: string[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const page = await search({ q, ppage: 2, ...(after ? { after } : {}) });
      byPlace.push(...described(page));
      expect(page.totalCount).toBe(whole.length);
      after = page.next;
    }
    expect(byPlace).toEqual(whole);
    expect(described(await search({ q, ppage: 4, page: 2 }))).toEqual(whole.slice(4, 8));
  }
  const { next } = await search({ q: 'serie', ppage: 2 });
  expect((await ask({ q: 'ser', after: next, ppage: 2 })).status).toBe(400);
});

test('of a word that very many have, the newest are shown and nothing is counted', async () => {
  await sql`insert into study (id, customer_id, patient_id, uid, description, search_text, study_date)
    select gen_random_uuid(), ${clinic}, ${anna}, ${clinic} || n, 'Vanlig', ' vanlig', date '2000-01-01' + n
    from generate_series(1, ${mostCounted + 20}::integer) as n`.execute(archive.db);
  const common = await search({ q: 'vanlig', ppage: 5 });
  expect(common).toMatchObject({ totalCount: 6, isTotalExact: false });
  const second = await search({ q: 'vanlig', ppage: 5, after: common.next });
  expect(second).toMatchObject({ totalCount: 11, isTotalExact: false });
  const days = [...common.data, ...second.data].map(({ studyDate }) => studyDate);
  expect(days).toEqual([...days].toSorted().toReversed());
  expect(new Set(days).size).toBe(10);
});
