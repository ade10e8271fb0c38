import { webcrypto } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { PutObjectCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import type { StoredFile } from '../file-store.ts';
import { createLimiter } from '../limiter.ts';
import { ObjectStoreError } from '../object-store-error.ts';
import type { S3Sdk } from '../s3-client.ts';

const mebibyte = 2 ** 20;
/** Larger files are uploaded in parts of at least this size; each part is in memory while it is sent. */
const partBytes = 16 * mebibyte;
const maxParts = 10_000;
/** Parts and files of this process that are sent at once. */
export const transfer = createLimiter(8);

export interface UploadParts {
  readonly sdk: S3Sdk;
  readonly client: S3Client;
  readonly bucket: string;
  /** Parameters for server-side encryption. */
  readonly encryption: { readonly ServerSideEncryption?: 'AES256' | 'aws:kms' };
  /** Time limit of one request with data. */
  readonly transferMs: number;
}

const bytesAt = async (file: FileHandle, position: number, length: number): Promise<Buffer> => {
  const bytes = Buffer.allocUnsafe(length);
  for (let read = 0; read < length; ) {
    const { bytesRead } = await file.read(bytes, read, length - read, position + read);
    if (bytesRead === 0) throw new Error('a draft became shorter');
    read += bytesRead;
  }
  return bytes;
};

/** Signs the hash of the body, which every store with signatures of version 4 compares with the received bytes. */
const signHash = <Command extends PutObjectCommand | UploadPartCommand>(command: Command, sha256: string): Command => {
  const stack = command.middlewareStack as PutObjectCommand['middlewareStack'];
  stack.add(
    (next) => (args) => {
      const request = args.request as { headers: Record<string, string> };
      request.headers['x-amz-content-sha256'] = sha256;
      return next(args);
    },
    { step: 'build', name: 'signBodyHash' },
  );
  return command;
};

const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');

/** Hashes outside of the main thread. */
const hashOf = async (bytes: Buffer<ArrayBuffer>): Promise<string> =>
  Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');

export const createUploader = ({ sdk, client, bucket: Bucket, encryption, transferMs }: UploadParts) => {
  const inTime = () => ({ abortSignal: AbortSignal.timeout(transferMs) });

  const putBytes = async (Key: string, Body: Uint8Array, sha256: string): Promise<void> => {
    const command = new sdk.PutObjectCommand({
      Bucket,
      Key,
      Body,
      ContentLength: Body.byteLength,
      ChecksumSHA256: base64(sha256),
      ...encryption,
    });
    signHash(command, sha256);
    const { ChecksumSHA256 } = await client.send(command, inTime());
    if (ChecksumSHA256 !== undefined && ChecksumSHA256 !== base64(sha256))
      throw new ObjectStoreError('away', 'The object store received other bytes than were sent');
  };

  const putInParts = async (Key: string, file: FileHandle, sizeBytes: number): Promise<void> => {
    const size = Math.max(partBytes, Math.ceil(sizeBytes / maxParts / mebibyte) * mebibyte);
    const count = Math.ceil(sizeBytes / size);
    const created = await client.send(
      new sdk.CreateMultipartUploadCommand({ Bucket, Key, ChecksumAlgorithm: 'SHA256', ...encryption }),
      inTime(),
    );
    const { UploadId } = created;
    let hasFailed = false;
    const sendPart = async (number: number) => {
      if (hasFailed) throw new Error('another part failed');
      const position = (number - 1) * size;
      const Body = (await bytesAt(file, position, Math.min(size, sizeBytes - position))) as Buffer<ArrayBuffer>;
      const sha256 = await hashOf(Body);
      const ContentLength = Body.byteLength;
      const ChecksumSHA256 = base64(sha256);
      const part = { Bucket, Key, UploadId, PartNumber: number, Body, ContentLength, ChecksumSHA256 };
      const command = new sdk.UploadPartCommand(part);
      signHash(command, sha256);
      const { ETag, ChecksumSHA256: confirmed } = await client.send(command, inTime());
      return { PartNumber: number, ETag, ...(confirmed && { ChecksumSHA256: confirmed }) };
    };
    try {
      const numbers = Array.from({ length: count }, (_, index) => index + 1);
      const sent = await Promise.allSettled(
        numbers.map((number) =>
          transfer(() => sendPart(number)).catch((error: unknown) => {
            hasFailed = true;
            throw error;
          }),
        ),
      );
      const Parts = sent.map((result) => {
        if (result.status === 'rejected') throw result.reason;
        return result.value;
      });
      const MultipartUpload = { Parts };
      await client.send(new sdk.CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload }), inTime());
    } catch (error) {
      // The sweep aborts what this cannot.
      await client
        .send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }), inTime())
        .catch(() => undefined);
      throw error;
    }
  };

  return {
    putBytes,
    /** Uploads a local file; afterwards the store has confirmed the hash of every byte. */
    putFile: async (key: string, path: string, { sha256, sizeBytes }: StoredFile): Promise<void> => {
      const file = await open(path);
      try {
        if (sizeBytes > partBytes) await putInParts(key, file, sizeBytes);
        else await transfer(async () => putBytes(key, await bytesAt(file, 0, sizeBytes), sha256));
      } finally {
        await file.close();
      }
    },
  };
};
