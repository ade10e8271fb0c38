import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { problem } from '../../contract/problem.ts';
import { type DeletedPatient, type DeletedStudy, deletedPatient } from '../../contract/recycle-bin.ts';
import type { Study } from '../../contract/studies.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
let patientId: string;
let number: string;
let count = 0;

const send = (method: string, target: string, as: string, body?: unknown) =>
  archive.call(target, {
    method,
    as,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
const admin = () => archive.clinics.adminId;
const remove = (what: 'patient' | 'study', id: string, as = admin()) =>
  send('DELETE', `/resource/${what}/delete/${id}`, as);
const restore = (what: 'patient' | 'study', id: string, as = admin()) =>
  send('PUT', `/resource/${what}/restore/${id}`, as);
const statusAndCode = async (reply: Response) => [reply.status, problem.parse(await reply.json()).code];
const studiesOf = async (id: string): Promise<Study[]> =>
  (await (await archive.call(`/resource/study/bypatient/${id}`)).json()).data;

const newPatient = (fields: Partial<Parameters<ArchiveUnderTest['addPatient']>[0]> = {}) => {
  count += 1;
  number = `19800101-${1000 + count}`;
  return archive.addPatient({ customerId: archive.clinics.customerId, personalNumber: number, ...fields });
};
const files = (images: number, description = 'Kontroll') => {
  count += 1;
  const study = `2.25.6${count}`;
  return Object.fromEntries(
    Array.from({ length: images }, (_, index) => [
      `${index}.dcm`,
      smallObject({
        StudyInstanceUID: study,
        SeriesInstanceUID: `${study}.1`,
        SOPInstanceUID: `${study}.1.${index}`,
        StudyDescription: description,
        InstanceNumber: index + 1,
      }),
    ]),
  );
};
const deletedList = async <Row>(
  what: 'patient' | 'study',
  search: object = {},
): Promise<{ data: Row[]; totalCount: number; isTotalExact: boolean; next: string | null }> => {
  const body = { customerId: archive.clinics.customerId, ...search };
  const reply = await archive.post(`/resource/${what}/search/deleted`, body, admin());
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
  return reply.json();
};
const entriesOf = (id: string, ...actions: string[]) =>
  archive.db
    .selectFrom('access_log')
    .select(['action', 'account_id', 'object_id'])
    .where('patient_id', '=', id)
    .where('action', 'in', actions as never)
    .orderBy('id')
    .execute();

beforeAll(async () => {
  archive = await archiveUnderTest();
});
afterAll(() => archive.close());
beforeEach(async () => {
  patientId = await newPatient();
});

describe('the list of deleted patients', () => {
  test('shows patient, time and deleting user, and logs each patient', async () => {
    await archive.importAll(patientId, files(1));
    const from = Date.now();
    await remove('patient', patientId);
    const { data, totalCount, isTotalExact, next } = await deletedList<DeletedPatient>('patient', { q: number });
    expect([totalCount, isTotalExact, next]).toEqual([1, true, null]);
    const row = deletedPatient.parse(data[0]);
    expect(row).toMatchObject({
      id: patientId,
      customerId: archive.clinics.customerId,
      totalStudies: 1,
      mainInfo: { firstName: 'Åsa', lastName: 'Lindström', personalNumber: number },
      deletedBy: { id: admin(), name: 'Anna Prov' },
    });
    expect(Date.parse(row.deletedAt)).toBeGreaterThanOrEqual(from);
    const listed = await entriesOf(patientId, 'patient.listed');
    expect(listed.filter(({ account_id }) => account_id === admin())).toEqual([
      { action: 'patient.listed', account_id: admin(), object_id: null },
    ]);
  });

  test('finds normalized name prefixes in any order, and numbers with and without dash and century', async () => {
    const id = await newPatient({ firstName: 'Björn-Ole', lastName: 'Ångström', personalNumber: '19550307-2391' });
    await remove('patient', id);
    const finds = async (q: string) =>
      (await deletedList<DeletedPatient>('patient', { q, ppage: 100 })).data.some((row) => row.id === id);
    for (const q of [
      'angs',
      'ÅNGSTRÖM bjorn',
      'bj ole',
      '195503072391',
      '550307-2391',
      '5503072391',
      '2391',
      'ång 2391',
    ])
      expect(await finds(q), q).toBe(true);
    for (const q of ['strom', 'angs nils', '550307-2392', '%', '- -', 'ång 2392'])
      expect(await finds(q), q).toBe(false);
  });

  test('is complete by cursor in either order, and filters by day of deletion', async () => {
    const name = `Sorterad${randomUUID().slice(0, 4)}`.replace(/\d/g, 'x');
    const ids: string[] = [];
    for (const [index, lastName] of ['Öberg', 'Aasen', 'Ek', 'Zetter', 'Åberg'].entries()) {
      const id = await newPatient({ firstName: name, lastName });
      await remove('patient', id);
      await archive.db
        .updateTable('patient')
        .set({ deleted_at: `2026-03-0${index + 1}T23:30:00+01:00` })
        .where('id', '=', id)
        .execute();
      ids.push(id);
    }
    const allPages = async (search: object) => {
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const page = await deletedList<DeletedPatient>('patient', {
          q: name,
          ppage: 2,
          ...search,
          ...(after && { after }),
        });
        expect(page.totalCount).toBe(5);
        seen.push(...page.data.map(({ id }) => id));
        after = page.next ?? undefined;
      } while (after);
      return seen.map((id) => ids.indexOf(id));
    };
    expect(await allPages({})).toEqual([4, 3, 2, 1, 0]);
    expect(await allPages({ order: 'asc' })).toEqual([0, 1, 2, 3, 4]);
    expect(await allPages({ sort: 'name', order: 'asc' })).toEqual([1, 2, 3, 4, 0]);
    expect(await allPages({ sort: 'name', order: 'desc' })).toEqual([0, 4, 3, 2, 1]);
    const between = await deletedList<DeletedPatient>('patient', { q: name, from: '2026-03-02', to: '2026-03-03' });
    expect(between.data.map(({ id }) => ids.indexOf(id))).toEqual([2, 1]);
    const { next } = await deletedList<DeletedPatient>('patient', { q: name, ppage: 2 });
    for (const other of [
      { q: 'Åsa' },
      { q: name, sort: 'name' },
      { q: name, order: 'asc' },
      { q: name, from: '2026-01-01' },
    ]) {
      const body = { customerId: archive.clinics.customerId, ppage: 2, after: next, ...other };
      expect(await statusAndCode(await archive.post('/resource/patient/search/deleted', body, admin()))).toEqual([
        400,
        'invalid-request',
      ]);
    }
  });

  test('is the same by GET', async () => {
    await remove('patient', patientId);
    const query = new URLSearchParams({ customerId: archive.clinics.customerId, q: 'lindstr', ppage: '3' });
    const got = await archive.call(`/resource/patient/search/deleted?${query}`, { as: admin() });
    const { next: _, ...page } = await deletedList<DeletedPatient>('patient', { q: 'lindstr', ppage: 3 });
    expect(await got.json()).toMatchObject(page);
  });
});

describe('the list of deleted studies', () => {
  test('shows individually deleted studies with what is restored with them, and none of a deleted patient', async () => {
    const id = await newPatient({ firstName: 'Märta', lastName: 'Sjöö' });
    await archive.importAll(id, files(2, 'Visdomständer höger'));
    const [study] = await studiesOf(id);
    const fields = { description: 'Visdomständer höger', studyDate: '2026-03-12', accessionNumber: 'RTG-77012' };
    await send('PUT', '/resource/study/update', admin(), { id: study?.id, version: 1, ...fields });
    await remove('study', study?.id ?? '', archive.clinics.doctorId);
    const list = (q: string) => deletedList<DeletedStudy>('study', { q });
    for (const q of ['visdom', 'hoger märta', 'rtg-770', 'sjoo 80', number])
      expect((await list(q)).totalCount, q).toBe(1);
    for (const q of ['tander', 'visdom nils', 'rtg-771']) expect((await list(q)).totalCount, q).toBe(0);
    expect((await list('visdom')).data).toMatchObject([
      {
        id: study?.id,
        uid: study?.uid,
        patientId: id,
        customerId: archive.clinics.customerId,
        patient: { firstName: 'Märta', lastName: 'Sjöö', personalNumber: number, birthDate: '1980-01-01' },
        description: 'Visdomständer höger',
        accessionNumber: 'RTG-77012',
        images: 2,
        viewsets: 0,
        deletedBy: { id: archive.clinics.doctorId, name: 'Anna Prov' },
      },
    ]);
    expect((await entriesOf(id, 'patient.listed')).length).toBeGreaterThan(0);
    await remove('patient', id);
    expect((await list('visdom')).totalCount).toBe(0);
    await restore('patient', id);
    expect((await list('visdom')).totalCount).toBe(1);
    await restore('study', study?.id ?? '');
    expect((await list('visdom')).totalCount).toBe(0);
    const stored = await archive.db
      .selectFrom('study')
      .select(['deleted_at', 'deleted_by'])
      .where('id', '=', study?.id ?? '')
      .executeTakeFirst();
    expect(stored).toEqual({ deleted_at: null, deleted_by: null });
  });

  test('omits studies that are imported again', async () => {
    const again = files(1, 'Återimport');
    await archive.importAll(patientId, again);
    const [study] = await studiesOf(patientId);
    await remove('study', study?.id ?? '');
    expect((await deletedList<DeletedStudy>('study', { q: 'aterimport' })).totalCount).toBe(1);
    await archive.importAll(patientId, again);
    expect((await deletedList<DeletedStudy>('study', { q: 'aterimport' })).totalCount).toBe(0);
    expect(await studiesOf(patientId)).toHaveLength(1);
  });
});
