import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { type IdentitySettings, readIdentitySettings } from './identity/identity-settings.ts';
import { type ImportSettings, readImportSettings } from './imports/import-settings.ts';
import { type FileCheckSettings, readFileCheckSettings } from './integrity/check-settings.ts';
import { type MailSettings, readMailSettings } from './mail/mail-settings.ts';
import { StartupError } from './startup-error.ts';
import { type ObjectStoreConfig, readObjectStore } from './storage/object-store-config.ts';
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

const settings = z.object({
  port: z.coerce.number().int().min(0).max(65_535).default(8080),
  host: z.string().min(1).default('127.0.0.1'),
  data: z.string().min(1).default('data'),
  /** External PostgreSQL (15 or newer); without it the bundled one runs in the data folder. */
  databaseUrl: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Seconds to wait at startup for an unavailable database. */
  databaseWaitSeconds: z.coerce.number().int().min(0).max(3_600).default(60),
  /** Public URL, if different from http://localhost:<port>. */
  publicUrl: origin.optional(),
  /** Proxies whose X-Forwarded-For, -Proto and -Host headers are trusted. */
  trustProxy: trustedProxies.default(null),
  logLevel: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  /** Disk limit of the rendition cache in gigabytes; the least recently used files are evicted. */
  renditionGb: z.coerce.number().min(0.1).max(100_000).default(20),
  /** Retention of the access log in years; Swedish law (Patientdatalagen) requires at least 5. */
  accessLogYears: z.coerce.number().int().min(5).max(100).default(10),
  /** Do not create the demo clinic at the first start. */
  empty: z.boolean().default(false),
  /** Fill the data folder and exit. */
  seedOnly: z.boolean().default(false),
  /** Vite serves the browser files and proxies API calls to this server. */
  dev: z.boolean().default(false),
});

export type Config = Omit<z.infer<typeof settings>, 'data'> & {
  /** Absolute. */
  readonly dataFolder: string;
  /** Null: files are uploaded to the server only. */
  readonly objectStore: ObjectStoreConfig | null;
  readonly imports: ImportSettings;
  /** Null: e-mails are written to the outbox folder. */
  readonly mail: MailSettings | null;
  readonly identity: IdentitySettings;
  readonly fileCheck: FileCheckSettings;
};

/** Source of each setting: a command-line flag, otherwise an environment variable. */
export const variables: Readonly<Record<string, keyof z.infer<typeof settings>>> = {
  PORT: 'port',
  DENTARIUM_HOST: 'host',
  DENTARIUM_DATA: 'data',
  DATABASE_URL: 'databaseUrl',
  DENTARIUM_DATABASE_WAIT_SECONDS: 'databaseWaitSeconds',
  DENTARIUM_PUBLIC_URL: 'publicUrl',
  DENTARIUM_TRUST_PROXY: 'trustProxy',
  DENTARIUM_LOG_LEVEL: 'logLevel',
  DENTARIUM_RENDITION_GB: 'renditionGb',
  DENTARIUM_ACCESS_LOG_YEARS: 'accessLogYears',
};

/** Parses environment and flags into a configuration. @throws StartupError naming the first invalid setting */
export const readConfig = (
  environment: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Record<string, string | boolean | undefined>>,
): Config => {
  const fromEnvironment = Object.entries(variables).flatMap(([variable, name]) =>
    environment[variable] ? [[name, environment[variable]]] : [],
  );
  const fromFlags = Object.entries(flags).filter(([, value]) => value !== undefined);
  const result = settings.safeParse(Object.fromEntries([...fromEnvironment, ...fromFlags]));
  if (!result.success) {
    const [issue] = result.error.issues;
    const name = String(issue?.path[0]);
    const variable = Object.keys(variables).find((key) => variables[key] === name);
    throw new StartupError(`Setting "${name}"${variable ? ` (${variable})` : ''}: ${issue?.message ?? 'not valid'}`);
  }
  const { data, ...rest } = result.data;
  const dataFolder = path.resolve(data.replace(/^~(?=\/|$)/, os.homedir()));
  return {
    ...rest,
    dataFolder,
    objectStore: readObjectStore(environment),
    imports: readImportSettings(environment),
    fileCheck: readFileCheckSettings(environment),
    mail: readMailSettings(environment),
    identity: readIdentitySettings(environment),
  };
};
