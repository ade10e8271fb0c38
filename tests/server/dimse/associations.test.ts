import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readDicomFile } from '../../../dicom/file.ts';
import { tags } from '../../../dicom/tags.ts';
import { transferSyntaxes } from '../../../dicom/transfer-syntax.ts';
import { commandFields, statuses } from '../../../server/dimse/message/message.ts';
import { rejections } from '../../../server/dimse/pdu/pdu.ts';
import { StoreRefused } from '../../../server/dimse/provider/object-sink.ts';
import { receivedFileMeta } from '../../../server/dimse/provider/received-file-meta.ts';
import { verificationSopClass } from '../../../server/dimse/provider/supported-syntaxes.ts';
import { AssociationRejected } from '../../../server/dimse/user/open-association.ts';
import { createRequests } from '../../../server/dimse/user/requests.ts';
import { bytesOf, element, implicitLittle } from '../../dicom/build-dicom.ts';
import {
  contextsFor,
  drawnObject,
  explicitLittleEndian,
  inPieces,
  intraOralImage,
  openTo,
  startArchive,
  storingSyntaxes,
  usualContexts,
} from './peers.ts';

const sent = (drawn: ReturnType<typeof drawnObject>, pieces?: number) => ({
  sopClassUid: drawn.sopClassUid,
  sopInstanceUid: drawn.sopInstanceUid,
  transferSyntaxUid: explicitLittleEndian,
  dataSet: inPieces(drawn.dataSet, pieces),
});

/** (0002,0016) */
const sourceAeTitle = 0x00020016;

const success = { status: statuses.success, errorComment: null };

