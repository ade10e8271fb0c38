import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ByteRange, StoredFile } from '../file-store.ts';
import { asObjectStoreError, isNotImplemented, isNotThere, ObjectStoreError, statusOf } from '../object-store-error.ts';
import { createS3Client, loadS3Sdk } from '../s3-client.ts';
import type { BucketConfig } from './bucket-config.ts';
import { createUploader, transfer } from './bucket-upload.ts';

export interface BucketObject {
  readonly key: string;
  readonly sizeBytes: number;
  readonly changedMs: number;
}

/** A bucket that stores the files of an archive. Every call throws ObjectStoreError when the store fails. */
export interface Bucket {
  /** Name and address, for messages. */
  readonly name: string;
  /** Returns null when there is no such object, or no bucket. */
  head(key: string): Promise<Omit<BucketObject, 'key'> | null>;
  readText(key: string): Promise<string | null>;
  writeText(key: string, text: string): Promise<void>;
  /** Opens an object or a range of it; null when there is no such object. Errors of the stream are ObjectStoreError. */
  read(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | null>;
  /** Uploads a local file, comparing length and hash. An object with this key is replaced. */
  upload(key: string, path: string, file: StoredFile): Promise<void>;
  /** Writes a small object, comparing its hash. */
  put(key: string, bytes: Uint8Array, sha256: string): Promise<void>;
  /** Copies inside of the store; onto itself, it renews the object's age. Returns false when `from` does not exist. */
  copy(from: string, to: string): Promise<boolean>;
  remove(key: string): Promise<void>;
  /** Yields the objects below a prefix by key, one page of at most 1000 at a time. */
  list(prefix: string): AsyncGenerator<readonly BucketObject[]>;
  /** Returns the names directly below a prefix that are followed by a slash. */
  folders(prefix: string): Promise<string[]>;
  /** Aborts multipart uploads that were begun before this time. Returns their number. */
  abortUploads(begunBeforeMs: number): Promise<number>;
  /** Since when uploads fail because the store is full; null after one that did not. */
  fullSince(): Date | null;
  close(): void;
}

export interface BucketTimes {
  /** Time limit of a request without data. */
  readonly replyMs: number;
  /** Time limit of a request that sends data. */
  readonly transferMs: number;
  /** How long a connection may be silent. */
  readonly silentMs: number;
}

const defaultTimes: BucketTimes = { replyMs: 15_000, transferMs: 180_000, silentMs: 30_000 };

async function* bytesOf(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw asObjectStoreError('read object', error);
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Opens a bucket. Nothing is requested yet. Tests pass shorter times. */
export const openBucket = async (config: BucketConfig, times: BucketTimes = defaultTimes): Promise<Bucket> => {
  const sdk = await loadS3Sdk();
  const { bucket: Bucket } = config;
  const client = createS3Client(sdk, config, { connectMs: 5_000, silentMs: times.silentMs });
  const encryption = config.encryption === 'none' ? {} : { ServerSideEncryption: config.encryption };
  const { transferMs } = times;
  const { putBytes, putFile } = createUploader({ sdk, client, bucket: Bucket, encryption, transferMs });
  let full: Date | null = null;
  const inTime = () => ({ abortSignal: AbortSignal.timeout(times.replyMs) });

  const request = async <Answer>(what: string, work: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await work();
    } catch (error) {
      throw asObjectStoreError(what, error);
    }
  };
  const requestIfThere = <Answer>(what: string, work: () => Promise<Answer>): Promise<Answer | null> =>
    request(what, () =>
      work().catch((error: unknown) => {
        if (isNotThere(error)) return null;
        throw error;
      }),
    );

  const pages = async function* (Prefix: string, Delimiter?: string) {
    for (let ContinuationToken: string | undefined; ; ) {
      const command = new sdk.ListObjectsV2Command({ Bucket, Prefix, Delimiter, ContinuationToken });
      const page = await request('list objects', () => client.send(command, inTime()));
      yield page;
      if (!page.IsTruncated || !page.NextContinuationToken) return;
      ContinuationToken = page.NextContinuationToken;
    }
  };

  return {
    name: `${Bucket} at ${config.endpoint}`,
    head: (Key) =>
      requestIfThere('look at object', async () => {
        const { ContentLength = 0, LastModified } = await client.send(
          new sdk.HeadObjectCommand({ Bucket, Key }),
          inTime(),
        );
        return { sizeBytes: ContentLength, changedMs: LastModified?.getTime() ?? 0 };
      }),
    readText: (Key) =>
      requestIfThere('read mark', async () => {
        const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket, Key }), inTime());
        return Body ? (await buffer(Body as Readable)).toString('utf8').trim() : null;
      }),
    writeText: (key, text) =>
      request('write mark', () => {
        const bytes = Buffer.from(`${text}\n`);
        return putBytes(key, bytes, createHash('sha256').update(bytes).digest('hex'));
      }),
    read: (Key, range) =>
      requestIfThere('read object', async () => {
        const Range = range && `bytes=${range.first}-${range.last}`;
        const command = new sdk.GetObjectCommand({ Bucket, Key, ...(Range && { Range }) });
        try {
          const { Body } = await client.send(command);
          return Body ? bytesOf(Body as Readable) : nothing();
        } catch (error) {
          // The range begins behind the end.
          if (statusOf(error) === 416) return nothing();
          throw error;
        }
      }),
    upload: async (key, path, file) => {
      try {
        await request('write object', () => putFile(key, path, file));
        full = null;
      } catch (error) {
        if (error instanceof ObjectStoreError && error.problem === 'full') full ??= new Date();
        throw error;
      }
    },
    put: (key, bytes, sha256) => request('write object', () => transfer(() => putBytes(key, bytes, sha256))),
    fullSince: () => full,
    copy: async (from, Key) => {
      const CopySource = `${Bucket}/${from}`;
      const renewed = from === Key ? ({ MetadataDirective: 'REPLACE' } as const) : {};
      const command = new sdk.CopyObjectCommand({ Bucket, Key, CopySource, ...renewed, ...encryption });
      const abortSignal = AbortSignal.timeout(transferMs);
      return (await requestIfThere('copy object', () => client.send(command, { abortSignal }))) !== null;
    },
    remove: async (Key) => {
      await requestIfThere('remove object', () => client.send(new sdk.DeleteObjectCommand({ Bucket, Key }), inTime()));
    },
    list: async function* (prefix) {
      for await (const { Contents = [] } of pages(prefix))
        yield Contents.flatMap(({ Key, Size = 0, LastModified }) =>
          Key === undefined ? [] : [{ key: Key, sizeBytes: Size, changedMs: LastModified?.getTime() ?? 0 }],
        );
    },
    folders: async (prefix) => {
      const names = new Set<string>();
      for await (const { CommonPrefixes = [] } of pages(prefix, '/'))
        for (const { Prefix = '' } of CommonPrefixes) names.add(Prefix.slice(prefix.length, -1));
      return [...names].sort();
    },
    abortUploads: (begunBeforeMs) =>
      request('abort uploads', async () => {
        let aborted = 0;
        for (let markers: { KeyMarker?: string; UploadIdMarker?: string } = {}; ; ) {
          const command = new sdk.ListMultipartUploadsCommand({ Bucket, ...markers });
          const page = await client.send(command, inTime()).catch((error: unknown) => {
            if (isNotImplemented(error)) return null;
            throw error;
          });
          for (const { Key, UploadId, Initiated } of page?.Uploads ?? []) {
            if (!Initiated || Initiated.getTime() >= begunBeforeMs) continue;
            // It may have ended since the listing.
            await client
              .send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }), inTime())
              .catch((error: unknown) => {
                if (!isNotThere(error)) throw error;
              });
            aborted += 1;
          }
          if (!page?.IsTruncated) return aborted;
          markers = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } as typeof markers;
        }
      }),
    close: () => client.destroy(),
  };
};
