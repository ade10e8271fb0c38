import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { HubEvent } from '../../contract/hub.ts';
import { openBackplane } from '../db/backplane.ts';
import type { Database } from '../db/client.ts';
import { accountInSession } from '../db/stores/sessions.ts';
import type { Principal } from '../domain/policy/principal.ts';
import type { Subscriber } from './connection.ts';
import { createConnectionRegistry } from './connection-registry.ts';
import { eventFrame } from './frames.ts';
import type { Hub, HubGroup } from './hub.ts';
import { hubRoutes } from './routes.ts';

export interface HubDependencies {
  readonly database: Database;
  readonly authenticate: (authorization: string | undefined) => Promise<Principal>;
  readonly publicUrl: string;
  /** Called when another node has left work. */
  readonly onWork: () => void;
  /** Returns whether no other node serves browsers. */
  readonly isAlone: () => Promise<boolean>;
  readonly pingMilliseconds?: number;
}

/** A message of a browser that reached another node than its connection. */
interface Relayed {
  readonly accountId: string;
  readonly token: string;
  readonly text: string;
}

/** Payloads between nodes were validated when published. */
const envelope = z.object({
  groups: z.array(z.custom<HubGroup>()),
  event: z.custom<HubEvent>(),
  relayed: z.custom<Relayed>().optional(),
  work: z.literal(true).optional(),
});
const usualPing = 15_000;

export interface OpenHub extends Hub {
  /** Number of connections of browsers to this node. */
  connectionCount(): number;
  /** Wakes the nodes that work. */
  wakeWorkers(): void;
}

/** Registers the hub's routes and connects this node to the others. */
export const openHub = async (server: FastifyInstance, deps: HubDependencies): Promise<OpenHub> => {
  const { database, authenticate, publicUrl, onWork, isAlone, pingMilliseconds = usualPing } = deps;
  const connections = createConnectionRegistry();
  const backplane = await openBackplane(database, {
    onMessage: (payload) => {
      const { groups, event, relayed, work } = envelope.parse(JSON.parse(payload));
      if (work) onWork();
      else if (relayed) connections.find(relayed.accountId, relayed.token)?.receive(relayed.text);
      else connections.deliver(groups, eventFrame(event));
    },
    // Clients that may have missed events reconnect and then refetch.
    onGap: () => connections.closeWhere(() => true),
  });
  const isStillAuthorized = async ({ accountId, customerId, grantId }: Subscriber): Promise<boolean> => {
    const account = await accountInSession(database.db, accountId, grantId);
    return account !== undefined && (account.customer?.id ?? null) === customerId;
  };
  /** Disconnects users who signed out, were deactivated or moved to another clinic. */
  const closeUnauthorized = async (): Promise<void> => {
    const unauthorized = new Set<string>();
    for (const [id, listener] of new Map(connections.subscribers().map((each) => [each.grantId, each])))
      if (!(await isStillAuthorized(listener))) unauthorized.add(id);
    connections.closeWhere(({ grantId }) => unauthorized.has(grantId));
  };
  const timer = setInterval(() => {
    connections.tick();
    closeUnauthorized().catch((error: unknown) => server.log.error({ err: error }, 'hub recheck failed'));
  }, pingMilliseconds);
  server.addHook('preClose', async () => {
    clearInterval(timer);
    connections.closeWhere(() => true);
    await backplane.close();
  });
  // Nodes of earlier versions deliver these as an event to no group.
  const toNodes = (message: object) => backplane.publish(JSON.stringify({ groups: [], event: {}, ...message }));
  const relay = (relayed: Relayed) => toNodes({ relayed });
  await hubRoutes(server, { connections, authenticate, publicUrl, isAlone, relay });
  return {
    publish: (groups, event) => backplane.publish(JSON.stringify({ groups, event })),
    // Workers look for work by themselves some seconds later.
    wakeWorkers: () => void toNodes({ work: true }).catch(() => undefined),
    connectionCount: () => connections.subscribers().length,
  };
};
