import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';

let archive: ArchiveUnderTest;
let patientId: string;

beforeAll(async () => {
  archive = await archiveUnderTest();
  patientId = await archive.addPatient();
});
afterAll(() => archive.close());

test('reports an internal error by its code only', async () => {
  await sql`alter table patient rename to patient_away`.execute(archive.db);
  try {
    const reply = await archive.call(`/resource/patient/${patientId}`);
    const body = { code: 'internal', requestId: expect.any(String) };
    expect([reply.status, await reply.json()]).toEqual([500, body]);
  } finally {
    await sql`alter table patient_away rename to patient`.execute(archive.db);
  }
  expect((await archive.call(`/resource/patient/${patientId}`)).status).toBe(200);
});

test('answers 409 for an import without files', async () => {
  const { id } = await (await archive.post('/resource/ImageImport', { patientId, totalFilesCount: 1 })).json();
  const reply = await archive.post('/resource/ImageImport/dicom/parse', { id });
  expect([reply.status, await reply.json()]).toMatchObject([409, { code: 'nothing-to-import' }]);
});
