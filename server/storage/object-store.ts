import type { S3Client } from '@aws-sdk/client-s3';
import type { ObjectStoreConfig } from './object-store-config.ts';
import { asObjectStoreError, isNotImplemented, isNotThere } from './object-store-error.ts';
import { createS3Client, loadS3Sdk } from './s3-client.ts';

export interface StoredPart {
  /** Part number, from 1. */
  readonly number: number;
  readonly sizeBytes: number;
  readonly etag: string;
}

/** A bucket in which uploads wait for the archive. Every call throws ObjectStoreError when the store is unavailable or denies access. */
export interface ObjectStore {
  /** Opens a multipart upload and returns its id. */
  createUpload(key: string): Promise<string>;
  /** Returns the received parts by number; null when the upload is unknown, or already completed or aborted. */
  partsOf(key: string, uploadId: string): Promise<StoredPart[] | null>;
  /** Returns a URL that accepts one part of exactly `sizeBytes` by PUT until it expires. */
  signPart(key: string, uploadId: string, number: number, sizeBytes: number): Promise<string>;
  /** Completes the upload; false when it is unknown, or already completed or aborted. */
  completeUpload(key: string, uploadId: string, parts: readonly StoredPart[]): Promise<boolean>;
  /** Returns the size of the object, null when there is none. */
  sizeOf(key: string): Promise<number | null>;
  /** Streams the object's bytes; null when there is none. Ends with the reason of `signal` when aborted. */
  read(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | null>;
  /** Removes the object and its uploads. False when something remains: call again later. */
  discard(key: string, uploadId: string | null): Promise<boolean>;
  close(): void;
}

/** Lifetime of a signed URL in seconds. Slow clients request new ones. */
const defaultUrlLifetimeSeconds = 60 * 60;

/**
 * Opens the configured store. The SDK is loaded here, so that installations without an object store never load it. Tests pass a shorter
 * `urlLifetimeSeconds`.
 */
export const openObjectStore = async (
  config: ObjectStoreConfig,
  urlLifetimeSeconds: number = defaultUrlLifetimeSeconds,
): Promise<ObjectStore> => {
  const [sdk, { getSignedUrl }] = await Promise.all([loadS3Sdk(), import('@aws-sdk/s3-request-presigner')]);
  const { bucket: Bucket } = config;
  const times = { connectMs: 5_000, silentMs: 120_000 };
  const clientFor = (endpoint: string): S3Client => createS3Client(sdk, { ...config, endpoint }, times);
  const client = clientFor(config.endpoint);
  // Signs only: the host is part of the signature, so it must be the one that browsers use.
  const signer = clientFor(config.publicEndpoint);

  const request = async <Answer>(what: string, work: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await work();
    } catch (error) {
      throw asObjectStoreError(what, error);
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
    request('list parts', () =>
      unlessGone(async () => {
        const found: StoredPart[] = [];
        for (let after: string | undefined; ; ) {
          const page = await client.send(new sdk.ListPartsCommand({ Bucket, Key, UploadId, PartNumberMarker: after }));
          for (const { PartNumber: number, Size: sizeBytes, ETag: etag } of page.Parts ?? [])
            if (number !== undefined && sizeBytes !== undefined && etag !== undefined)
              found.push({ number, sizeBytes, etag });
          // The SDK's pagination follows the marker, which stores also return on the last page: it would never end.
          if (!page.IsTruncated || !page.NextPartNumberMarker || page.NextPartNumberMarker === after) break;
          after = page.NextPartNumberMarker;
        }
        return found;
      }),
    );

  /**
   * Returns the ids of all open uploads to this key, so that uploads are found that a crash left without a database row. Empty when the store
   * cannot list uploads.
   */
  const uploadsTo = async (Key: string): Promise<string[]> => {
    try {
      const { Uploads } = await client.send(new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: Key }));
      return (Uploads ?? []).flatMap((upload) => (upload.Key === Key && upload.UploadId ? [upload.UploadId] : []));
    } catch (error) {
      if (isNotImplemented(error)) return [];
      throw error;
    }
  };

  /** A part in transit while its upload is aborted may remain, so the result is checked. */
  const abort = async (Key: string, UploadId: string): Promise<boolean> => {
    await unlessGone(() => client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId })));
    return (await partsOf(Key, UploadId)) === null;
  };

  return {
    partsOf,
    createUpload: (Key) =>
      request('open upload', async () => {
        const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand({ Bucket, Key }));
        if (!UploadId) throw new Error('an upload without an id');
        return UploadId;
      }),
    signPart: (Key, UploadId, PartNumber, ContentLength) =>
      getSignedUrl(signer, new sdk.UploadPartCommand({ Bucket, Key, UploadId, PartNumber, ContentLength }), {
        expiresIn: urlLifetimeSeconds,
      }),
    completeUpload: (Key, UploadId, parts) =>
      request('complete upload', async () => {
        const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
        const MultipartUpload = { Parts };
        const command = new sdk.CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload });
        return (await unlessGone(() => client.send(command))) !== null;
      }),
    sizeOf: (Key) =>
      request('look at object', async () => {
        const head = await unlessGone(() => client.send(new sdk.HeadObjectCommand({ Bucket, Key })));
        return head?.ContentLength ?? null;
      }),
    read: (Key, signal) =>
      request('read object', async () => {
        const command = new sdk.GetObjectCommand({ Bucket, Key });
        const answer = await unlessGone(() => client.send(command, { abortSignal: signal }));
        return answer?.Body ? bytesOf(answer.Body as AsyncIterable<Uint8Array>, signal) : null;
      }).catch((error: unknown) => {
        signal.throwIfAborted();
        throw error;
      }),
    discard: (Key, uploadId) =>
      request('remove object', async () => {
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
    throw asObjectStoreError('read object', error);
  }
}
