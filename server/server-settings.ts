import { z } from 'zod';
import { nodeRoles } from '../contract/system-status.ts';
import { defaultConnections } from './db/client.ts';
import type { Settings } from './settings/setting.ts';
import { readTrustedProxies, type TrustedProxies } from './web/trusted-proxies.ts';

const trustAdvice =
  'write how many proxies stand in front of the archive, for example 1, or their addresses, for example 10.0.0.2,192.168.7.0/24';

/** Null: no trusted proxy. */
const trustedProxies = z.string().transform((text, context): TrustedProxies | null => {
  const given = text.trim();
  if (given === '0' || given === 'false') return null;
  const read = readTrustedProxies(given);
  if (read) return read;
  const problem =
    given === 'true' ? '"true" would believe everybody' : 'not a number of proxies and no list of addresses';
  context.addIssue({ code: 'custom', message: `${problem}; ${trustAdvice}` });
  return z.NEVER;
});

/** The archive is served from the root of its host; tokens and links begin with the origin. */
const origin = z.url({ protocol: /^https?$/ }).transform((text, context) => {
  const url = new URL(text);
  if (url.href === `${url.origin}/`) return url.origin;
  context.addIssue({
    code: 'custom',
    message: 'an address without path and query, for example https://images.clinic.example',
  });
  return z.NEVER;
});

/** Settings of the server itself. */
export const serverVariables = {
  port: {
    variable: 'PORT',
    flag: 'port',
    schema: z.coerce.number().int().min(0).max(65_535),
    default: '8080',
    description: 'port to listen on',
  },
  host: {
    variable: 'DENTARIUM_HOST',
    flag: 'host',
    schema: z.string(),
    default: '127.0.0.1',
    description: 'address to listen on; by default only this machine can connect',
  },
  data: {
    variable: 'DENTARIUM_DATA',
    flag: 'data',
    schema: z.string(),
    default: 'data',
    description: 'data folder; a relative path begins at the current folder',
  },
  databaseUrl: {
    variable: 'DATABASE_URL',
    schema: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    defaultNote: 'the embedded PostgreSQL in the data folder',
    description: 'another PostgreSQL (15 or later): `postgres://user:password@host/database`',
    isSecret: true,
  },
  databaseOwnerUrl: {
    variable: 'DATABASE_OWNER_URL',
    schema: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    description:
      'the same database as the role that owns its tables: migrates them, so that the role of `DATABASE_URL` needs no right to change the access log. See [operate.md](operate.md#to-a-postgresql-of-your-own)',
    isSecret: true,
  },
  databaseDirectUrl: {
    variable: 'DENTARIUM_DATABASE_DIRECT_URL',
    schema: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    defaultNote: '`DATABASE_URL`',
    description:
      'the same database without a connection pooler, needed where `DATABASE_URL` goes through pgBouncer in transaction mode. See [operate.md](operate.md#several-nodes)',
    isSecret: true,
  },
  databaseConnections: {
    variable: 'DENTARIUM_DATABASE_CONNECTIONS',
    schema: z.coerce.number().int().min(4).max(1_000),
    default: String(defaultConnections),
    description:
      'most connections to the database of this server, and of the process for DICOM devices as many again; besides them each server has three for notifications and locks. 4 to 1000',
  },
  roles: {
    variable: 'DENTARIUM_ROLES',
    schema: nodeRoles,
    default: 'both',
    description:
      'of several nodes: `web` answers browsers and programs and leaves imports, thumbnails and other work on images to nodes with `work`, which answer only `/health` and metrics; `both`. See [operate.md](operate.md#several-nodes)',
  },
  databaseWaitSeconds: {
    variable: 'DENTARIUM_DATABASE_WAIT_SECONDS',
    schema: z.coerce.number().int().min(0).max(3_600),
    default: '60',
    description: 'how long the start waits for a database that does not answer; at most 3600',
  },
  publicUrl: {
    variable: 'DENTARIUM_PUBLIC_URL',
    schema: origin.optional(),
    defaultNote: '`http://localhost:PORT`',
    description:
      'the address that users enter, without a path; the same on every node. See [HTTPS](../README.md#https)',
  },
  trustProxy: {
    variable: 'DENTARIUM_TRUST_PROXY',
    schema: trustedProxies,
    default: '0',
    description:
      'number of proxies in front (`1`; `0` for none), or their addresses and networks (`10.0.0.2,192.168.7.0/24`). See [HTTPS](../README.md#https)',
  },
  log: {
    variable: 'DENTARIUM_LOG',
    schema: z.enum(['file', 'stdout']),
    default: 'file',
    description:
      '`file`: `server.log` in the data folder, renamed to `server.log.1` at 64 MB. `stdout`: standard output; messages for people go to standard error. See [Monitoring](monitoring.md#log)',
  },
  logLevel: {
    variable: 'DENTARIUM_LOG_LEVEL',
    schema: z.enum(['debug', 'info', 'warn', 'error']),
    default: 'info',
    description: 'level of the log: `debug`, `info`, `warn` or `error`',
  },
  renditionGb: {
    variable: 'DENTARIUM_RENDITION_GB',
    schema: z.coerce.number().min(0.1).max(100_000),
    default: '20',
    description: 'disk space for renditions in GB; the least recently used are removed',
  },
  accessLogYears: {
    variable: 'DENTARIUM_ACCESS_LOG_YEARS',
    // Swedish law (Patientdatalagen) requires at least 5.
    schema: z.coerce.number().int().min(5).max(100),
    default: '10',
    description: 'retention of the access log; 5 to 100',
  },
  clinicRestoreDays: {
    variable: 'DENTARIUM_CLINIC_RESTORE_DAYS',
    schema: z.coerce.number().int().min(1).max(3_650),
    default: '30',
    description: 'days in which a deleted clinic can be restored; 1 to 3650',
  },
} satisfies Settings;

/** Flags without a variable. */
export const switches = {
  empty: 'do not create the demo clinic at the first start',
  'seed-only': 'fill the data folder and exit',
  dicom: 'also start the process for DICOM devices when `DENTARIUM_DICOM_PORT` is set, as `npm start` does',
  dev: 'for `npm run dev`: Vite serves the browser files and proxies calls to this server',
} as const;
