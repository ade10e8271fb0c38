import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readDicomFile } from '../../dicom/file.ts';
import { tags } from '../../dicom/tags.ts';
import { dataSetOf as withoutMeta } from '../../server/dicom-gateway/data-set-of.ts';
import { commandFields, statuses } from '../../server/dimse/message/message.ts';
import { rejections } from '../../server/dimse/pdu/pdu.ts';
import { type OpenSink, StoreRefused } from '../../server/dimse/provider/object-sink.ts';
import { storeService } from '../../server/dimse/provider/store-service.ts';
import { freePort } from '../free-port.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { dicomWebOf, objectAt } from './dicomweb-under-test.ts';
import { startArchive, storingSyntaxes } from './dimse/peers.ts';
import { type SendingUnderTest, sendingUnderTest } from './sending-under-test.ts';

let archive: ArchiveUnderTest;
let sending: SendingUnderTest;
let patientId: string;
const own = '2.25.211';
const patient = {
  PatientID: '19800101-1234',
  PatientName: 'Lindström^Åsa',
  PatientBirthDate: '19800101',
  PatientSex: 'F',
};
const files = [1, 2, 3].map((number) => objectAt(own, patient, number));
const uidOf = (number: number) => `${own}.1.1.${number}`;

beforeAll(async () => {
  archive = await archiveUnderTest();
  sending = sendingUnderTest(archive);
  patientId = await dicomWebOf(archive).addPatient({ personalNumber: '19800101-1234' }, files);
});
afterAll(async () => {
  await sending?.close();
  await archive?.close();
});
beforeEach(async () => {
  await archive.db.deleteFrom('dicom_sending').execute();
  await archive.db.deleteFrom('dicom_device').execute();
});

const studyId = async () => (await archive.db.selectFrom('study').select('id').executeTakeFirstOrThrow()).id;
const imageId = async (number: number) =>
  (
    await archive.db
      .selectFrom('image')
      .select('id')
      .where('sop_instance_uid', '=', uidOf(number))
      .executeTakeFirstOrThrow()
  ).id;
const dataSetOf = async (file: Uint8Array): Promise<Buffer> =>
  Buffer.concat(await Readable.from(withoutMeta(Readable.from([Buffer.from(file)]))).toArray());
const sentEntries = () =>
  archive.db
    .selectFrom('access_log')
    .select(['account_id', 'customer_id', 'patient_id', 'object_id', 'detail'])
    .where('action', '=', 'image.sent')
    .orderBy('id')
    .execute();

/** A device that refuses an object by throwing. */
const deviceThat = async (onObject: (uid: string) => void) => {
  const stored: string[] = [];
  const sink: OpenSink = async ({ sopInstanceUid }) => {
    onObject(sopInstanceUid);
    return {
      write: async () => undefined,
      commit: async () => void stored.push(sopInstanceUid),
      discard: async () => undefined,
    };
  };
  const peer = await startArchive({}, sink);
  return { ...peer, stored };
};

