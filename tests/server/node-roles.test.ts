import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ImportTask } from '../../contract/imports.ts';
import type { SystemDetails } from '../../contract/system-status.ts';
import { insertPatient } from '../../server/db/stores/patients.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { bearer, type RunningServer, runServer, signIn } from './running-server.ts';
import { smallObject } from './small-object.ts';

let database: TestDatabase;
let web: RunningServer;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
let headers: { authorization: string };

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  web = await runServer(database.database, { roles: 'web' });
  headers = bearer(await signIn(web.url, 'doctor@prov.example'));
});
afterAll(async () => {
  await web?.close();
  await database?.close();
});

const post = async (path: string, body: object) =>
  (
    await fetch(`${web.url}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  ).json();

it('a node for users leaves imports and thumbnails to one that works', async () => {
  const patientId = await insertPatient(database.db, {
    id: randomUUID(),
    customerId: clinic.customerId,
    firstName: 'Åsa',
    lastName: 'Lindström',
    personalNumber: '19800101-1234',
    birthDate: '1980-01-01',
    sex: 'F',
    comments: null,
  });
  const { id } = await post('/resource/ImageImport', { patientId, totalFilesCount: 1 });
  const form = new FormData();
  form.append('id', id);
  form.append('file', new Blob([Uint8Array.from(smallObject())]), 'a.dcm');
  await fetch(`${web.url}/resource/ImageImport/dicom`, { method: 'POST', headers, body: form });
  await post('/resource/ImageImport/dicom/parse', { id });
  expect(web.archive.mayWork()).toBe(false);
  expect((await fetch(`${web.url}/health/ready`)).status).toBe(200);
  const work = await runServer(database.database, { roles: 'work' });
  const step = async () => {
    const task: ImportTask = await (await fetch(`${web.url}/resource/ImageImport/${id}`, { headers })).json();
    return task.step;
  };
  await expect.poll(step).toBe(3);
  await post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true });
  await expect.poll(step).toBe(5);
  const thumbnails = () => database.db.selectFrom('image').select('thumb_status').execute();
  await expect.poll(thumbnails).toEqual([{ thumb_status: 'ready' }]);
  await work.close();
});

it('a node that works answers health checks and nothing else, and is no second node for users', async () => {
  const work = await runServer(database.database, { roles: 'work' });
  for (const path of ['/health', '/health/live', '/health/ready'])
    expect((await fetch(`${work.url}${path}`)).status).toBe(200);
  for (const path of [
    '/',
    '/api/Configuration/welcome',
    '/healthy',
    '/.well-known/openid-configuration',
    '/dicomweb/studies',
  ])
    expect([path, (await fetch(`${work.url}${path}`)).status]).toEqual([path, 404]);
  const superHeaders = bearer(await signIn(web.url, 'super@prov.example'));
  const rolesShown = async () => {
    const reply = await fetch(`${web.url}/api/system/details`, { headers: superHeaders });
    const { nodes }: SystemDetails = await reply.json();
    return nodes.map(({ roles }) => roles).sort();
  };
  await expect.poll(rolesShown).toEqual(['web', 'work']);
  const negotiated = await fetch(`${web.url}/resource/importImageHub/negotiate?negotiateVersion=1`, {
    method: 'POST',
    headers,
  });
  expect(JSON.stringify(await negotiated.json())).toContain('LongPolling');
  await work.close();
});
