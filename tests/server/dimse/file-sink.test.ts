import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeCommandSet } from '../../../server/dimse/message/command-set.ts';
import { statuses } from '../../../server/dimse/message/message.ts';
import { fileSink } from '../../../server/dimse/provider/file-sink.ts';
import { type IncomingObject, StoreRefused } from '../../../server/dimse/provider/object-sink.ts';
import { createRequests } from '../../../server/dimse/user/requests.ts';
import { type DiskStoreOptions, openDiskStore } from '../../../server/storage/disk-store.ts';
import { StorageError, type StoredFile } from '../../../server/storage/file-store.ts';
import { drawnObject, explicitLittleEndian, inPieces, openTo, startArchive, temporaryFolder } from './peers.ts';
import { connectRaw, fragmentOf, pduOf, requestPdu } from './raw-peer.ts';

interface Options extends DiskStoreOptions {
  readonly maxBytes?: number;
  readonly onRecord?: (object: IncomingObject, stored: StoredFile) => Promise<void>;
}

const startStore = async ({ maxBytes = 1 << 20, onRecord = async () => {}, ...store }: Options = {}) => {
  const folder = await temporaryFolder();
  const files = await openDiskStore(folder, store);
  const recorded: (StoredFile & { readonly isThere: boolean })[] = [];
  const record = async (object: IncomingObject, stored: StoredFile) => {
    await onRecord(object, stored);
    recorded.push({ ...stored, isThere: (await files.sizeOf(stored.sha256)) === stored.sizeBytes });
  };
  const archive = await startArchive({}, fileSink({ files, maxBytes, record }));
  /** Files of the store, and drafts that are left. */
  const left = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && entry.name.length > 32)
      .map(({ name, parentPath }) => path.join(parentPath, name));
  };
  return { archive, files, recorded, left };
};

const store = async (archive: Awaited<ReturnType<typeof startArchive>>, drawn: ReturnType<typeof drawnObject>) => {
  const association = await openTo(archive);
  const { sopClassUid, sopInstanceUid, dataSet } = drawn;
  const sent = { sopClassUid, sopInstanceUid, transferSyntaxUid: explicitLittleEndian, dataSet: inPieces(dataSet) };
  const response = await createRequests(association).store(sent);
  await association.release();
  return response;
};

describe('the store of files', () => {
  it('has the bytes before the row is written, and the row before the peer is answered', async () => {
    const { archive, files, recorded } = await startStore();
    const drawn = drawnObject(300_000);
    expect(await store(archive, drawn)).toMatchObject({ status: statuses.success });
    expect(recorded).toMatchObject([{ isThere: true }]);
    const chunks: Buffer[] = [];
    for await (const chunk of await files.openVerified(recorded[0]?.sha256 ?? '')) chunks.push(chunk);
    expect(Buffer.concat(chunks).subarray(-drawn.dataSet.length).equals(drawn.dataSet)).toBe(true);
  });

  it('refuses objects beyond the limit, and those for which there is no space', async () => {
    const small = await startStore({ maxBytes: 100_000 });
    expect(await store(small.archive, drawnObject(400_000))).toEqual({
      status: statuses.outOfResources,
      errorComment: 'The object is too large',
    });
    const full = await startStore({ ensureSpace: () => Promise.reject(new StorageError('full', 'full')) });
    expect(await store(full.archive, drawnObject(400_000))).toEqual({
      status: statuses.outOfResources,
      errorComment: 'There is no space',
    });
    for (const { archive, recorded, left } of [small, full]) {
      expect(recorded).toEqual([]);
      expect(await left()).toEqual([]);
      expect(archive.errors).toEqual([]);
    }
  });

  it('answers with the status of the row that is refused, and with a failure when it cannot be written', async () => {
    const refused = await startStore({ onRecord: () => Promise.reject(new StoreRefused(0xa700, 'No clinic')) });
    expect(await store(refused.archive, drawnObject(10))).toEqual({ status: 0xa700, errorComment: 'No clinic' });
    const failure = new Error('database');
    const failed = await startStore({ onRecord: () => Promise.reject(failure) });
    expect((await store(failed.archive, drawnObject(10))).status).toBe(statuses.processingFailure);
    expect(failed.archive.errors).toEqual([failure]);
  });

  it('keeps nothing of an object that is cut', async () => {
    const { archive, recorded, left } = await startStore();
    const peer = await connectRaw(archive.port);
    const { sopClassUid, sopInstanceUid, dataSet } = drawnObject(300_000);
    const command = writeCommandSet({
      commandField: 1,
      messageId: 1,
      affectedSopClassUid: sopClassUid,
      affectedSopInstanceUid: sopInstanceUid,
      dataSetType: 1,
    });
    peer.socket.write(requestPdu());
    peer.socket.write(pduOf(4, fragmentOf(3, 3, command)));
    peer.socket.write(pduOf(4, fragmentOf(3, 0, dataSet.subarray(0, 100_000))));
    await expect.poll(async () => (await left()).length).toBe(1);
    peer.socket.destroy();
    await expect.poll(left).toEqual([]);
    expect(recorded).toEqual([]);
  });
});
