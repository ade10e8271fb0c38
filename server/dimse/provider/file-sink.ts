import { type FileStore, StorageError, type StorageErrorCode, type StoredFile } from '../../storage/file-store.ts';
import { statuses } from '../message/message.ts';
import { freeLastPart } from '../pdu/byte-reader.ts';
import type { DataSetUids } from './data-set-uids.ts';
import { type IncomingObject, type OpenSink, StoreRefused } from './object-sink.ts';

export interface FileSinkOptions {
  readonly files: FileStore;
  readonly maxBytes: number;
  /** Commits the row of a file whose bytes are durable. @throws StoreRefused */
  readonly record: (object: IncomingObject, stored: StoredFile, uids: DataSetUids) => Promise<void>;
}

/** Why the peer should try later, or not again. */
const refusals: Partial<Record<StorageErrorCode, string>> = {
  full: 'There is no space',
  'too-large': 'The object is too large',
  away: 'The files of the archive are not available',
};

/** Other failures are the archive's own. */
const refusalOf = (error: unknown): unknown => {
  const reason = error instanceof StorageError ? refusals[error.code] : undefined;
  return reason === undefined ? error : new StoreRefused(statuses.outOfResources, reason);
};

/**
 * Stores objects in the store of files, chunk by chunk, hashed on the way. `commit` syncs the bytes before it records the row.
 */
export const fileSink =
  ({ files, maxBytes, record }: FileSinkOptions): OpenSink =>
  async (object) => {
    const batch = files.batch();
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const added = batch.add(readable, maxBytes, { free: freeLastPart });
    // Without this, a store that fails before it reads would leave a write waiting.
    added.catch((reason) => readable.cancel(reason)).catch(() => {});
    writer.closed.catch(() => {});

    const discard = async () => {
      await writer.abort().catch(() => {});
      await added.catch(() => {});
      await batch.discard();
    };
    return {
      write: async (chunk) => {
        try {
          await writer.write(chunk);
        } catch (error) {
          // The store has stopped reading: its reason counts.
          await added.catch((reason) => {
            throw refusalOf(reason);
          });
          throw error;
        }
      },
      commit: async (uids) => {
        try {
          await writer.close();
          const stored = await added;
          await batch.keep();
          await record(object, stored, uids);
        } catch (error) {
          throw refusalOf(error);
        }
      },
      discard,
    };
  };