describe('images sent to a device', () => {
  it('arrive byte for byte, each logged, with the study of the user’s choice', async () => {
    const peer = await startArchive();
    const deviceId = await sending.addDevice({ port: peer.port });
    const before = await sentEntries();
    const id = await sending.send({ deviceId, studyId: await studyId() });
    expect(await sending.reaches(id, 'done')).toMatchObject({
      total: 3,
      sent: 3,
      notSent: 0,
      failure: null,
      unsent: [],
    });
    expect(peer.stored.map(({ object }) => object.sopInstanceUid)).toEqual([uidOf(1), uidOf(2), uidOf(3)]);
    for (const [index, { bytes }] of peer.stored.entries())
      expect(await dataSetOf(bytes)).toEqual(await dataSetOf(files[index] ?? new Uint8Array()));
    const { doctorId: account_id, customerId: customer_id } = archive.clinics;
    const entry = { account_id, customer_id, patient_id: patientId, detail: 'PACS' };
    expect((await sentEntries()).slice(before.length)).toEqual([
      { ...entry, object_id: await imageId(1) },
      { ...entry, object_id: await imageId(2) },
      { ...entry, object_id: await imageId(3) },
    ]);
    expect(sending.failures).toEqual([]);
  });

  it('have the identity of the records, also when it is corrected before they leave', async () => {
    await sending.stop();
    const peer = await startArchive();
    const id = await sending.send({ deviceId: await sending.addDevice({ port: peer.port }), patientId });
    const numbered = (personal_number: string) =>
      archive.db.updateTable('patient').set({ personal_number }).where('id', '=', patientId).execute();
    await numbered('19810101-5678');
    onTestFinished(async () => void (await numbered('19800101-1234')));
    sending.restart();
    await sending.reaches(id, 'done');
    const numbers = peer.stored.map(({ bytes }) => readDicomFile(bytes).dataSet.text(tags.patientId));
    expect(numbers).toEqual(Array(3).fill('19810101-5678'));
  });

  it('are not sent when the device does not take their kind or encoding, and are named', async () => {
    const peer = await startArchive({
      admit: async () => ({ syntaxesOf: () => ['1.2.840.10008.1.2'], services: {} }),
    });
    const id = await sending.send({ deviceId: await sending.addDevice({ port: peer.port }), patientId });
    const { unsent, ...done } = await sending.reaches(id, 'done');
    expect(done).toMatchObject({ total: 3, sent: 0, notSent: 3, failure: null });
    expect(unsent[0]).toMatchObject({ imageUID: await imageId(1), number: 1, reason: 'not-accepted', status: null });
    expect(peer.stored).toEqual([]);
  });

  it('are named with the status by which the device refuses them, and the others arrive', async () => {
    const peer = await deviceThat((uid) => {
      if (uid === uidOf(2)) throw new StoreRefused(statuses.cannotUnderstand, 'no');
    });
    const id = await sending.send({ deviceId: await sending.addDevice({ port: peer.port }), patientId });
    expect(await sending.reaches(id, 'done')).toMatchObject({
      sent: 2,
      notSent: 1,
      unsent: [{ number: 2, reason: 'refused', status: statuses.cannotUnderstand }],
    });
    expect(peer.stored).toEqual([uidOf(1), uidOf(3)]);
  });

  it('are counted as gone when they were deleted or moved to another patient meanwhile', async () => {
    await sending.stop();
    const peer = await startArchive();
    const id = await sending.send({ deviceId: await sending.addDevice({ port: peer.port }), patientId });
    const deleted = (at: Date | null) =>
      archive.db.updateTable('image').set({ deleted_at: at }).where('sop_instance_uid', '=', uidOf(1)).execute();
    await deleted(new Date());
    onTestFinished(async () => void (await deleted(null)));
    sending.restart();
    expect(await sending.reaches(id, 'done')).toMatchObject({ sent: 2, unsent: [{ number: 1, reason: 'gone' }] });
    const otherId = await archive.addPatient({
      customerId: archive.clinics.customerId,
      personalNumber: '19700101-1111',
    });
    await sending.stop();
    const second = await sending.send({
      deviceId: await sending.addDevice({ aeTitle: 'B', port: peer.port }),
      patientId,
    });
    const move = (to: string) =>
      archive.db.updateTable('study').set({ patient_id: to }).where('uid', '=', `${own}.1`).execute();
    await move(otherId);
    onTestFinished(async () => void (await move(patientId)));
    sending.restart();
    expect(await sending.reaches(second, 'done')).toMatchObject({ sent: 0, notSent: 2 });
  });

  it('are counted as not readable when the stored file is missing, and the others arrive', async () => {
    const peer = await startArchive();
    const copy = '2.25.212';
    const id = await dicomWebOf(archive).addPatient({ personalNumber: '19600101-1212' }, [
      objectAt(copy, {}, 1),
      objectAt(copy, {}, 2),
    ]);
    const image = await archive.db
      .selectFrom('image')
      .select('sha256')
      .where('sop_instance_uid', '=', `${copy}.1.1.1`)
      .executeTakeFirstOrThrow();
    await rm(await archive.archive.files.localPath(image.sha256));
    const sent = await sending.send({ deviceId: await sending.addDevice({ port: peer.port }), patientId: id });
    expect(await sending.reaches(sent, 'done')).toMatchObject({
      sent: 1,
      unsent: [{ number: 1, reason: 'unreadable' }],
    });
    expect(sending.failures.splice(0)).toHaveLength(1);
  });
});

