import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dicomWebRoutes } from '../../contract/dicomweb.ts';
import { importBegin, importConfirm, importGet, importParse } from '../../contract/import-calls.ts';
import { importSteps } from '../../contract/imports.ts';
import { importDicom } from '../../contract/uploads.ts';
import { insertPatient } from '../../server/db/stores/patients.ts';
import { objectAt, partsOf } from './dicomweb-under-test.ts';
import { type ServiceAccountsUnderTest, serviceAccountsUnderTest } from './service-accounts-under-test.ts';

const root = '2.25.4711';
const file = objectAt(root);
let test: ServiceAccountsUnderTest;

/** Imports an image for a new patient of the first clinic, as its doctor. */
beforeAll(async () => {
  test = await serviceAccountsUnderTest();
  const { customerId } = test.clinics;
  const patient = { firstName: 'Åsa', lastName: 'Lindström', personalNumber: '19800101-1234', birthDate: '1980-01-01' };
  const id = randomUUID();
  const patientId = await insertPatient(test.db, { ...patient, id, customerId, sex: 'F', comments: null });
  const { body: task } = await test.callRoute(importBegin, 'doctor', { body: { patientId, totalFilesCount: 1 } });
  const form = new FormData();
  form.append('id', task.id);
  form.append('file', new Blob([Uint8Array.from(file)]), 'image.dcm');
  await test.callRoute(importDicom, 'doctor', { form });
  const reached = async (step: number): Promise<void> => {
    for (;;) {
      const { body } = await test.callRoute(importGet, 'doctor', { params: { id: task.id } });
      if (body.error) throw new Error(JSON.stringify(body));
      if (body.step >= step) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await test.callRoute(importParse, 'doctor', { body: { id: task.id } });
  await reached(importSteps.validation);
  await test.callRoute(importConfirm, 'doctor', { body: { id: task.id, mismatchConfirmed: true } });
  await reached(importSteps.done);
});
afterAll(() => test?.close());

const call = (path: string, authorization: string, clinic = test.clinics.customerId) =>
  fetch(`${test.url}/dicomweb/${clinic}${path}`, { headers: { authorization } });
const readsOf = (accountId: string) =>
  test.db
    .selectFrom('access_log')
    .select(['customer_id', 'action'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();

describe('a service account with dicomweb.read', () => {
  it('finds studies and fetches objects, and each read is in the access log under its id', async () => {
    const { customerId } = test.clinics;
    const made = await test.made();
    const token = await test.tokenOf(made);
    const found = await (await call('/studies?PatientID=19800101-1234', token)).json();
    expect(found).toMatchObject([{ '0020000D': { vr: 'UI', Value: [`${root}.1`] } }]);
    const fetched = await call(`/studies/${root}.1`, token);
    expect(fetched.status).toBe(200);
    const parts = partsOf(Buffer.from(await fetched.arrayBuffer()));
    expect(parts.map(({ body }) => body)).toEqual([Buffer.from(file)]);
    expect(await readsOf(made.account.id)).toEqual([
      { customer_id: customerId, action: 'study.listed' },
      { customer_id: customerId, action: 'study.retrieved' },
    ]);
  });

  it('finds nothing of another clinic', async () => {
    const { customerId, otherCustomerId } = test.clinics;
    const own = await test.tokenOf(await test.made());
    expect((await call('/studies', own, otherCustomerId)).status).toBe(404);
    const made = await test.made({ customerIds: [otherCustomerId] }, 'super');
    const other = await test.tokenOf(made);
    expect(await (await call('/studies', other, otherCustomerId)).json()).toEqual([]);
    for (const clinic of [customerId, otherCustomerId])
      expect((await call(`/studies/${root}.1`, other, clinic)).status, clinic).toBe(404);
  });

  it('may call every route of reading and none of storing; one with dicomweb.write alone may read nothing', async () => {
    for (const [name, route] of Object.entries(dicomWebRoutes))
      expect(route.service, name).toBe(route.method === 'GET' ? 'dicomweb.read' : 'dicomweb.write');
    const reading = await test.tokenOf(await test.made());
    const stored = await fetch(`${test.url}/dicomweb/${test.clinics.customerId}/studies`, {
      method: 'POST',
      headers: { authorization: reading, 'content-type': 'application/dicom' },
      body: Uint8Array.from(file),
    });
    expect(stored.status).toBe(403);
    const writing = await test.tokenOf(await test.made({ scopes: ['dicomweb.write'] }));
    for (const path of ['/studies', `/studies/${root}.1`, `/studies/${root}.1/metadata`])
      expect((await call(path, writing)).status, path).toBe(403);
  });
});
