import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { dataSetOf } from '../../server/dicom-gateway/data-set-of.ts';
import type { IncomingObject } from '../../server/dimse/provider/object-sink.ts';
import { openDiskStore } from '../../server/storage/disk-store.ts';
import { firstSeed, randomFrom } from '../dicom/mutate.ts';
import { objectAt } from './dicomweb-under-test.ts';
import { startArchive } from './dimse/peers.ts';
import { type MortalArchive, mortalArchive } from './killable-archive.ts';

let mortal: MortalArchive;

beforeAll(async () => {
  mortal = await mortalArchive('sending');
});
afterEach(() => mortal.killAll());
afterAll(() => mortal.close());

const root = '2.25.231';
const numbers = Array.from({ length: 60 }, (_, index) => index + 1);

const hashed = async (bytes: AsyncIterable<Uint8Array>): Promise<string> => {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts).toString('base64');
};
async function* whole(bytes: Uint8Array) {
  yield bytes;
}

it('sends each image byte for byte, however often the server is killed', async () => {
  console.log(`seed ${firstSeed}`);
  const random = randomFrom(firstSeed);
  const first = mortal.start();
  const url = await first.url;
  const post = async (target: string, body: object | FormData) => {
    const init =
      body instanceof FormData
        ? { body }
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const reply = await fetch(`${url}${target}`, { method: 'POST', ...init });
    const text = await reply.text();
    expect(reply.status, text).toBe(200);
    return JSON.parse(text);
  };
  const { id: taskId } = await post('/resource/ImageImport', {
    patientId: mortal.patientId,
    totalFilesCount: numbers.length,
  });
  for (const number of numbers) {
    const form = new FormData();
    form.append('id', taskId);
    form.append(
      'file',
      new Blob([Uint8Array.from(objectAt(root, { PatientID: '19800101-1234' }, number))]),
      `${number}.dcm`,
    );
    await post('/resource/ImageImport/dicom', form);
  }
  const step = () => mortal.db.selectFrom('import_task').select('step').where('id', '=', taskId).executeTakeFirst();
  await post('/resource/ImageImport/dicom/parse', { id: taskId });
  await expect.poll(async () => (await step())?.step, { timeout: 60_000 }).toBe(3);
  await post('/resource/ImageImport/dicom/import', { id: taskId, mismatchConfirmed: true });
  await expect.poll(async () => (await step())?.step, { timeout: 60_000 }).toBe(5);

  // Each image takes a moment, so that kills hit the middle of the sending.
  const received = new Map<string, string>();
  let objects = 0;
  const peer = await startArchive({}, async ({ sopInstanceUid }: IncomingObject) => {
    const parts: Uint8Array[] = [];
    await new Promise((resolve) => setTimeout(resolve, 20));
    return {
      write: async (chunk) => void parts.push(chunk.slice()),
      commit: async () => {
        objects += 1;
        received.set(sopInstanceUid, await hashed(dataSetOf(whole(Buffer.concat(parts)))));
      },
      discard: async () => undefined,
    };
  });
  const deviceId = crypto.randomUUID();
  await mortal.db
    .insertInto('dicom_device')
    .values({
      id: deviceId,
      customer_id: mortal.clinics.customerId,
      name: 'PACS',
      ae_title: 'PACS',
      address: '127.0.0.1',
      port: peer.port,
      can_retrieve: false,
      can_store: false,
      at_once: false,
      created_by: mortal.clinics.adminId,
    })
    .execute();
  const { id } = await post('/resource/dicom-sending/create', { deviceId, patientId: mortal.patientId });
  await first.kill();

  let kills = 0;
  const state = () => mortal.db.selectFrom('dicom_sending').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  while (received.size < numbers.length && kills < 20) {
    const before = objects;
    const server = mortal.start({ sends: true });
    await server.url;
    await expect
      .poll(() => objects - before > random(6) || received.size === numbers.length, { timeout: 30_000, interval: 5 })
      .toBe(true);
    await server.kill();
    kills += 1;
  }
  expect(kills).toBeGreaterThan(3);
  const last = mortal.start({ sends: true });
  await last.url;
  await expect.poll(async () => (await state()).ended_at !== null, { timeout: 30_000 }).toBe(true);
  expect((await state()).failure).toBeNull();
  const outcomes = await mortal.db.selectFrom('dicom_sending_image').select('outcome').execute();
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(numbers.length).fill('sent'));
  const files = await openDiskStore(`${mortal.dataFolder}/files`);
  const images = await mortal.db.selectFrom('image').select(['sop_instance_uid', 'sha256']).execute();
  expect(images).toHaveLength(numbers.length);
  for (const { sop_instance_uid: uid, sha256 } of images) {
    const stored = await readFile(await files.localPath(sha256));
    expect(received.get(uid)).toBe(await hashed(dataSetOf(whole(stored))));
  }
  // At most the image that was on its way is sent twice.
  expect(objects - numbers.length).toBeLessThanOrEqual(kills * 2);
}, 240_000);
