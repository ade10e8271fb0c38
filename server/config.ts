import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { type IdentitySettings, readIdentitySettings } from './identity/identity-settings.ts';
import { type ImportSettings, readImportSettings } from './imports/import-settings.ts';
import { StartRefused } from './start-refused.ts';
import { type ObjectStoreConfig, readObjectStore } from './storage/object-store-config.ts';

const flag = z.enum(['0', '1', 'false', 'true']).transform((text) => text === '1' || text === 'true');

const settings = z.object({
  port: z.coerce.number().int().min(0).max(65_535).default(8080),
  host: z.string().min(1).default('127.0.0.1'),
  data: z.string().min(1).default('data'),
  /** An external PostgreSQL (15 or newer); without it the bundled one runs in the data folder. */
  databaseUrl: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Address under which browsers reach the server, when it is not http://localhost:<port>. */
  publicUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** A proxy in front sets X-Forwarded-For and -Proto. */
  trustProxy: flag.default(false),
  logLevel: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  /** Gigabytes of disk for what is made for the viewer ahead; the least recently used gives way. */
  renditionGb: z.coerce.number().min(0.1).max(100_000).default(20),
  /** Years for which the access log is kept; patient records law asks for 5 at least. */
  accessLogYears: z.coerce.number().int().min(5).max(100).default(10),
  /** No demo clinic at the first start. */
  empty: z.boolean().default(false),
  /** Fill the data folder and stop. */
  seedOnly: z.boolean().default(false),
  /** The browser's files come from Vite, which passes calls on to us. */
  dev: z.boolean().default(false),
});

export type Config = Omit<z.infer<typeof settings>, 'data'> & {
  /** Absolute. */
  readonly dataFolder: string;
  /** Null: files come to the archive only. */
  readonly objectStore: ObjectStoreConfig | null;
  readonly imports: ImportSettings;
  readonly identity: IdentitySettings;
};

/** Where each setting comes from: a flag of the command line, else a variable of the environment. */
const variables: Readonly<Record<string, keyof z.infer<typeof settings>>> = {
  PORT: 'port',
  DENTARIUM_HOST: 'host',
  DENTARIUM_DATA: 'data',
  DATABASE_URL: 'databaseUrl',
  DENTARIUM_PUBLIC_URL: 'publicUrl',
  DENTARIUM_TRUST_PROXY: 'trustProxy',
  DENTARIUM_LOG_LEVEL: 'logLevel',
  DENTARIUM_RENDITION_GB: 'renditionGb',
  DENTARIUM_ACCESS_LOG_YEARS: 'accessLogYears',
};

/** Environment and flags -> configuration. Throws StartRefused naming the first setting that is wrong. */
export const readConfig = (
  environment: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Record<string, string | boolean | undefined>>,
): Config => {
  const fromEnvironment = Object.entries(variables).flatMap(([variable, name]) =>
    environment[variable] ? [[name, environment[variable]]] : [],
  );
  const given = { ...Object.fromEntries(fromEnvironment), ...flags };
  const result = settings.safeParse(
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  );
  if (!result.success) {
    const [issue] = result.error.issues;
    const name = String(issue?.path[0]);
    const variable = Object.keys(variables).find((key) => variables[key] === name);
    throw new StartRefused(`Setting "${name}"${variable ? ` (${variable})` : ''}: ${issue?.message ?? 'not valid'}`);
  }
  const { data, ...rest } = result.data;
  const dataFolder = path.resolve(data.replace(/^~(?=\/|$)/, os.homedir()));
  return {
    ...rest,
    dataFolder,
    objectStore: readObjectStore(environment),
    imports: readImportSettings(environment),
    identity: readIdentitySettings(environment),
  };
};
