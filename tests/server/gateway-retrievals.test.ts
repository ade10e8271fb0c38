import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readDicomFile } from '../../dicom/file.ts';
import { readElements } from '../../dicom/read-elements.ts';
import { tags } from '../../dicom/tags.ts';
import { transferSyntaxes } from '../../dicom/transfer-syntax.ts';
import { encodeJpegLs } from '../../server/dicom/wasm-encoders.ts';
import { commandFields, statuses } from '../../server/dimse/message/message.ts';
import { rejections } from '../../server/dimse/pdu/pdu.ts';
import { storeService } from '../../server/dimse/provider/store-service.ts';
import { studyRoot } from '../../server/dimse/provider/supported-syntaxes.ts';
import { freePort } from '../free-port.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { dicomWebOf, objectAt } from './dicomweb-under-test.ts';
import { startArchive, storingSyntaxes } from './dimse/peers.ts';
import {
  type GatewayUnderTest,
  gatewayUnderTest,
  identifierOf,
  type Keys,
  moveToClinic,
  type Received,
} from './gateway-under-test.ts';

let archive: ArchiveUnderTest;
let gateway: GatewayUnderTest;
let deviceId: string;

const { explicitLittleEndian: explicit, implicitLittleEndian: implicit } = transferSyntaxes;
const jpegLs = '1.2.840.10008.1.2.4.80';
const jpeg = '1.2.840.10008.1.2.4.50';
const xRay = '1.2.840.10008.5.1.4.1.1.1.1';
const [own, other, packedUid, colourUid, cineUid, implicitUid] = [
  '2.25.111',
  '2.25.112',
  '2.25.113',
  '2.25.114',
  '2.25.115',
  '2.25.116',
];
const patient = { PatientID: '19800101-1234', PatientName: 'Lindström^Åsa' };
const first = objectAt(own, patient);
const second = objectAt(own, patient, 2);
const inSecondSeries = objectAt(own, { ...patient, SeriesInstanceUID: `${own}.1.2`, SeriesNumber: 2 }, 3);
const pixels = new Uint16Array(48).map((_, index) => index * 80);
/** Red, green and blue of a picture of one colour. */
const red = [200, 60, 20];
const cine = new Uint16Array(144).map((_, index) => index * 20);
const nested = {
  ...patient,
  AnatomicRegionSequence: [{ CodeValue: 'T-54260', CodingSchemeDesignator: 'SRT', CodeMeaning: 'Jaw' }],
};

beforeAll(async () => {
  const info = {
    width: 8,
    height: 6,
    bitsPerSample: 16,
    componentCount: 1,
    isSigned: false,
    isUsingColorTransform: false,
  };
  const codestream = (values: Uint16Array) =>
    encodeJpegLs(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), info);
  const frames = await Promise.all([0, 48, 96].map((at) => codestream(cine.slice(at, at + 48))));
  const colour = await sharp(Buffer.alloc(8 * 6 * 3, Buffer.from(red)), { raw: { width: 8, height: 6, channels: 3 } })
    .jpeg()
    .toBuffer();
  archive = await archiveUnderTest();
  gateway = await gatewayUnderTest(archive);
  const web = dicomWebOf(archive);
  await web.addPatient({ personalNumber: '19800101-1234' }, [
    first,
    second,
    inSecondSeries,
    objectAt(packedUid, { ...patient, PixelData: { frames: [await codestream(pixels)] } }, 1, jpegLs),
    objectAt(cineUid, { ...patient, NumberOfFrames: 3, PixelData: { frames } }, 1, jpegLs),
    objectAt(
      colourUid,
      {
        ...patient,
        SamplesPerPixel: 3,
        PlanarConfiguration: 0,
        PhotometricInterpretation: 'YBR_FULL_422',
        BitsAllocated: 8,
        BitsStored: 8,
        HighBit: 7,
        PixelData: { frames: [colour] },
      },
      1,
      jpeg,
    ),
    objectAt(implicitUid, nested, 1, implicit),
  ]);
  const otherId = await web.addPatient({ personalNumber: '19700707-2222' }, [
    objectAt(other, { PatientID: '19700707-2222' }),
  ]);
  await moveToClinic(archive.db, otherId, archive.clinics.otherCustomerId);
});
afterAll(async () => {
  await gateway?.close();
  await archive?.close();
});
beforeEach(async () => {
  await archive.db.deleteFrom('dicom_device').execute();
  gateway.failures.length = 0;
  deviceId = await gateway.addDevice();
});

