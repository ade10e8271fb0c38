import { z } from 'zod';
import { type Environment, readNamed } from '../named-settings.ts';

const flag = z.enum(['0', '1', 'false', 'true']).transform((text) => text === '1' || text === 'true');
const origin = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));

const settings = {
  DENTARIUM_S3_ENDPOINT: origin,
  DENTARIUM_S3_BUCKET: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'no name of a bucket'),
  DENTARIUM_S3_REGION: z.string().min(1).default('us-east-1'),
  DENTARIUM_S3_ACCESS_KEY_ID: z.string().min(1),
  DENTARIUM_S3_SECRET_ACCESS_KEY: z.string().min(1),
  DENTARIUM_S3_PUBLIC_ENDPOINT: origin.optional(),
  DENTARIUM_S3_PATH_STYLE: flag.default(true),
};

/** The bucket of an S3-compatible store through which files reach the archive. */
export interface ObjectStoreConfig {
  /** Endpoint for the server: `https://host[:port]`, without the bucket. */
  readonly endpoint: string;
  /** Endpoint for browsers. */
  readonly publicEndpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The bucket is part of the path (most stores), not of the host name (Amazon). */
  readonly pathStyle: boolean;
}

/**
 * Reads the object store from the environment; null when none is configured.
 * @throws StartupError naming the first missing or invalid variable, never its value
 */
export const readObjectStore = (environment: Environment): ObjectStoreConfig | null => {
  const named = readNamed(environment, settings, { missing: 'is missing, and the object store needs it' });
  if (!named) return null;
  return {
    endpoint: named.DENTARIUM_S3_ENDPOINT,
    publicEndpoint: named.DENTARIUM_S3_PUBLIC_ENDPOINT ?? named.DENTARIUM_S3_ENDPOINT,
    region: named.DENTARIUM_S3_REGION,
    bucket: named.DENTARIUM_S3_BUCKET,
    accessKeyId: named.DENTARIUM_S3_ACCESS_KEY_ID,
    secretAccessKey: named.DENTARIUM_S3_SECRET_ACCESS_KEY,
    pathStyle: named.DENTARIUM_S3_PATH_STYLE,
  };
};

/** Returns scheme, host and port to which browsers upload. */
export const publicOriginOf = ({ publicEndpoint, bucket, pathStyle }: ObjectStoreConfig): string => {
  const url = new URL(publicEndpoint);
  if (!pathStyle) url.host = `${bucket}.${url.host}`;
  return url.origin;
};
