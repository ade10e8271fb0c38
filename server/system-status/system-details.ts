import type { Kysely } from 'kysely';
import type { OfferedMethod } from '../../contract/sign-in.ts';
import type { SystemDetails } from '../../contract/system-status.ts';
import type { Schema } from '../db/schema.ts';
import { databaseFacts, fileCheckProgress, schemaAge, waitingEntries } from '../db/stores/system-state.ts';
import type { DiskSpace } from '../storage/disk-space.ts';
import type { WarningSource } from './system-status-routes.ts';

/** Parts that other features know. */
export interface DetailSources extends Pick<DiskSpace, 'read'> {
  readonly db: Kysely<Schema>;
  readonly isEmbedded: boolean;
  readonly version: string;
  readonly hasMail: boolean;
  readonly hasSms: boolean;
  readonly diskWarnings: WarningSource;
  readonly fileWarnings: WarningSource;
  readonly backup: () => Promise<SystemDetails['backup']>;
  readonly certificate: () => Promise<SystemDetails['certificate']>;
  readonly signInMethods: () => Promise<readonly OfferedMethod[]>;
  readonly nodes: () => Promise<SystemDetails['nodes']>;
}

/** Time after which a waiting entry needs attention. Renditions of a large import take hours. */
const patienceMinutes = { imports: 30, thumbnails: 60, renditions: 24 * 60, mails: 15 } as const;
/** Part of the connections of the database above which it needs attention. */
const manyConnections = 0.9;

const versionOf = async ({ db, version }: DetailSources, since: Date): Promise<SystemDetails['version']> => {
  const schema = await schemaAge(db);
  return { state: schema === 'same' ? 'ok' : 'attention', since: since.toISOString(), version, schema };
};

const diskOf = async ({ read, diskWarnings }: DetailSources): Promise<SystemDetails['disk']> => {
  const space = await read();
  if (!space) return { state: 'error', since: null, space: null };
  const { freeBytes, totalBytes, reservedBytes } = space;
  const [warning] = await diskWarnings();
  const state = freeBytes < reservedBytes ? 'error' : warning ? 'attention' : 'ok';
  return { state, since: warning?.since ?? null, space: { freeBytes, totalBytes } };
};

const databaseOf = async ({ db, isEmbedded }: DetailSources): Promise<SystemDetails['database']> => {
  const { startedAt, ...facts } = await databaseFacts(db);
  const state = facts.connections > facts.mostConnections * manyConnections ? 'attention' : 'ok';
  return { ...facts, state, since: startedAt.toISOString(), isEmbedded };
};

const queuesOf = async ({ db }: DetailSources, now: Date): Promise<SystemDetails['queues']> =>
  (await waitingEntries(db)).map(({ queue, length, oldest }) => {
    const isLate = oldest !== null && now.getTime() - oldest.getTime() > patienceMinutes[queue] * 60_000;
    return { state: isLate ? 'attention' : 'ok', since: oldest?.toISOString() ?? null, queue, length };
  });

const fileCheckOf = async ({ db, fileWarnings }: DetailSources): Promise<SystemDetails['fileCheck']> => {
  const { startedAt, share } = await fileCheckProgress(db);
  const [warning] = await fileWarnings();
  return { state: warning ? 'error' : 'ok', since: warning?.since ?? null, startedAt: startedAt.toISOString(), share };
};

/** Returns a function that collects the state of all parts. */
export const systemDetailsOf = (sources: DetailSources): (() => Promise<SystemDetails>) => {
  const startedAt = new Date();
  const since = startedAt.toISOString();
  const { hasMail, hasSms, signInMethods } = sources;
  return async () => {
    const methods = [...(await signInMethods())];
    const isTest = methods.some(({ test }) => test);
    return {
      version: await versionOf(sources, startedAt),
      disk: await diskOf(sources),
      database: await databaseOf(sources),
      queues: await queuesOf(sources, new Date()),
      backup: await sources.backup(),
      fileCheck: await fileCheckOf(sources),
      certificate: await sources.certificate(),
      mail: { state: hasMail ? 'ok' : 'attention', since, isConfigured: hasMail },
      sms: { state: 'ok', since, isConfigured: hasSms },
      signIn: { state: isTest ? 'attention' : 'ok', since, methods },
      nodes: await sources.nodes(),
    };
  };
};
