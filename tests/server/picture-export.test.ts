import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { codeOf, printUnderTest } from './print-under-test.ts';

const bench = printUnderTest();
const { newPatient, entries } = bench;

describe('an export', () => {
  it('is logged for each image with recipient and purpose', async () => {
    const { patient, image } = await newPatient();
    const ids = [await image(), await image()];
    const reply = await bench.archive.post('/resource/image/export', {
      imageUIDs: ids,
      recipient: 'Patienten',
      purpose: 'eget bruk',
    });
    expect([reply.status, await reply.json()]).toEqual([200, { imageUIDs: ids }]);
    const entry = {
      action: 'image.exported',
      account_id: bench.archive.clinics.doctorId,
      detail: 'Patienten: eget bruk',
    };
    expect(await entries(patient.id)).toEqual(ids.map((object_id) => ({ ...entry, object_id })));
  });

  it('is not found, and logs nothing, when one image is not accessible', async () => {
    const { patient, image } = await newPatient();
    const id = await image();
    expect(await codeOf(await bench.archive.post('/resource/image/export', { imageUIDs: [id, randomUUID()] }))).toEqual(
      [404, 'not-found'],
    );
    expect(
      await codeOf(
        await bench.archive.post('/resource/image/export', { imageUIDs: [id] }, bench.archive.clinics.otherDoctorId),
      ),
    ).toEqual([404, 'not-found']);
    expect(await entries(patient.id)).toEqual([]);
  });
});