describe('an association', () => {
  it('answers C-ECHO and is released', async () => {
    const archive = await startArchive();
    const association = await openTo(archive);
    expect(await createRequests(association).echo(verificationSopClass)).toEqual(success);
    await association.release();
    expect(await association.ended).toBe('released');
    await expect
      .poll(() => archive.reports)
      .toEqual([
        { address: '127.0.0.1', callingAeTitle: 'UNIT', calledAeTitle: 'ARCHIVE', rejection: null, end: 'released' },
      ]);
    expect(archive.errors).toEqual([]);
  });

  it.each([1, 7, 4_094, 65_536, 1_000_000])(
    'stores the data set byte for byte in pieces of %i bytes',
    async (pieces) => {
      const archive = await startArchive();
      const association = await openTo(archive);
      const drawn = drawnObject(pieces === 1 ? 2_000 : 400_001);
      expect(await createRequests(association).store(sent(drawn, pieces))).toEqual(success);
      await association.release();
      const [stored] = archive.stored;
      const object = {
        sopClassUid: drawn.sopClassUid,
        sopInstanceUid: drawn.sopInstanceUid,
        transferSyntaxUid: explicitLittleEndian,
        callingAeTitle: 'UNIT',
        calledAeTitle: 'ARCHIVE',
        address: '127.0.0.1',
      };
      expect(stored?.object).toEqual(object);
      expect(stored?.bytes.equals(Buffer.concat([...receivedFileMeta(object), drawn.dataSet]))).toBe(true);
      const { meta, transferSyntaxUid } = readDicomFile(stored?.bytes ?? Buffer.alloc(0));
      expect(transferSyntaxUid).toBe(explicitLittleEndian);
      expect(meta?.code(tags.mediaStorageSopClassUid)).toBe(drawn.sopClassUid);
      expect(meta?.code(tags.mediaStorageSopInstanceUid)).toBe(drawn.sopInstanceUid);
      expect(meta?.code(sourceAeTitle)).toBe('UNIT');
    },
  );

  it('keeps to the largest PDU that the peer accepts', async () => {
    const archive = await startArchive({ limits: { artimMs: 1_000, peerTimeoutMs: 5_000, maxPduBytes: 4_096 } });
    const association = await openTo(archive);
    expect(association.peerMaxPduBytes).toBe(4_096);
    const drawn = drawnObject(100_000);
    expect(await createRequests(association).store(sent(drawn))).toEqual(success);
    await association.release();
    expect(archive.stored[0]?.bytes.subarray(-drawn.dataSet.length).equals(drawn.dataSet)).toBe(true);
  });

  it('accepts of each context the first of its own transfer syntaxes, and refuses classes and syntaxes by name', async () => {
    const archive = await startArchive();
    const association = await openTo(archive, [
      { id: 1, abstractSyntax: intraOralImage, transferSyntaxes: ['1.2.840.10008.1.2.4.50', explicitLittleEndian] },
      { id: 3, abstractSyntax: intraOralImage, transferSyntaxes: ['1.2.840.10008.1.2.4.50'] },
      { id: 5, abstractSyntax: intraOralImage, transferSyntaxes: ['1.2.3.4'] },
      { id: 7, abstractSyntax: '1.2.840.10008.5.1.4.31', transferSyntaxes: [explicitLittleEndian] },
    ]);
    expect([...association.contexts.values()]).toEqual([
      { id: 1, abstractSyntax: intraOralImage, transferSyntax: explicitLittleEndian },
      { id: 3, abstractSyntax: intraOralImage, transferSyntax: '1.2.840.10008.1.2.4.50' },
    ]);
    await association.release();
  });

  it.each(Object.entries(rejections))('is rejected with the reason of %s', async (_, rejection) => {
    const archive = await startArchive({ admit: async () => rejection });
    const refused = await openTo(archive).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(AssociationRejected);
    expect((refused as AssociationRejected).rejection).toEqual(rejection);
    await expect.poll(() => archive.reports).toMatchObject([{ end: 'rejected', rejection }]);
  });

  it('is rejected when as many as allowed are open, and accepted again when one has ended', async () => {
    const archive = await startArchive({ maxAssociations: 2 });
    const [first, second] = await Promise.all([openTo(archive), openTo(archive)]);
    await expect(openTo(archive)).rejects.toMatchObject({ rejection: rejections.localLimit });
    await first.release();
    await expect.poll(() => archive.reports.filter(({ end }) => end === 'released').length).toBe(1);
    const third = await openTo(archive);
    expect(await createRequests(third).echo(verificationSopClass)).toEqual(success);
    await Promise.all([second.release(), third.release()]);
  });

  it('stores from sixteen at once, each object once', async () => {
    const archive = await startArchive();
    const drawn = Array.from({ length: 16 }, () => [drawnObject(300_000), drawnObject(5), drawnObject(70_000)]);
    await Promise.all(
      drawn.map(async (objects) => {
        const association = await openTo(archive);
        const requests = createRequests(association);
        for (const one of objects) expect(await requests.store(sent(one))).toEqual(success);
        await association.release();
      }),
    );
    const all = drawn.flat();
    expect(archive.stored.length).toBe(all.length);
    for (const { sopInstanceUid, dataSet } of all) {
      const stored = archive.stored.filter(({ object }) => object.sopInstanceUid === sopInstanceUid);
      expect(stored.map(({ bytes }) => bytes.subarray(-dataSet.length).equals(dataSet))).toEqual([true]);
    }
  });
});