const ofStudy = (uid: string): Keys => ({ '00080052': 'STUDY', '0020000D': `${uid}.1` });
const ofImage = (uid: string, number = 1): Keys => ({
  '00080052': 'IMAGE',
  '0020000D': `${uid}.1`,
  '0020000E': `${uid}.1.1`,
  '00080018': `${uid}.1.1.${number}`,
});
const dataSetIn = (file: Uint8Array): Buffer => {
  const { dataSet } = readDicomFile(file);
  const [tag = 0] = dataSet.elements.keys();
  return Buffer.from(file.subarray((dataSet.elements.get(tag)?.offset ?? 0) - 8));
};
const storing = (...syntaxes: readonly string[]) => ({ stored: [[xRay, syntaxes]] as const });
const read = ({ dataSet, transferSyntax }: Received) => {
  const view = new DataView(dataSet.buffer, dataSet.byteOffset, dataSet.byteLength);
  return readElements(
    { bytes: dataSet, view, explicitVr: transferSyntax === explicit, littleEndian: true },
    0,
    dataSet.length,
  ).dataSet;
};
const entriesOf = (accountId: string, action: string) =>
  archive.db
    .selectFrom('access_log')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('action', '=', action as never)
    .execute();

describe('C-GET', () => {
  it('sends a study, a series or an image as it is stored, over the same association', async () => {
    const uids = async (keys: Keys) => {
      const { received, last } = await gateway.get(keys, storing(explicit));
      expect(last).toMatchObject({ status: 0, completedSuboperations: received.length, failedSuboperations: 0 });
      return received.map(({ sopInstanceUid }) => sopInstanceUid.slice(own.length + 1));
    };
    expect(await uids(ofStudy(own))).toEqual(['1.1.1', '1.1.2', '1.1.3']);
    expect(await uids({ '00080052': 'SERIES', '0020000D': `${own}.1`, '0020000E': `${own}.1.2` })).toEqual(['1.1.3']);
    expect(await uids(ofImage(own, 2))).toEqual(['1.1.2']);
    expect(await uids({ ...ofImage(own), '00080018': `${own}.1.1.2\\${own}.1.1.1` })).toEqual(['1.1.1', '1.1.2']);
    const { received, answers } = await gateway.get(ofStudy(own), storing(explicit));
    expect(received[0]?.dataSet.equals(dataSetIn(first))).toBe(true);
    expect(
      answers.map(({ command }) => [command.status, command.remainingSuboperations, command.completedSuboperations]),
    ).toEqual([
      [statuses.pending, 2, 1],
      [statuses.pending, 1, 2],
      [0, undefined, 3],
    ]);
  });

  it('sends the compressed object to a peer that takes its syntax', async () => {
    const { received } = await gateway.get(ofStudy(packedUid), storing(jpegLs));
    expect(received[0]?.transferSyntax).toBe(jpegLs);
  });

  it.each([explicit, implicit])('decodes compressed objects for a peer that does not (%s)', async (syntax) => {
    const one = (await gateway.get(ofStudy(packedUid), storing(syntax))).received[0];
    if (!one) throw new Error('nothing came');
    expect(one.transferSyntax).toBe(syntax);
    expect(read(one).bytes(tags.pixelData)).toEqual(Buffer.from(pixels.buffer));
    expect(read(one).text(tags.patientName)).toBe('Lindström^Åsa');
    const several = (await gateway.get(ofStudy(cineUid), storing(syntax))).received[0];
    if (!several) throw new Error('nothing came');
    expect(read(several).bytes(tags.pixelData)).toEqual(Buffer.from(cine.buffer));
    expect(gateway.failures).toEqual([]);
  });

  it('decodes colours to RGB, and keeps saying that something was lost', async () => {
    const one = (await gateway.get(ofStudy(colourUid), storing(explicit))).received[0];
    if (!one) throw new Error('nothing came');
    expect(read(one).code(tags.photometricInterpretation)).toBe('RGB');
    expect(read(one).code(0x00282110)).toBe('01');
    const decoded = read(one).bytes(tags.pixelData) ?? [];
    expect(decoded.length).toBe(8 * 6 * 3);
    for (const [index, value] of red.entries()) expect(Math.abs((decoded[index] ?? 0) - value)).toBeLessThan(6);
  });

  it.each([
    [own, implicit],
    [implicitUid, explicit],
  ])('changes the VR encoding of %s for a peer that takes only the other', async (uid, syntax) => {
    const one = (await gateway.get(ofImage(uid), storing(syntax))).received[0];
    if (!one) throw new Error('nothing came');
    expect(one.transferSyntax).toBe(syntax);
    expect(read(one).bytes(tags.pixelData)).toEqual(Buffer.from(pixels.buffer));
    expect(read(one).number(tags.rows, 'US')).toBe(6);
    if (uid === implicitUid)
      expect(
        read(one)
          .sequence(0x00082218)
          .map((item) => item.code(tags.codeValue)),
      ).toEqual(['T-54260']);
  });

  it('counts and names the objects whose class the peer does not take', async () => {
    const { last, answers, received } = await gateway.get(ofStudy(own), {
      stored: [['1.2.840.10008.5.1.4.1.1.2', [explicit]]],
    });
    expect(received).toEqual([]);
    expect(last).toMatchObject({
      status: statuses.subOperationsImpossible,
      failedSuboperations: 3,
      completedSuboperations: 0,
    });
    expect(answers.at(-1)?.dataSet).toMatchObject({
      '00080058': { Value: [`${own}.1.1.1`, `${own}.1.1.2`, `${own}.1.1.3`] },
    });
  });

  it('sends what is intact, and names what is damaged', async () => {
    const uid = '2.25.117';
    await dicomWebOf(archive).addPatient({ personalNumber: '19600606-3333' }, [
      objectAt(uid, { PatientID: '19600606-3333' }),
      objectAt(uid, { PatientID: '19600606-3333' }, 2),
    ]);
    const { sha256 } = await archive.db
      .selectFrom('image')
      .select('sha256')
      .where('sop_instance_uid', '=', `${uid}.1.1.1`)
      .executeTakeFirstOrThrow();
    await writeFile(await archive.archive.files.localPath(sha256), 'damaged');
    const { last, answers, received } = await gateway.get(ofStudy(uid), storing(explicit));
    expect(received.map(({ sopInstanceUid }) => sopInstanceUid)).toEqual([`${uid}.1.1.2`]);
    expect(last).toMatchObject({
      status: statuses.subOperationsFailed,
      failedSuboperations: 1,
      completedSuboperations: 1,
    });
    expect(answers.at(-1)?.dataSet).toMatchObject({ '00080058': { Value: [`${uid}.1.1.1`] } });
    expect(gateway.failures).toMatchObject([{ code: 'damaged' }]);
  });

  it('sends the patient of the records, as DICOMweb does', async () => {
    const uid = '2.25.118';
    await dicomWebOf(archive).addPatient({ personalNumber: '19500505-4444', firstName: 'Rätt', lastName: 'Person' }, [
      objectAt(uid, { PatientID: '19111111-1111', PatientName: 'Fel^Person' }),
    ]);
    for (const syntax of [explicit, implicit]) {
      const one = (await gateway.get(ofStudy(uid), storing(syntax))).received[0];
      if (!one) throw new Error('nothing came');
      expect([read(one).text(tags.patientId), read(one).text(tags.patientName)]).toEqual([
        '19500505-4444',
        'Person^Rätt',
      ]);
    }
  });

  it('finds nothing of another clinic', async () => {
    for (const keys of [ofStudy(other), ofImage(other), { ...ofStudy(other), '0020000D': `${other}.1\\${own}.1` }]) {
      const { received } = await gateway.get(keys, storing(explicit));
      expect(received.map(({ sopInstanceUid }) => sopInstanceUid)).not.toContain(`${other}.1.1.1`);
    }
    await gateway.addDevice({ aeTitle: 'THEIRS', customerId: archive.clinics.otherCustomerId });
    expect((await gateway.get(ofStudy(other), { ...storing(explicit), aeTitle: 'THEIRS' })).received).toHaveLength(1);
    expect((await gateway.get(ofStudy(own), { ...storing(explicit), aeTitle: 'THEIRS' })).received).toEqual([]);
  });

  it('is refused without the unique key of its level', async () => {
    const incomplete: Keys[] = [{ '00080052': 'STUDY' }, { '00080052': 'IMAGE', '0020000D': `${own}.1` }];
    for (const keys of incomplete)
      expect((await gateway.get(keys, storing(explicit))).last.status).toBe(statuses.dataSetDoesNotMatch);
  });

  it('stops when the peer cancels', async () => {
    const association = await gateway.open(storing(explicit));
    const command = { commandField: commandFields.getRequest };
    const [, , get] = association.contexts.values();
    const cancel = { commandField: commandFields.cancelRequest, respondedMessageId: 7 };
    const { answers, received, last } = await gateway.ask(
      association,
      studyRoot.get,
      command,
      identifierOf(ofStudy(own), false),
      async () => association.send(get?.id ?? 0, cancel),
    );
    // The cancellation may meet the second object under way.
    expect([last.status, last.remainingSuboperations]).toEqual([statuses.cancelled, 3 - received.length]);
    expect(received.length).toBeLessThan(3);
    expect(answers.length).toBeGreaterThan(1);
    await association.release();
  });

  it('logs what it sends: the study, series or image', async () => {
    await gateway.get(ofStudy(own), storing(explicit));
    await gateway.get(ofImage(own), storing(explicit));
    const { id } = await archive.db
      .selectFrom('study')
      .select('id')
      .where('uid', '=', `${own}.1`)
      .executeTakeFirstOrThrow();
    expect(await entriesOf(deviceId, 'study.retrieved')).toMatchObject([
      { object_id: id, customer_id: archive.clinics.customerId, patient_id: expect.any(String), detail: null },
    ]);
    expect(await entriesOf(deviceId, 'image.retrieved')).toHaveLength(1);
  });
});

