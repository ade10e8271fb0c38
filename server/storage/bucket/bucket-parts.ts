import { createHash } from 'node:crypto';
import { writeDraft } from '../batch-files.ts';
import type { DiskStoreOptions } from '../disk-store.ts';
import { StorageError } from '../file-store.ts';
import { freeChunk } from '../free-chunk.ts';
import { type DraftName, isId, type PartDrafts } from '../part-drafts.ts';
import type { Bucket } from './bucket.ts';
import { openBucketBatch } from './bucket-batch.ts';
import type { BucketCache } from './bucket-cache.ts';
import { partsPrefix } from './bucket-layout.ts';
import { openBucketPresence } from './bucket-presence.ts';

interface Piece {
  readonly key: string;
  readonly offset: number;
  readonly sizeBytes: number;
}

const folderOf = ({ taskId, key }: DraftName): string => `${partsPrefix}${taskId}.${key}/`;
const pieceName = (offset: number): string => String(offset).padStart(16, '0');

/** Returns pieces that cover the file from its start. Two nodes may have received the same bytes: a piece that comes late never shortens what is covered. */
const inSequence = (pieces: readonly Piece[]): (Piece & { readonly skip: number })[] => {
  const found: (Piece & { readonly skip: number })[] = [];
  for (let position = 0; ; ) {
    const at = position;
    const [next] = pieces
      .filter(({ offset, sizeBytes }) => offset <= at && offset + sizeBytes > at)
      .sort((one, other) => other.offset + other.sizeBytes - (one.offset + one.sizeBytes));
    if (!next) return found;
    found.push({ ...next, skip: at - next.offset });
    position = next.offset + next.sizeBytes;
  }
};

/** Passes on at most `maxBytes` and ends at an error of the source, so that what was received can be stored. */
const untilError = (source: AsyncIterable<Uint8Array>, maxBytes: number) => {
  let error: unknown = null;
  const read = async function* (): AsyncGenerator<Uint8Array> {
    let length = 0;
    try {
      for await (const chunk of source) {
        length += chunk.byteLength;
        if (length > maxBytes) throw new StorageError('too-large', `The part has more than ${maxBytes} bytes`);
        yield chunk;
      }
    } catch (cause) {
      error = cause ?? new Error('the source failed');
    }
  };
  return { read: read(), error: () => error };
};

/**
 * Opens the drafts of large files in a bucket: each received part is an object of its own, named by its offset, so that every node finds what
 * any node has received.
 */
export const openBucketParts = async (
  { bucket, cache }: { readonly bucket: Bucket; readonly cache: BucketCache },
  {
    isAway = () => false,
    onStored = async () => undefined,
    ensureSpace = async () => undefined,
  }: DiskStoreOptions = {},
): Promise<PartDrafts> => {
  const presence = await openBucketPresence(bucket, isAway, cache.folder);
  const inStore = <Result>(work: () => Promise<Result>): Promise<Result> =>
    work().catch((error: unknown) => {
      throw presence.errorOf(error);
    });

  const piecesOf = async (name: DraftName): Promise<Piece[]> => {
    const pieces: Piece[] = [];
    const folder = folderOf(name);
    for await (const page of bucket.list(folder))
      for (const { key, sizeBytes } of page) {
        const [offset = ''] = key.slice(folder.length).split('.');
        pieces.push({ key, sizeBytes, offset: Number(offset) });
      }
    return pieces;
  };

  const bytesOf = async function* (name: DraftName): AsyncGenerator<Uint8Array> {
    const pieces = inSequence(await piecesOf(name));
    if (pieces.length === 0) {
      await presence.ensureHere();
      throw new StorageError('missing', 'The draft is not there');
    }
    for (const { key, skip, sizeBytes } of pieces) {
      const source = await bucket.read(key, skip > 0 ? { first: skip, last: sizeBytes - 1 } : undefined);
      if (!source) throw new StorageError('missing', 'A part of the draft is not there');
      yield* source;
    }
  };

  const remove = (name: DraftName) =>
    inStore(async () => {
      // The first part goes first, so that another node reads the whole draft or none of it.
      for (const { key } of await piecesOf(name)) await bucket.remove(key);
    });

  return {
    append: (name, offset, source, maxBytes) =>
      inStore(async () => {
        await presence.ensureHere();
        await cache.trim();
        await ensureSpace();
        const received = untilError(source, maxBytes);
        const draft = cache.newDraft();
        try {
          const stored = await writeDraft(draft, received.read, Number.POSITIVE_INFINITY, freeChunk);
          if (stored.sizeBytes > 0)
            await bucket.upload(`${folderOf(name)}${pieceName(offset)}.${stored.sizeBytes}`, draft, stored);
          const error = received.error();
          if (error !== null) throw error;
          return offset + stored.sizeBytes;
        } finally {
          await cache.drop(draft).catch(() => undefined);
        }
      }),
    sizeOf: (name) =>
      inStore(async () => {
        const sizeBytes = inSequence(await piecesOf(name)).reduce(
          (sum, { sizeBytes, skip }) => sum + sizeBytes - skip,
          0,
        );
        if (sizeBytes === 0) await presence.ensureHere();
        return sizeBytes;
      }),
    read: (name) =>
      inStore(async () => {
        const hash = createHash('sha256');
        let sizeBytes = 0;
        for await (const chunk of bytesOf(name)) {
          hash.update(chunk);
          sizeBytes += chunk.byteLength;
        }
        return { sha256: hash.digest('hex'), sizeBytes };
      }),
    moveIn: async (name, sha256) => {
      const batch = openBucketBatch({ bucket, cache, presence, onStored, ensureSpace });
      try {
        const stored = await batch.add(bytesOf(name));
        if (stored.sha256 !== sha256) throw new StorageError('damaged', 'The parts are not those that were received');
        await batch.keep();
      } finally {
        await batch.discard();
      }
      await remove(name);
    },
    remove,
    all: () =>
      inStore(async () =>
        (await bucket.folders(partsPrefix)).flatMap((folder) => {
          const [taskId = '', key = ''] = folder.split('.');
          return isId(taskId) && isId(key) ? [{ taskId, key }] : [];
        }),
      ),
  };
};
