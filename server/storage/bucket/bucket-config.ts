import { z } from 'zod';
import { readSettings } from '../../settings/read-settings.ts';
import type { Environment, Settings } from '../../settings/setting.ts';
import { bucketName, flag, origin } from '../object-store-config.ts';
import type { S3Address } from '../s3-client.ts';

const gigabyte = 1e9;

export const storeVariable = {
  store: {
    variable: 'DENTARIUM_STORE',
    schema: z.enum(['disk', 's3']),
    default: 'disk',
    description: 'where image files are stored: `disk` (the data folder) or `s3` (a bucket; needs the settings below)',
  },
} satisfies Settings;

export const bucketVariables = {
  endpoint: {
    variable: 'DENTARIUM_STORE_ENDPOINT',
    schema: origin,
    description: 'the store as the server reaches it: `https://s3.example`, without the bucket',
  },
  bucket: {
    variable: 'DENTARIUM_STORE_BUCKET',
    schema: bucketName,
    description: 'bucket, which holds nothing else',
  },
  region: {
    variable: 'DENTARIUM_STORE_REGION',
    schema: z.string().min(1),
    default: 'us-east-1',
    description: 'region; the default also fits a store that has none',
  },
  accessKeyId: {
    variable: 'DENTARIUM_STORE_ACCESS_KEY_ID',
    schema: z.string().min(1),
    description: 'id of the access key',
  },
  secretAccessKey: {
    variable: 'DENTARIUM_STORE_SECRET_ACCESS_KEY',
    schema: z.string().min(1),
    description: 'the access key',
    isSecret: true,
  },
  pathStyle: {
    variable: 'DENTARIUM_STORE_PATH_STYLE',
    schema: flag,
    default: '1',
    description: '`1` (bucket in the path) or `0` (bucket in the host name, as Amazon requires)',
  },
  encryption: {
    variable: 'DENTARIUM_STORE_ENCRYPTION',
    schema: z.enum(['none', 'AES256', 'aws:kms']),
    default: 'none',
    description:
      "server-side encryption that each write requests: `AES256` (keys of the store) or `aws:kms` (the bucket's key); `none` leaves it to the bucket",
  },
  cacheGb: {
    variable: 'DENTARIUM_STORE_CACHE_GB',
    schema: z.coerce.number().min(0.1).max(1_000_000),
    default: '20',
    description: 'disk space of a node for copies of stored files; those not used for longest are removed',
  },
} satisfies Settings;

/** The bucket that stores the files of an archive. */
export interface BucketConfig extends S3Address {
  readonly bucket: string;
  readonly encryption: 'none' | 'AES256' | 'aws:kms';
  readonly cacheBytes: number;
}

/**
 * Reads the bucket of the archive; null when files are stored on the disk.
 * @throws StartupError naming the first missing or invalid variable, never its value
 */
export const readBucket = (environment: Environment): BucketConfig | null =>
  readSettings(environment, storeVariable).store === 'disk' ? null : readBucketSettings(environment);

/** As `readBucket`, wherever files are stored now. */
export const readBucketSettings = (environment: Environment): BucketConfig => {
  const missing = 'is missing, and the bucket needs it';
  const { cacheGb, ...values } = readSettings(environment, bucketVariables, { missing });
  return { ...values, cacheBytes: Math.round(cacheGb * gigabyte) };
};
