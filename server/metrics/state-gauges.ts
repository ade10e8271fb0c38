import type { Kysely } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import { isDatabaseUnavailable } from '../db/database-unavailable.ts';
import { ping } from '../db/ping.ts';
import type { Schema } from '../db/schema.ts';
import { readWorkload, type Workload } from '../db/stores/workload.ts';
import type { DiskSpace } from '../storage/disk-space.ts';
import { sharedRead } from './shared-read.ts';

/** Parts of a node whose state is exported. */
export interface ObservedParts {
  readonly db: Kysely<Schema>;
  readonly pool: {
    readonly totalCount: number;
    readonly idleCount: number;
    readonly waitingCount: number;
    readonly options: { readonly max: number };
  };
  readonly diskSpace: Pick<DiskSpace, 'read'>;
  readonly hubConnections: () => number;
  /** Passwords that wait to be hashed. */
  readonly hashingQueue: () => { readonly length: number; readonly oldestSeconds: number };
  readonly onFailure: (error: unknown) => void;
}

const timeLimitMs = 2_000;
/** How long counts of tables are used again. */
const countsValidMs = 15_000;

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];

/** Creates a gauge that is absent until it has a value. */
const gaugeOf = (registry: Registry, name: string, help: string, labelNames: readonly string[] = []) => {
  const gauge = new Gauge({ name, help, labelNames, registers: [registry] });
  const hide = () => (labelNames.length === 0 ? gauge.remove() : gauge.reset());
  hide();
  return (samples: readonly Sample[] | number | null): void => {
    hide();
    if (typeof samples === 'number') gauge.set(samples);
    else for (const [labels, value] of samples ?? []) gauge.set(labels, value);
  };
};

const samplesOf = (label: string, values: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(values).map(([name, value]) => [{ [label]: name }, value]);

/** Clocks of different machines differ a little. */
const secondsSince = (moment: Date | null): number | null =>
  moment && Math.max(0, Date.now() - moment.getTime()) / 1_000;

const gaugesOf = (registry: Registry) => {
  const gauge = (name: string, help: string, ...labels: string[]) =>
    gaugeOf(registry, `dentarium_${name}`, help, labels);
  return {
    databaseUp: gauge('database_up', '1 when the database answers within 2 seconds, else 0'),
    connections: gauge('database_pool_connections', 'Database connections of this node: used or idle', 'state'),
    waiting: gauge('database_pool_waiting', 'Work of this node that waits for a database connection'),
    poolLimit: gauge('database_pool_limit', 'Maximum number of database connections of this node'),
    imports: gauge('imports', 'Imports that are not done, by step; failed ones until they are removed', 'state'),
    queueLength: gauge('queue_length', 'Entries that wait or are being processed', 'queue'),
    queueOldest: gauge('queue_oldest_seconds', 'Age of the oldest entry in its queue; 0 when it is empty', 'queue'),
    hubConnections: gauge('hub_connections', 'Browsers connected to the hub of this node'),
    diskFree: gauge('disk_free_bytes', 'Free space on the disk of the image files'),
    diskSize: gauge('disk_size_bytes', 'Size of the disk of the image files'),
    diskReserve: gauge('disk_reserved_bytes', 'Space that imports leave free'),
    backupAge: gauge('backup_age_seconds', 'Time since the last good backup began; absent before the first'),
    checkProgress: gauge('file_check_progress_ratio', 'Checked part of all image files in this pass, 0 to 1'),
    checkSeconds: gauge('file_check_pass_seconds', 'Time since this pass of the file check began'),
    fileErrors: gauge('stored_file_errors', 'Image files that are damaged or missing', 'kind'),
  };
};

/** Registers the gauges of a node. Returns a function that updates them; it never rejects, and what cannot be read is absent. */
export const stateGauges = (registry: Registry, parts: ObservedParts): (() => Promise<void>) => {
  const gauges = gaugesOf(registry);
  const onFailure = (error: unknown) => {
    if (!isDatabaseUnavailable(error)) parts.onFailure(error);
  };
  const limits = { validMs: countsValidMs, timeLimitMs };
  const isUp = sharedRead(() => ping(parts.db).then(() => true), { validMs: 0, timeLimitMs }, onFailure);
  const workload = sharedRead(() => readWorkload(parts.db, timeLimitMs), limits, onFailure);
  const space = sharedRead(() => parts.diskSpace.read(), { validMs: 0, timeLimitMs }, onFailure);

  const showWorkload = (found: Workload | null): void => {
    const hashing = parts.hashingQueue();
    const stored = found?.queues ?? [];
    const queues = [
      ...stored.map(({ queue, length, oldest }) => ({ queue, length, seconds: secondsSince(oldest) ?? 0 })),
      { queue: 'hashing', length: hashing.length, seconds: hashing.oldestSeconds },
    ];
    gauges.queueLength(queues.map(({ queue, length }) => [{ queue }, length]));
    gauges.queueOldest(queues.map(({ queue, seconds }) => [{ queue }, seconds]));
    gauges.imports(found && samplesOf('state', found.imports));
    gauges.fileErrors(found && samplesOf('kind', found.fileErrors));
    gauges.checkProgress(found?.fileCheck.share ?? null);
    gauges.checkSeconds(found && secondsSince(found.fileCheck.startedAt));
    gauges.backupAge(found && secondsSince(found.backupAt));
  };

  return async () => {
    const [up, found, disk] = await Promise.all([isUp(), workload(), space()]);
    const { totalCount, idleCount, waitingCount, options } = parts.pool;
    gauges.databaseUp(up ? 1 : 0);
    gauges.connections(samplesOf('state', { used: totalCount - idleCount, idle: idleCount }));
    gauges.waiting(waitingCount);
    gauges.poolLimit(options.max);
    showWorkload(up ? found : null);
    gauges.hubConnections(parts.hubConnections());
    gauges.diskFree(disk?.freeBytes ?? null);
    gauges.diskSize(disk?.totalBytes ?? null);
    gauges.diskReserve(disk?.reservedBytes ?? null);
  };
};