describe('C-MOVE', () => {
  const destination = async (more: Parameters<typeof startArchive>[0] = {}, aeTitle = 'VIEWER') => {
    const peer = await startArchive(more);
    const id = await gateway.addDevice({ aeTitle, port: peer.port, canRetrieve: false });
    onTestFinished(async () => void (await archive.db.deleteFrom('dicom_device').where('id', '=', id).execute()));
    return peer;
  };

  it('sends to a device of the clinic, as the archive, and logs the destination', async () => {
    const peer = await destination();
    const { last, answers } = await gateway.move(ofStudy(own), { destination: 'VIEWER' });
    expect(last).toMatchObject({
      status: 0,
      completedSuboperations: 3,
      failedSuboperations: 0,
      warningSuboperations: 0,
    });
    expect(answers.map(({ command }) => command.remainingSuboperations)).toEqual([2, 1, undefined]);
    expect(peer.stored.map(({ object }) => object.sopInstanceUid.slice(own.length + 1))).toEqual([
      '1.1.1',
      '1.1.2',
      '1.1.3',
    ]);
    expect(peer.stored[0]?.bytes.subarray(-dataSetIn(first).length).equals(dataSetIn(first))).toBe(true);
    expect(peer.stored[0]?.object.callingAeTitle).toBe('DENTARIUM');
    await expect.poll(() => peer.reports.map(({ end }) => end)).toEqual(['released']);
    expect(await entriesOf(deviceId, 'study.retrieved')).toMatchObject([{ detail: 'VIEWER' }]);
  });

  it('sends compressed objects as they are stored, or decoded', async () => {
    const peer = await destination();
    await gateway.move({ ...ofStudy(packedUid), '0020000D': `${packedUid}.1\\${own}.1` }, { destination: 'VIEWER' });
    expect(peer.stored.map(({ object }) => object.transferSyntaxUid)).toEqual([jpegLs, explicit, explicit, explicit]);
    const received: string[] = [];
    const plain = await destination(
      {
        admit: async () => ({
          syntaxesOf: (uid) => storingSyntaxes(uid) && [implicit],
          services: {
            [commandFields.storeRequest]: storeService(
              async ({ transferSyntaxUid }) => ({
                write: async () => undefined,
                commit: async () => void received.push(transferSyntaxUid),
                discard: async () => undefined,
              }),
              () => undefined,
            ),
          },
        }),
      },
      'PLAIN',
    );
    const { last } = await gateway.move(ofStudy(packedUid), { destination: 'PLAIN' });
    expect([last.status, received]).toEqual([0, [implicit]]);
    await expect.poll(() => plain.reports.length).toBe(1);
  });

  it('knows the devices of the clinic alone as destinations', async () => {
    await gateway.addDevice({ aeTitle: 'NOPORT' });
    await gateway.addDevice({ aeTitle: 'THEIRS', customerId: archive.clinics.otherCustomerId, port: await freePort() });
    for (const aeTitle of ['NOPORT', 'THEIRS', 'UNKNOWN']) {
      const { last } = await gateway.move(ofStudy(own), { destination: aeTitle });
      expect(last).toMatchObject({ status: statuses.destinationUnknown, errorComment: 'The destination is not known' });
    }
    expect(await entriesOf(deviceId, 'study.retrieved')).toEqual([]);
  });

  it('fails when the destination does not answer, or rejects the archive', async () => {
    await gateway.addDevice({ aeTitle: 'ABSENT', port: await freePort() });
    await destination({ admit: async () => rejections.callingAeTitle }, 'STRICT');
    for (const aeTitle of ['ABSENT', 'STRICT'])
      expect((await gateway.move(ofStudy(own), { destination: aeTitle })).last.status).toBe(
        statuses.subOperationsImpossible,
      );
    expect(gateway.failures).toEqual([]);
  });

  it('of nothing succeeds without an association', async () => {
    const peer = await destination();
    for (const keys of [ofStudy('2.25.404'), ofStudy(other)])
      expect((await gateway.move(keys, { destination: 'VIEWER' })).last).toMatchObject({
        status: 0,
        completedSuboperations: 0,
      });
    expect(peer.reports).toEqual([]);
  });

  it('counts what the destination refuses, and ends when it aborts', async () => {
    const refuse = storeService(
      async () => Promise.reject(new Error('full')),
      () => undefined,
    );
    await destination(
      { admit: async () => ({ syntaxesOf: storingSyntaxes, services: { [commandFields.storeRequest]: refuse } }) },
      'FULL',
    );
    const { last } = await gateway.move(ofStudy(own), { destination: 'FULL' });
    expect(last).toMatchObject({ status: statuses.subOperationsImpossible, failedSuboperations: 3 });
    const aborting = { [commandFields.storeRequest]: async (association: { abort(): void }) => association.abort() };
    await destination({ admit: async () => ({ syntaxesOf: storingSyntaxes, services: aborting }) }, 'ABORTS');
    const broken = await gateway.move(ofStudy(own), { destination: 'ABORTS' });
    expect(broken.last).toMatchObject({ status: statuses.subOperationsImpossible, failedSuboperations: 3 });
  });
});
