import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { HubEvent } from '../../contract/hub.ts';
import type { Database } from '../db/client.ts';
import { accountInSession } from '../db/stores/sessions.ts';
import type { Principal } from '../policy/principal.ts';
import { openBackplane } from './backplane.ts';
import type { Listener } from './connection.ts';
import { eventFrame } from './frames.ts';
import type { Hub, HubGroup } from './hub.ts';
import { hubRoutes } from './routes.ts';
import { switchboard } from './switchboard.ts';

export interface HubDependencies {
  readonly database: Database;
  readonly authenticate: (authorization: string | undefined) => Promise<Principal>;
  readonly pingMilliseconds?: number;
}

/** What travels between nodes was checked where it was published. */
const envelope = z.object({ groups: z.array(z.custom<HubGroup>()), event: z.custom<HubEvent>() });
const usualPing = 15_000;

/** Registers the hub's routes and connects this node to the others. */
export const openHub = async (server: FastifyInstance, deps: HubDependencies): Promise<Hub> => {
  const { database, authenticate, pingMilliseconds = usualPing } = deps;
  const board = switchboard();
  const backplane = await openBackplane(database, {
    onNews: (payload) => {
      const { groups, event } = envelope.parse(JSON.parse(payload));
      board.deliver(groups, eventFrame(event));
    },
    // Whoever may have missed news comes again, and then fetches the truth.
    onGap: () => board.closeWhere(() => true),
  });
  const isWelcome = async ({ accountId, customerId, grantId }: Listener): Promise<boolean> => {
    const account = await accountInSession(database.db, accountId, grantId);
    return account !== undefined && (account.customer?.id ?? null) === customerId;
  };
  /** Who signed out, was deactivated or moved to another clinic hears nothing more. */
  const dismiss = async (): Promise<void> => {
    const unwelcome = new Set<string>();
    for (const [id, listener] of new Map(board.listeners().map((each) => [each.grantId, each])))
      if (!(await isWelcome(listener))) unwelcome.add(id);
    board.closeWhere(({ grantId }) => unwelcome.has(grantId));
  };
  const timer = setInterval(() => {
    board.tick();
    dismiss().catch((error: unknown) => server.log.error({ err: error }, 'hub recheck failed'));
  }, pingMilliseconds);
  server.addHook('preClose', async () => {
    clearInterval(timer);
    board.closeWhere(() => true);
    await backplane.close();
  });
  await hubRoutes(server, { board, authenticate });
  return { publish: (groups, event) => backplane.publish(JSON.stringify({ groups, event })) };
};
