import { expect } from 'vitest';
import { firstAdministrator } from '../../contract/account.ts';
import { importSteps } from '../../contract/imports.ts';
import { patientCreate } from '../../contract/patients.ts';
import { password } from '../server/clinic.ts';
import { patientClient } from '../server/outages/client.ts';
import { bearer, signIn } from '../server/running-server.ts';
import { unzipped } from '../server/unzipped.ts';

const email = 'first@prov.example';

/** The first administrator of an installed server. */
export const administratorOf = (url: string) => {
  const client = patientClient(url, email);

  const importImage = async (bytes: Uint8Array): Promise<string> => {
    const { body: clinics } = await client.call('/api/Customer/get_all');
    const created = await client.post(patientCreate.path, {
      customerId: clinics.data[0].id,
      firstName: 'Åsa',
      lastName: 'Lindström',
      personalNumber: '199001019802',
      birthDate: '1990-01-01',
      sex: 'F',
      comments: null,
    });
    expect(created.status, JSON.stringify(created.body)).toBe(200);
    const task = { patientId: created.body.id, kind: 'dicom', name: 'one', totalFilesCount: 1 };
    const { body: begun } = await client.post('/resource/ImageImport', task);
    const { id } = begun;
    const sent = await client.call('/resource/ImageImport/batch', () => {
      const form = new FormData();
      form.append('id', id);
      form.append('path', 'one.dcm');
      form.append('files', new Blob([Uint8Array.from(bytes)]), 'one.dcm');
      return { method: 'POST', body: form };
    });
    expect(sent.status, JSON.stringify(sent.body)).toBe(200);
    const taskAt = async (step: number) => {
      for (;;) {
        const { body } = await client.call(`/resource/ImageImport/${id}`);
        expect(body.error, JSON.stringify(body.files)).toBe(false);
        if (body.step >= step) return body;
      }
    };
    await client.post('/resource/ImageImport/dicom/parse', { id });
    await taskAt(importSteps.validation);
    const confirmed = await client.post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true });
    expect(confirmed.status, JSON.stringify(confirmed.body)).toBe(200);
    const done = await taskAt(importSteps.done);
    return done.files[0].imageUid;
  };

  /** The bytes of the original file. */
  const download = async (imageUid: string): Promise<Buffer> => {
    // Waits for a server that restarts.
    await client.call('/api/Account/info');
    const tokens = await signIn(url, email);
    const reply = await fetch(`${url}/resource/image/download`, {
      method: 'POST',
      headers: { ...bearer(tokens), 'content-type': 'application/json' },
      body: JSON.stringify({ imageUIDs: [imageUid] }),
    });
    expect(reply.status).toBe(200);
    const [entry] = await unzipped(Buffer.from(await reply.arrayBuffer()));
    return entry?.[1] ?? Buffer.alloc(0);
  };
  return { importImage, download };
};

export const createAdministrator = async (url: string, key: string) => {
  const reply = await fetch(`${url}${firstAdministrator.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      key,
      email,
      firstName: 'Eva',
      lastName: 'Först',
      password,
      organisationName: 'Första kliniken',
    }),
  });
  expect(reply.status, await reply.text()).toBe(200);
  return administratorOf(url);
};
