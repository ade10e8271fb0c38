import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstSeed, randomFrom } from '../dicom/mutate.ts';
import { referenceTo, reportedDevice } from './commitment-under-test.ts';
import { type MortalArchive, mortalArchive } from './killable-archive.ts';

let mortal: MortalArchive;

beforeAll(async () => {
  mortal = await mortalArchive('commitment');
});
afterAll(() => mortal?.close());

const requests = 40;

it('reports on each request, however often the process is killed', async () => {
  console.log(`seed ${firstSeed}`);
  const random = randomFrom(firstSeed);
  const peer = await reportedDevice(() => (random(3) === 0 ? 0x0110 : 0));
  const [deviceId, { customerId, adminId }] = [crypto.randomUUID(), mortal.clinics];
  await mortal.db
    .insertInto('dicom_device')
    .values({
      id: deviceId,
      customer_id: customerId,
      name: 'Panorama',
      ae_title: 'UNIT',
      address: '127.0.0.1',
      port: peer.port,
      can_retrieve: false,
      can_store: true,
      at_once: false,
      created_by: adminId,
    })
    .execute();
  const { sopClassUid, sopInstanceUid } = referenceTo('2.25.411.1.1.1');
  const transactions = Array.from({ length: requests }, (_, index) => `2.25.412.${index}`);
  for (const transactionUid of transactions)
    await mortal.db
      .insertInto('commitment_request')
      .values({
        id: crypto.randomUUID(),
        customer_id: customerId,
        device_id: deviceId,
        transaction_uid: transactionUid,
        objects: JSON.stringify([[sopClassUid, sopInstanceUid]]),
      })
      .execute();
  let kills = 0;
  while (new Set(peer.reports.map((one) => one.transaction)).size < requests && kills < 30) {
    const before = peer.attempts();
    const process = mortal.start({ reports: true });
    await expect
      .poll(() => peer.attempts() - before > random(8) || peer.reports.length >= requests, {
        timeout: 30_000,
        interval: 5,
      })
      .toBe(true);
    await process.kill();
    kills += 1;
  }
  expect(kills).toBeGreaterThan(2);
  mortal.start({ reports: true });
  const waiting = () => mortal.db.selectFrom('commitment_request').select('id').execute();
  await expect.poll(waiting, { timeout: 60_000 }).toEqual([]);
  expect([...new Set(peer.reports.map((one) => one.transaction))].sort()).toEqual(transactions.sort());
  expect(peer.reports.every(({ failed }) => failed[0]?.[1] === 0x0112)).toBe(true);
  await mortal.killAll();
  await peer.close();
}, 240_000);
