import type { Transaction } from 'kysely';
import type { HubEvent } from '../../contract/hub.ts';
import { publishWithCommit } from '../db/backplane.ts';
import type { Schema } from '../db/schema.ts';

/** Recipients of an event: one user in all browsers, or all users of a clinic. */
export type HubGroup = `user:${string}` | `clinic:${string}`;

export interface Hub {
  /**
   * Sends an event to all connections in the groups, on every node; a connection in several groups receives it once. The body contains only ids.
   * @throws RangeError above 7,900 bytes (PostgreSQL limits NOTIFY to 8,000)
   */
  publish(groups: readonly HubGroup[], event: HubEvent): Promise<void>;
}

/** Sends an event with the commit of a transaction, also from a process that has no hub. */
export const publishInTransaction = (
  transaction: Transaction<Schema>,
  groups: readonly HubGroup[],
  event: HubEvent,
): Promise<void> => publishWithCommit(transaction, JSON.stringify({ groups, event }));
