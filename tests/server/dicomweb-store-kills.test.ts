import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openDiskStore } from '../../server/storage/disk-store.ts';
import { firstSeed, randomFrom } from '../dicom/mutate.ts';
import { relatedBody, relatedType } from './dicomweb-store-under-test.ts';
import { objectAt } from './dicomweb-under-test.ts';
import { type MortalArchive, mortalArchive } from './killable-archive.ts';

let mortal: MortalArchive;

beforeAll(async () => {
  mortal = await mortalArchive('store');
});
afterEach(() => mortal.killAll());
afterAll(() => mortal.close());

const root = '2.25.94';
const objects = new Map(
  Array.from({ length: 60 }, (_, index): [string, Uint8Array] => [
    `${root}.1.1.${index + 1}`,
    objectAt(root, {}, index + 1),
  ]),
);
const hashOf = (uid: string) =>
  createHash('sha256')
    .update(objects.get(uid) ?? '')
    .digest('hex');

/** Sends the objects three by three, and returns the UIDs that were acknowledged before the server went away. */
const sendAll = async (url: string): Promise<string[]> => {
  const acknowledged: string[] = [];
  const uids = [...objects.keys()];
  for (let at = 0; at < uids.length; at += 3) {
    const some = uids.slice(at, at + 3);
    const body = relatedBody(some.map((uid) => objects.get(uid) ?? new Uint8Array()));
    const init = { method: 'POST', headers: { 'content-type': relatedType }, body };
    const reply = await fetch(`${url}/dicomweb/${mortal.clinics.customerId}/studies`, init).catch(() => null);
    if (reply?.status !== 200) return acknowledged;
    const text = await reply.text().catch(() => '');
    acknowledged.push(...some.filter((uid) => text.includes(`"${uid}"`)));
  }
  return acknowledged;
};

it('has every acknowledged object, once, however often the server is killed', async () => {
  console.log(`seed ${firstSeed}`);
  const random = randomFrom(firstSeed);
  const acknowledged = new Set<string>();
  for (let round = 0; round < 8; round++) {
    const server = mortal.start();
    const sending = sendAll(await server.url);
    setTimeout(() => void server.kill(), random(400));
    for (const uid of await sending) acknowledged.add(uid);
    await server.kill();
    const rows = await mortal.db.selectFrom('import_file').select(['file_name', 'sha256']).execute();
    const hashes = new Map(rows.map((row) => [row.file_name, row.sha256]));
    for (const uid of acknowledged) expect(hashes.get(`${uid}.dcm`)).toBe(hashOf(uid));
  }
  const files = await openDiskStore(`${mortal.dataFolder}/files`);
  for (const uid of acknowledged) expect(await files.verify(hashOf(uid))).toBe(objects.get(uid)?.length);

  const server = mortal.start();
  const url = await server.url;
  expect(await sendAll(url)).toHaveLength(objects.size);
  const post = async (target: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${url}${target}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(reply.status, await reply.text()).toBe(200);
  };
  const steps = () => mortal.db.selectFrom('import_task').select(['id', 'step', 'error', 'judged_at']).execute();
  await expect
    .poll(async () => (await steps()).every((task) => task.judged_at !== null), { timeout: 60_000 })
    .toBe(true);
  for (const { id, step } of await steps()) {
    if (step !== 3) continue;
    await post('/resource/ImageImport/decide', { id, key: `${root}.1`, patientId: mortal.patientId });
    await post('/resource/ImageImport/dicom/import', { id });
    await expect.poll(async () => (await steps()).find((task) => task.id === id)?.step, { timeout: 60_000 }).toBe(5);
  }
  const images = await mortal.db.selectFrom('image').select(['sop_instance_uid', 'sha256']).execute();
  expect(new Map(images.map((row) => [row.sop_instance_uid, row.sha256]))).toEqual(
    new Map([...objects.keys()].map((uid) => [uid, hashOf(uid)])),
  );
  expect(images).toHaveLength(objects.size);
}, 240_000);
