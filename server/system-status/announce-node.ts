import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { SystemDetails } from '../../contract/system-status.ts';
import type { Schema } from '../db/schema.ts';
import { announceNode, type NodeName, removeNode, runningNodes } from '../db/stores/nodes.ts';
import { type IntervalJob, startIntervalJob } from '../jobs/interval-job.ts';

type Nodes = SystemDetails['nodes'];

const everyMs = 30_000;
/** How long a closing server waits for a database that does not answer. */
const maxFarewellMs = 3_000;
/** Announcements that may be missing before a node counts as ended. */
const silentAfterSeconds = (4 * everyMs) / 1000;

export interface AnnouncedNode extends IntervalJob {
  /** Returns the nodes of this installation and their state. */
  nodes(): Promise<Nodes>;
  /** Number of nodes that serve browsers at the last announcement; 1 before it. */
  count(): number;
  /** Returns whether no other node serves browsers. */
  isAlone(): Promise<boolean>;
}

/** Announces this node while it runs; a node that is closed disappears at once, another one is missed after two minutes. */
export const announce = (
  db: Kysely<Schema>,
  { version, roles, name = os.hostname() }: Pick<NodeName, 'version' | 'roles'> & Partial<Pick<NodeName, 'name'>>,
  onFailure: (error: unknown) => void,
): AnnouncedNode => {
  const own: NodeName = { id: randomUUID(), name, version, roles };
  let count = 1;
  const isSilent = ({ silentSeconds }: { silentSeconds: number }) => silentSeconds > silentAfterSeconds;
  const serving = async () => (await runningNodes(db)).filter((row) => row.roles !== 'work' && !isSilent(row));
  const announceAndCount = async (): Promise<void> => {
    await announceNode(db, own);
    count = (await serving()).length;
  };
  const job = startIntervalJob(everyMs, announceAndCount, onFailure);
  return {
    nodes: async () => {
      const rows = await runningNodes(db);
      return rows.map((row) => {
        const isOther = row.version !== version;
        const since = isSilent(row) ? row.seen_at : row.started_at;
        return {
          state: isSilent(row) ? 'error' : isOther ? 'attention' : 'ok',
          since: since.toISOString(),
          id: row.id,
          name: row.name,
          version: row.version,
          roles: row.roles,
          startedAt: row.started_at.toISOString(),
          seenAt: row.seen_at.toISOString(),
          isThis: row.id === own.id,
        };
      });
    },
    count: () => Math.max(1, count),
    isAlone: async () => (await serving()).every(({ id }) => id === own.id),
    close: async () => {
      await job.close();
      const removed = removeNode(db, own.id).catch(onFailure);
      await Promise.race([removed, pause(maxFarewellMs, undefined, { ref: false })]);
    },
  };
};
