import type { S3Client } from '@aws-sdk/client-s3';
import type { ObjectStoreConfig } from './object-store-config.ts';
import { asObjectStoreFault, isNotImplemented, isNotThere } from './object-store-fault.ts';

export interface StoredPart {
  /** From 1. */
  readonly number: number;
  readonly sizeBytes: number;
  readonly etag: string;
}

/** A bucket in which files wait for the archive. Every call throws ObjectStoreFault when the store is away or denies it. */
export interface ObjectStore {
  /** Opens an upload in parts; its id. */
  createUpload(key: string): Promise<string>;
  /** What has arrived, by number; null when the store does not know the upload (any more). */
  partsOf(key: string, uploadId: string): Promise<StoredPart[] | null>;
  /** An address that takes one part of exactly `sizeBytes` by PUT, for a while. */
  signPart(key: string, uploadId: string, number: number, sizeBytes: number): Promise<string>;
  /** Puts the parts together to the object; false when the store does not know the upload (any more). */
  completeUpload(key: string, uploadId: string, parts: readonly StoredPart[]): Promise<boolean>;
  /** Bytes of the object, null when there is none. */
  sizeOf(key: string): Promise<number | null>;
  /** The object's bytes as they come; null when there is none. Ends with the reason of `signal` when it is aborted. */
  read(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | null>;
  /** Removes the object and every upload to it. False when the store still has something: ask again later. */
  discard(key: string, uploadId: string | null): Promise<boolean>;
  close(): void;
}

/** How long a signed address is good for, in seconds. A slow line gets new ones by asking again. */
const addressSeconds = 60 * 60;

/**
 * The store of the settings. The SDK is loaded here and not before: an installation without an object store never pays for it.
 * `signedSeconds`: for tests.
 */
export const openObjectStore = async (
  config: ObjectStoreConfig,
  signedSeconds: number = addressSeconds,
): Promise<ObjectStore> => {
  const [sdk, { getSignedUrl }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/s3-request-presigner'),
  ]);
  const { accessKeyId, secretAccessKey, bucket: Bucket } = config;
  const clientFor = (endpoint: string): S3Client =>
    new sdk.S3Client({
      endpoint,
      region: config.region,
      forcePathStyle: config.pathStyle,
      credentials: { accessKeyId, secretAccessKey },
      maxAttempts: 2,
      // Otherwise each signed address would carry the checksum of an empty body, which no part has.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: 5_000, socketTimeout: 120_000 },
    });
  const client = clientFor(config.endpoint);
  // Signs only: the host stands in the signature, so it must be the one that the browser calls.
  const signer = clientFor(config.publicEndpoint);

  const asked = async <Answer>(what: string, work: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await work();
    } catch (error) {
      throw asObjectStoreFault(what, error);
    }
  };
  const unlessGone = async <Answer>(work: () => Promise<Answer>): Promise<Answer | null> => {
    try {
      return await work();
    } catch (error) {
      if (isNotThere(error)) return null;
      throw error;
    }
  };

  const partsOf = (Key: string, UploadId: string) =>
    asked('list parts', () =>
      unlessGone(async () => {
        const found: StoredPart[] = [];
        for (let after: string | undefined; ; ) {
          const page = await client.send(new sdk.ListPartsCommand({ Bucket, Key, UploadId, PartNumberMarker: after }));
          for (const { PartNumber: number, Size: sizeBytes, ETag: etag } of page.Parts ?? [])
            if (number !== undefined && sizeBytes !== undefined && etag !== undefined)
              found.push({ number, sizeBytes, etag });
          // The SDK's own paging goes by the marker, which stores give on the last page too: it would never end.
          if (!page.IsTruncated || !page.NextPartNumberMarker || page.NextPartNumberMarker === after) break;
          after = page.NextPartNumberMarker;
        }
        return found;
      }),
    );

  /** Uploads to this object that nobody wrote down: the server ended before it could. */
  const uploadsTo = async (Key: string): Promise<string[]> => {
    try {
      const { Uploads } = await client.send(new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: Key }));
      return (Uploads ?? []).flatMap((upload) => (upload.Key === Key && upload.UploadId ? [upload.UploadId] : []));
    } catch (error) {
      if (isNotImplemented(error)) return [];
      throw error;
    }
  };

  /** A part that is on its way while an upload is ended may stay, hence the look at what is left. */
  const abort = async (Key: string, UploadId: string): Promise<boolean> => {
    await unlessGone(() => client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId })));
    return (await partsOf(Key, UploadId)) === null;
  };

  return {
    partsOf,
    createUpload: (Key) =>
      asked('open upload', async () => {
        const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand({ Bucket, Key }));
        if (!UploadId) throw new Error('an upload without an id');
        return UploadId;
      }),
    signPart: (Key, UploadId, PartNumber, ContentLength) =>
      getSignedUrl(signer, new sdk.UploadPartCommand({ Bucket, Key, UploadId, PartNumber, ContentLength }), {
        expiresIn: signedSeconds,
      }),
    completeUpload: (Key, UploadId, parts) =>
      asked('complete upload', async () => {
        const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
        const MultipartUpload = { Parts };
        const command = new sdk.CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload });
        return (await unlessGone(() => client.send(command))) !== null;
      }),
    sizeOf: (Key) =>
      asked('look at object', async () => {
        const head = await unlessGone(() => client.send(new sdk.HeadObjectCommand({ Bucket, Key })));
        return head?.ContentLength ?? null;
      }),
    read: (Key, signal) =>
      asked('read object', async () => {
        const command = new sdk.GetObjectCommand({ Bucket, Key });
        const answer = await unlessGone(() => client.send(command, { abortSignal: signal }));
        return answer?.Body ? bytesOf(answer.Body as AsyncIterable<Uint8Array>, signal) : null;
      }).catch((error: unknown) => {
        signal.throwIfAborted();
        throw error;
      }),
    discard: (Key, uploadId) =>
      asked('remove object', async () => {
        const uploads = new Set([...(uploadId === null ? [] : [uploadId]), ...(await uploadsTo(Key))]);
        let isGone = true;
        for (const upload of uploads) isGone = (await abort(Key, upload)) && isGone;
        await client.send(new sdk.DeleteObjectCommand({ Bucket, Key }));
        return isGone;
      }),
    close: () => {
      client.destroy();
      signer.destroy();
    },
  };
};

async function* bytesOf(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      signal.throwIfAborted();
      yield chunk;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw asObjectStoreFault('read object', error);
  }
}
