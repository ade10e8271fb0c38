import type { HubEvent } from '../../contract/hub.ts';

/** Who hears a piece of news: one person on all their screens, or everybody of a clinic. */
export type HubGroup = `user:${string}` | `clinic:${string}`;

export interface Hub {
  /**
   * Sends news to everybody in the groups, on whichever node they are connected; a connection in several of them hears it once.
   * The body holds ids only and stays below 7,900 bytes (PostgreSQL's limit for NOTIFY is 8,000), or it is refused with a RangeError.
   */
  publish(groups: readonly HubGroup[], event: HubEvent): Promise<void>;
}
