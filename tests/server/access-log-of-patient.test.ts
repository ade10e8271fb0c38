import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
beforeAll(async () => {
  archive = await archiveUnderTest();
});
afterAll(() => archive.close());

test('every access to a patient is logged: who, what, whose, where; no names', async () => {
  const { doctorId, customerId } = archive.clinics;
  const patientId = await archive.addPatient();
  const imported = await archive.importAll(patientId, { 'a.dcm': smallObject() });
  const imageUid = imported.files[0]?.imageUid ?? '';
  const listed = await archive.addPatient({ customerId, lastName: 'Loggad', personalNumber: '19710101-2390' });
  await archive.post('/resource/patient/search', { customerId, q: 'loggad' });
  await archive.call(`/resource/patient/${listed}`);
  await archive.call(`/resource/study/bypatient/${listed}`);
  const { id } = await (await archive.post('/resource/ImageImport', { patientId: listed, totalFilesCount: 1 })).json();
  await archive.call(`/resource/ImageImport/${id}`);
  await archive.call(`/resource/viewset/get_image?imageUID=${imageUid}`);
  const log = archive.db.selectFrom('access_log').selectAll().orderBy('id');
  const rows = await log.where('patient_id', '=', listed).execute();
  expect(rows.map(({ action }) => action)).toEqual([
    'patient.listed',
    'patient.opened',
    'studies.opened',
    'import.begun',
    'import.opened',
  ]);
  for (const row of rows) expect(row).toMatchObject({ account_id: doctorId, customer_id: customerId });
  const opened = await log.where('object_id', '=', imageUid).execute();
  expect(opened.at(-1)).toMatchObject({ action: 'image.opened', patient_id: patientId, account_id: doctorId });
  const { otherDoctorId, otherCustomerId } = archive.clinics;
  await archive.call(`/resource/patient/${listed}`, { as: otherDoctorId });
  expect(await log.where('patient_id', '=', listed).execute()).toHaveLength(rows.length);
  expect((await log.execute()).at(-1)).toMatchObject({
    action: 'access.refused',
    account_id: otherDoctorId,
    customer_id: otherCustomerId,
    patient_id: null,
    object_id: listed,
  });
});