describe('a device that fails', () => {
  it('is tried again until it answers, and gets each image', async () => {
    const port = await freePort();
    const id = await sending.send({ deviceId: await sending.addDevice({ port }), patientId });
    await expect.poll(async () => (await sending.byId(id)).failure).toBe('unreachable');
    const peer = await startArchive({ port });
    expect(await sending.reaches(id, 'done')).toMatchObject({ sent: 3, failure: null });
    expect(peer.stored).toHaveLength(3);
  });

  it('is given up after a few attempts, with the reason', async () => {
    const id = await sending.send({ deviceId: await sending.addDevice({ port: await freePort() }), patientId });
    expect(await sending.reaches(id, 'failed')).toMatchObject({ sent: 0, notSent: 0, failure: 'unreachable' });
  });

  it('is given up when it is silent', async () => {
    const silent = createServer();
    const port = await new Promise<number>((resolve) => {
      silent.listen(0, '127.0.0.1', () => resolve((silent.address() as { port: number }).port));
    });
    onTestFinished(() => void silent.close());
    const id = await sending.send({ deviceId: await sending.addDevice({ port }), patientId });
    expect(await sending.reaches(id, 'failed')).toMatchObject({ failure: 'unreachable' });
  });

  it('is not tried again after it rejects the archive for good', async () => {
    const peer = await startArchive({ admit: async () => rejections.callingAeTitle });
    const id = await sending.send({ deviceId: await sending.addDevice({ port: peer.port }), patientId });
    expect(await sending.reaches(id, 'failed')).toMatchObject({ failure: 'rejected' });
    expect(peer.reports).toHaveLength(1);
  });

  it('is busy when it has no resources, and gets only what is missing later', async () => {
    let isFull = true;
    const peer = await deviceThat((uid) => {
      if (uid === uidOf(2) && isFull) {
        isFull = false;
        throw new StoreRefused(statuses.outOfResources, 'full');
      }
    });
    const id = await sending.send({ deviceId: await sending.addDevice({ port: peer.port }), patientId });
    expect(await sending.reaches(id, 'done')).toMatchObject({ sent: 3 });
    expect(peer.stored.toSorted()).toEqual([uidOf(1), uidOf(2), uidOf(3)]);
    await expect.poll(() => peer.reports.map(({ end }) => end)).toEqual(['aborted-by-peer', 'released']);
  });

  it('that breaks off at one image gets the others', async () => {
    const stored: string[] = [];
    const store = storeService(
      async ({ sopInstanceUid }) => ({
        write: async () => undefined,
        commit: async () => void stored.push(sopInstanceUid),
        discard: async () => undefined,
      }),
      () => undefined,
    );
    const peer = await startArchive({
      admit: async () => ({
        syntaxesOf: storingSyntaxes,
        services: {
          [commandFields.storeRequest]: async (association, message) => {
            if (message.command.affectedSopInstanceUid === uidOf(1)) return association.abort();
            return store(association, message);
          },
        },
      }),
    });
    const id = await sending.send({ deviceId: await sending.addDevice({ port: peer.port }), patientId });
    expect(await sending.reaches(id, 'failed')).toMatchObject({ sent: 2, notSent: 0, failure: 'unreachable' });
    expect(stored).toEqual([uidOf(2), uidOf(3)]);
  });

  it('gets nothing after it was removed from the list', async () => {
    await sending.stop();
    const peer = await startArchive();
    const id = await sending.send({ deviceId: await sending.addDevice({ port: peer.port }), patientId });
    await archive.db.updateTable('dicom_device').set({ removed_at: new Date() }).execute();
    sending.restart();
    expect(await sending.reaches(id, 'failed')).toMatchObject({ failure: 'removed' });
    expect(peer.reports).toEqual([]);
  });
});
