import { z } from 'zod';
import { readOptionalSettings } from '../settings/read-settings.ts';
import type { Environment, Settings } from '../settings/setting.ts';
import type { S3Address } from './s3-client.ts';

export const flag = z.enum(['0', '1', 'false', 'true']).transform((text) => text === '1' || text === 'true');
export const origin = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));

export const bucketName = z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'no name of a bucket');

export const objectStoreVariables = {
  endpoint: {
    variable: 'DENTARIUM_S3_ENDPOINT',
    schema: origin,
    description: 'the store as the server reaches it: `https://s3.example`, without the bucket',
  },
  bucket: {
    variable: 'DENTARIUM_S3_BUCKET',
    schema: bucketName,
    description: 'bucket, preferably dedicated; all objects are below `imports/`',
  },
  region: {
    variable: 'DENTARIUM_S3_REGION',
    schema: z.string().min(1),
    default: 'us-east-1',
    description: 'region; the default also fits a store that has none',
  },
  accessKeyId: {
    variable: 'DENTARIUM_S3_ACCESS_KEY_ID',
    schema: z.string().min(1),
    description: 'id of the access key',
  },
  secretAccessKey: {
    variable: 'DENTARIUM_S3_SECRET_ACCESS_KEY',
    schema: z.string().min(1),
    description: 'the access key',
    isSecret: true,
  },
  publicEndpoint: {
    variable: 'DENTARIUM_S3_PUBLIC_ENDPOINT',
    schema: origin.optional(),
    defaultNote: '`DENTARIUM_S3_ENDPOINT`',
    description: 'when browsers reach the store at another address',
  },
  pathStyle: {
    variable: 'DENTARIUM_S3_PATH_STYLE',
    schema: flag,
    default: '1',
    description: '`1` (bucket in the path) or `0` (bucket in the host name, as Amazon requires)',
  },
} satisfies Settings;

/** The bucket of an S3-compatible store through which files reach the archive. */
export interface ObjectStoreConfig extends S3Address {
  /** Endpoint for browsers. */
  readonly publicEndpoint: string;
  readonly bucket: string;
}

/**
 * Reads the object store; null when none is configured.
 * @throws StartupError naming the first missing or invalid variable, never its value
 */
export const readObjectStore = (environment: Environment): ObjectStoreConfig | null => {
  const values = readOptionalSettings(environment, objectStoreVariables, {
    missing: 'is missing, and the object store needs it',
  });
  return values && { ...values, publicEndpoint: values.publicEndpoint ?? values.endpoint };
};

/** Returns scheme, host and port to which browsers upload. */
export const publicOriginOf = ({ publicEndpoint, bucket, pathStyle }: ObjectStoreConfig): string => {
  const url = new URL(publicEndpoint);
  if (!pathStyle) url.host = `${bucket}.${url.host}`;
  return url.origin;
};