describe('an object that cannot be stored', () => {
  const statusOf = async (openSink?: Parameters<typeof startArchive>[1], drawn = drawnObject(300_000)) => {
    const archive = await startArchive({}, openSink);
    const association = await openTo(archive);
    const requests = createRequests(association);
    const { status } = await requests.store(sent(drawn));
    // The association goes on.
    expect(await requests.echo(verificationSopClass)).toEqual(success);
    await association.release();
    return { status, archive };
  };
  const sink = { write: async () => {}, commit: async () => {}, discard: async () => {} };

  it.each([
    ['when it is opened', async () => Promise.reject(new StoreRefused(statuses.outOfResources, 'Full'))],
    ['while it is written', async () => ({ ...sink, write: () => Promise.reject(new StoreRefused(0xa700, 'Full')) })],
    ['when it is committed', async () => ({ ...sink, commit: () => Promise.reject(new StoreRefused(0xa700, 'Full')) })],
  ] as const)('is refused %s with the status of the sink', async (_, openSink) => {
    expect((await statusOf(openSink)).status).toBe(statuses.outOfResources);
  });

  it('is answered with a processing failure when the archive fails, which is logged', async () => {
    const failure = new Error('disk');
    const { status, archive } = await statusOf(async () => ({ ...sink, commit: () => Promise.reject(failure) }));
    expect(status).toBe(statuses.processingFailure);
    expect(archive.errors).toEqual([failure]);
  });

  it('is refused when its UIDs differ from those of the command', async () => {
    const other = drawnObject(10);
    const { status, archive } = await statusOf(undefined, { ...other, dataSet: drawnObject(90_000).dataSet });
    expect(status).toBe(statuses.dataSetDoesNotMatch);
    expect(archive.stored).toEqual([]);
    expect(archive.discarded.length).toBe(1);
  });

  it('is refused when its data set cannot be read', async () => {
    const { status, archive } = await statusOf(undefined, { ...drawnObject(10), dataSet: Buffer.alloc(100_000, 0xa7) });
    expect(status).toBe(statuses.cannotUnderstand);
    expect(archive.stored).toEqual([]);
  });

  it('is refused when its class is not that of the context', async () => {
    const archive = await startArchive();
    const association = await openTo(archive);
    const { sopInstanceUid, dataSet } = drawnObject(10);
    await association.send(
      3,
      {
        commandField: 1,
        messageId: 9,
        affectedSopClassUid: '1.2.840.10008.5.1.4.1.1.2',
        affectedSopInstanceUid: sopInstanceUid,
      },
      inPieces(dataSet),
    );
    expect((await association.receive())?.command).toMatchObject({
      respondedMessageId: 9,
      status: statuses.sopClassNotSupported,
    });
    await association.release();
  });
});

describe('a data set', () => {
  it('with a UID that PS3.5 forbids, but units write, is stored under it', async () => {
    const archive = await startArchive();
    const association = await openTo(archive);
    const sopInstanceUid = '1.02.003.4';
    const dataSet = Buffer.from(
      bytesOf(element(0x00080016, 'UI', intraOralImage), element(0x00080018, 'UI', sopInstanceUid)),
    );
    const object = { sopClassUid: intraOralImage, sopInstanceUid, transferSyntaxUid: explicitLittleEndian };
    const requests = createRequests(association);
    expect(await requests.store({ ...object, dataSet: inPieces(dataSet) })).toEqual(success);
    expect((await requests.store({ ...object, sopInstanceUid: '1..2', dataSet: inPieces(dataSet) })).status).toBe(
      statuses.cannotUnderstand,
    );
    await association.release();
    expect(readDicomFile(archive.stored[0]?.bytes ?? dataSet).meta?.code(tags.mediaStorageSopInstanceUid)).toBe(
      sopInstanceUid,
    );
  });

  it.each([transferSyntaxes.implicitLittleEndian, transferSyntaxes.deflatedLittleEndian])(
    'in %s is checked against the command',
    async (transferSyntaxUid) => {
      const archive = await startArchive();
      const association = await openTo(archive, contextsFor([intraOralImage, transferSyntaxUid]));
      const make = (uid: string) => {
        const syntax = transferSyntaxUid === transferSyntaxes.implicitLittleEndian ? implicitLittle : undefined;
        const plain = bytesOf(
          element(0x00080016, 'UI', intraOralImage, syntax),
          element(0x00080018, 'UI', uid, syntax),
          element(0x00100020, 'LO', 'T-1', syntax),
        );
        return Buffer.from(syntax ? plain : deflateRawSync(plain));
      };
      const requests = createRequests(association);
      const store = (dataSet: Buffer) =>
        requests.store({
          sopClassUid: intraOralImage,
          sopInstanceUid: '1.2.3',
          transferSyntaxUid,
          dataSet: inPieces(dataSet, 16),
        });
      expect(await store(make('1.2.3'))).toEqual(success);
      expect((await store(make('1.2.4'))).status).toBe(statuses.dataSetDoesNotMatch);
      await association.release();
      expect(archive.stored.map(({ bytes }) => bytes.subarray(-make('1.2.3').length))).toEqual([make('1.2.3')]);
    },
  );

  it('that nothing fits is not sent', async () => {
    const archive = await startArchive();
    const association = await openTo(archive, usualContexts.slice(0, 1));
    await expect(createRequests(association).store(sent(drawnObject(10)))).rejects.toThrow('no presentation context');
    await association.release();
  });
});

