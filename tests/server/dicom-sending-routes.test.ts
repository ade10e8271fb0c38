import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { OpenSink } from '../../server/dimse/provider/object-sink.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { dicomWebOf, objectAt } from './dicomweb-under-test.ts';
import { startArchive } from './dimse/peers.ts';
import { type SendingUnderTest, sendingUnderTest } from './sending-under-test.ts';

let archive: ArchiveUnderTest;
let sending: SendingUnderTest;
let patientId: string;

beforeAll(async () => {
  archive = await archiveUnderTest();
  sending = sendingUnderTest(archive);
  patientId = await dicomWebOf(archive).addPatient({ personalNumber: '19800101-1234' }, [
    objectAt('2.25.221', {}, 1),
    objectAt('2.25.221', {}, 2),
  ]);
});
afterAll(async () => {
  await sending?.close();
  await archive?.close();
});
beforeEach(async () => {
  await archive.db.deleteFrom('dicom_sending').execute();
  await archive.db.deleteFrom('dicom_device').execute();
});

/** A device whose first object waits until `go` is called. */
const waitingDevice = async () => {
  const stored: string[] = [];
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const sink: OpenSink = async ({ sopInstanceUid }) => ({
    write: async () => {
      begun.resolve();
      await gate.promise;
    },
    commit: async () => void stored.push(sopInstanceUid),
    discard: async () => undefined,
  });
  const peer = await startArchive({}, sink);
  return { ...peer, stored, begun: begun.promise, go: gate.resolve };
};

/** Passes connections on to a port; `closed` resolves when the sender has closed one. */
const inFrontOf = async (target: number) => {
  const closed = Promise.withResolvers<void>();
  const front = createServer((socket) => {
    const device = connect(target, '127.0.0.1');
    socket.pipe(device).pipe(socket);
    socket.on('error', () => undefined).on('end', closed.resolve);
    device.on('error', () => undefined);
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  onTestFinished(() => void front.close());
  return { port: (front.address() as AddressInfo).port, closed: closed.promise };
};

const destinations = async (as?: string, customerId = archive.clinics.customerId) => {
  const reply = await archive.call(
    `/resource/dicom-sending/destinations/${customerId}`,
    as === undefined ? {} : { as },
  );
  return { status: reply.status, body: await reply.json() };
};

describe('sending as a user', () => {
  it('lists the devices of the clinic that have a port, without addresses', async () => {
    const id = await sending.addDevice();
    await sending.addDevice({ name: 'Panorama', aeTitle: 'OPG', port: null });
    await sending.addDevice({ customerId: archive.clinics.otherCustomerId, aeTitle: 'OTHER' });
    expect(await destinations()).toEqual({
      status: 200,
      body: { devices: [{ id, name: 'PACS', aeTitle: 'PACS' }] },
    });
    expect((await destinations(undefined, archive.clinics.otherCustomerId)).status).toBe(404);
  });

  it('sends only to devices of the clinic of the patient, and only images of a clinic of the user', async () => {
    const deviceId = await sending.addDevice();
    const elsewhere = await sending.addDevice({ customerId: archive.clinics.otherCustomerId, aeTitle: 'OTHER' });
    const onlyCalls = await sending.addDevice({ aeTitle: 'OPG', port: null });
    const { otherDoctorId } = archive.clinics;
    for (const id of [elsewhere, onlyCalls, randomUUID()])
      expect((await sending.create({ deviceId: id, patientId })).status).toBe(404);
    expect((await sending.create({ deviceId, patientId }, otherDoctorId)).status).toBe(404);
    expect((await sending.create({ deviceId: elsewhere, patientId }, otherDoctorId)).status).toBe(404);
    const empty = await archive.addPatient({ customerId: archive.clinics.customerId, personalNumber: '19700101-1111' });
    expect((await sending.create({ deviceId, patientId: empty })).status).toBe(404);
    expect((await sending.create({ deviceId })).status).toBe(400);
    expect((await sending.create({ deviceId, patientId, studyId: randomUUID() })).status).toBe(400);
    expect(await archive.db.selectFrom('dicom_sending').selectAll().execute()).toEqual([]);
  });

  it('needs the right to take images out', async () => {
    const principal = archive.principals.get(archive.clinics.doctorId);
    if (!principal) throw new Error('there is no doctor');
    archive.principals.set('limited', { ...principal, permissions: [...principal.permissions, 'disable.open'] });
    const deviceId = await sending.addDevice();
    expect((await destinations('limited')).status).toBe(403);
    expect((await sending.create({ deviceId, patientId }, 'limited')).status).toBe(403);
  });

  it('shows and stops only sendings of the user', async () => {
    const peer = await waitingDevice();
    const id = await sending.send({ deviceId: await sending.addDevice({ port: peer.port }), patientId });
    await peer.begun;
    expect(await sending.byId(id)).toMatchObject({ state: 'sending', total: 2, sent: 0, deviceName: 'PACS' });
    const { adminId } = archive.clinics;
    expect(await sending.list(adminId)).toEqual([]);
    expect((await sending.cancel(id, adminId)).status).toBe(404);
    expect((await sending.remove(id, adminId)).status).toBe(404);
    expect((await sending.remove(id)).status).toBe(409);
    peer.go();
    await sending.reaches(id, 'done');
    expect((await sending.remove(id)).status).toBe(200);
    expect(await sending.list()).toEqual([]);
  });

  it('is cancelled while an image is on its way: the association is aborted, and nothing more is sent', async () => {
    const peer = await waitingDevice();
    const { port, closed } = await inFrontOf(peer.port);
    const id = await sending.send({ deviceId: await sending.addDevice({ port }), patientId });
    await peer.begun;
    expect((await sending.cancel(id)).status).toBe(200);
    expect(await sending.byId(id)).toMatchObject({ state: 'cancelled', failure: null });
    await closed;
    peer.go();
    await expect.poll(() => peer.reports.map(({ end }) => end)).toEqual(['aborted-by-peer']);
    expect(peer.stored.length).toBeLessThan(2);
    expect(await sending.byId(id)).toMatchObject({ state: 'cancelled', total: 2, sent: 0 });
    expect(sending.failures).toEqual([]);
  });

  it('is gone with the patient and the image when they are destroyed', async () => {
    await sending.stop();
    const gone = await dicomWebOf(archive).addPatient({ personalNumber: '19500101-5050' }, [objectAt('2.25.222')]);
    await sending.send({ deviceId: await sending.addDevice(), patientId: gone });
    const image = await archive.db
      .selectFrom('image')
      .select('id')
      .where('sop_instance_uid', '=', '2.25.222.1.1.1')
      .executeTakeFirstOrThrow();
    const listed = await archive.db.selectFrom('dicom_sending_image').select('image_id').execute();
    expect(listed).toEqual([{ image_id: image.id }]);
    await archive.db.updateTable('import_file').set({ image_id: null }).where('image_id', '=', image.id).execute();
    await archive.db.deleteFrom('gallery_image').where('image_id', '=', image.id).execute();
    await archive.db.deleteFrom('image').where('id', '=', image.id).execute();
    expect(await archive.db.selectFrom('dicom_sending_image').selectAll().execute()).toEqual([]);
    sending.restart();
  });
});
