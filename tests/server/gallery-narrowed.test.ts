import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GalleryPage } from '../../contract/gallery.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { addClinic } from './clinic.ts';
import { addImage, addPatient, addSeries, addStudy } from './gallery-clinic.ts';

let archive: ArchiveUnderTest;
beforeAll(async () => {
  archive = await archiveUnderTest();
});
afterAll(() => archive.close());

const search = (customerId: string, filter: object, as = archive.clinics.superId) =>
  archive.post('/resource/image/search', { customerId, ...filter }, as);

const page = async (customerId: string, filter: object, as?: string): Promise<GalleryPage> => {
  const reply = await search(customerId, filter, as);
  if (reply.status !== 200) throw new Error(`${reply.status} ${await reply.text()}`);
  return reply.json();
};
const idsOf = async (customerId: string, filter: object, as?: string): Promise<string[]> =>
  (await page(customerId, filter, as)).data.map(({ uid }) => uid);

/** A patient with two studies; `added` are their images by acquisition date. */
const patientWithImages = async (customerId: string, lastName: string) => {
  const { db } = archive;
  const patient = await addPatient(db, customerId, 'Åsa', lastName);
  const studies = [await addStudy(db, patient), await addStudy(db, patient)] as const;
  const series = await Promise.all(studies.map((study) => addSeries(db, study)));
  const added: string[] = [];
  for (let day = 1; day <= 4; day++)
    added.push(await addImage(db, customerId, series[day % 2] ?? '', { acquired_at: `2026-03-0${day}T10:00:00` }));
  return { patient, studies, added };
};

describe('the images of one patient', () => {
  it('are listed newest first, without those of a patient of the same name', async () => {
    const customerId = await addClinic(archive.db, `Galleri ${randomUUID()}`);
    const { patient, added } = await patientWithImages(customerId, 'Björk');
    const namesake = await patientWithImages(customerId, 'Björk');
    const newest = await page(customerId, { patientId: patient.id, ppage: 3 });
    expect(newest.data.map(({ uid }) => uid)).toEqual(added.toReversed().slice(0, 3));
    expect(newest).toMatchObject({ totalCount: 4, isTotalExact: true });
    expect(await idsOf(customerId, { patientId: namesake.patient.id })).toEqual(namesake.added.toReversed());
    const none = await addPatient(archive.db, customerId, 'Nils', 'Ek');
    expect(await page(customerId, { patientId: none.id })).toMatchObject({ data: [], totalCount: 0 });
  });

  it('are found under a new name as soon as the patient has it', async () => {
    const customerId = await addClinic(archive.db, `Galleri ${randomUUID()}`);
    const { patient, added } = await patientWithImages(customerId, 'Björk');
    await archive.db.updateTable('patient').set({ last_name: 'Öman' }).where('id', '=', patient.id).execute();
    expect(await idsOf(customerId, { patientId: patient.id })).toEqual(added.toReversed());
  });

  it('are paged like any other list, and a cursor is valid for that patient only', async () => {
    const customerId = await addClinic(archive.db, `Galleri ${randomUUID()}`);
    const { patient, added } = await patientWithImages(customerId, 'Björk');
    const { next: after } = await page(customerId, { patientId: patient.id, ppage: 3 });
    expect(await idsOf(customerId, { patientId: patient.id, ppage: 3, after })).toEqual([added[0]]);
    expect((await search(customerId, { ppage: 3, after })).status).toBe(400);
  });
});

describe('the images of one study', () => {
  it('are those of all its series, and of no other study of the patient', async () => {
    const customerId = await addClinic(archive.db, `Galleri ${randomUUID()}`);
    const { patient, studies, added } = await patientWithImages(customerId, 'Björk');
    const second = await addImage(archive.db, customerId, await addSeries(archive.db, studies[0], 'PX'), {
      acquired_at: '2026-03-05T10:00:00',
    });
    expect(await idsOf(customerId, { studyId: studies[0] })).toEqual([second, added[3], added[1]]);
    expect(await idsOf(customerId, { studyId: studies[1] })).toEqual([added[2], added[0]]);
    expect(await idsOf(customerId, { studyId: studies[0], patientId: patient.id, modalities: ['PX'] })).toEqual([
      second,
    ]);
    expect(await idsOf(customerId, { studyId: randomUUID() })).toEqual([]);
  });
});

describe('a user of another clinic', () => {
  it('gets 404, and finds none of its images through their own clinic', async () => {
    const { doctorId, customerId, otherCustomerId } = archive.clinics;
    const { patient, studies, added } = await patientWithImages(otherCustomerId, 'Björk');
    for (const filter of [{ patientId: patient.id }, { studyId: studies[0] }]) {
      expect(await idsOf(otherCustomerId, filter)).not.toEqual([]);
      expect((await search(otherCustomerId, filter, doctorId)).status).toBe(404);
      expect(await page(customerId, filter, doctorId)).toMatchObject({ data: [], totalCount: 0 });
    }
    expect(await idsOf(otherCustomerId, { patientId: patient.id })).toHaveLength(added.length);
  });

  it('causes a log entry only for images they saw', async () => {
    const { db, clinics } = archive;
    const { patient } = await patientWithImages(clinics.otherCustomerId, 'Öst');
    const entries = () =>
      db.selectFrom('access_log').select(['action', 'account_id']).where('patient_id', '=', patient.id).execute();
    await page(clinics.customerId, { patientId: patient.id }, clinics.doctorId);
    expect(await entries()).toEqual([]);
    await page(clinics.otherCustomerId, { patientId: patient.id });
    expect(await entries()).toEqual([{ action: 'image.listed', account_id: clinics.superId }]);
  });
});