describe('a failure of the archive', () => {
  it('while it decides about a peer aborts the association, and is logged', async () => {
    const failure = new Error('database');
    const archive = await startArchive({ admit: () => Promise.reject(failure) });
    await expect(openTo(archive)).rejects.toMatchObject({ end: 'aborted-by-peer' });
    expect(archive.errors).toEqual([failure]);
    await expect.poll(() => archive.reports).toMatchObject([{ callingAeTitle: 'UNIT', end: 'aborted' }]);
  });

  it('in a service aborts the association, and is logged', async () => {
    const failure = new Error('service');
    const services = { [commandFields.echoRequest]: () => Promise.reject(failure) };
    const archive = await startArchive({ admit: async () => ({ syntaxesOf: storingSyntaxes, services }) });
    const association = await openTo(archive);
    await expect(createRequests(association).echo(verificationSopClass)).rejects.toMatchObject({
      end: 'aborted-by-peer',
    });
    expect(archive.errors).toEqual([failure]);
  });
});

describe('a message', () => {
  it('of an unknown service is answered, and one to cancel what is done is ignored', async () => {
    const archive = await startArchive();
    const association = await openTo(archive);
    await association.send(1, { commandField: commandFields.cancelRequest, respondedMessageId: 1 });
    await association.send(1, { commandField: 0x0020, messageId: 5, affectedSopClassUid: verificationSopClass });
    expect((await association.receive())?.command).toMatchObject({
      commandField: 0x8020,
      respondedMessageId: 5,
      status: statuses.unrecognizedOperation,
    });
    await association.release();
    expect(await association.ended).toBe('released');
  });

  it('that answers no request aborts the association', async () => {
    const archive = await startArchive();
    const association = await openTo(archive);
    await association.send(1, { commandField: commandFields.echoResponse, respondedMessageId: 5, status: 0 });
    await expect(association.receive()).rejects.toMatchObject({ end: 'aborted-by-peer' });
  });

  it('whose data set fails while it is sent aborts the association, and leaves nothing', async () => {
    const archive = await startArchive();
    const association = await openTo(archive);
    const drawn = drawnObject(300_000);
    const failing = (async function* () {
      yield drawn.dataSet.subarray(0, 200_000);
      throw new Error('disk');
    })();
    await expect(createRequests(association).store({ ...sent(drawn), dataSet: failing })).rejects.toThrow('disk');
    expect(await association.ended).toBe('aborted');
    await expect.poll(() => archive.reports).toMatchObject([{ end: 'aborted-by-peer' }]);
    expect(archive.stored).toEqual([]);
    expect(archive.discarded.length).toBe(1);
  });

  it('without its data set is refused', async () => {
    const archive = await startArchive();
    const association = await openTo(archive);
    const command = { commandField: commandFields.storeRequest, messageId: 1, affectedSopClassUid: intraOralImage };
    await association.send(3, { ...command, affectedSopInstanceUid: '1.2.3' });
    expect((await association.receive())?.command.status).toBe(statuses.cannotUnderstand);
    await association.release();
  });
});
