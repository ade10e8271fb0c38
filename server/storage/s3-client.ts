import type { S3Client } from '@aws-sdk/client-s3';

/** How the server reaches an S3-compatible store. */
export interface S3Address {
  /** `https://host[:port]`, without the bucket. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The bucket is part of the path (most stores), not of the host name (Amazon). */
  readonly pathStyle: boolean;
}

export interface S3Times {
  readonly connectMs: number;
  /** How long a connection may be silent. */
  readonly silentMs: number;
}

export type S3Sdk = typeof import('@aws-sdk/client-s3');

/** Loads the SDK. Installations without an object store never load it. */
export const loadS3Sdk = (): Promise<S3Sdk> => import('@aws-sdk/client-s3');

export const createS3Client = (sdk: S3Sdk, address: S3Address, { connectMs, silentMs }: S3Times): S3Client =>
  new sdk.S3Client({
    endpoint: address.endpoint,
    region: address.region,
    forcePathStyle: address.pathStyle,
    credentials: { accessKeyId: address.accessKeyId, secretAccessKey: address.secretAccessKey },
    maxAttempts: 2,
    // Otherwise each signed URL would carry the checksum of an empty body, which no part has.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectMs, socketTimeout: silentMs },
  });
