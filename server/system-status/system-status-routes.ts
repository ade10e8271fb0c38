import type { FastifyInstance } from 'fastify';
import { type SystemWarning, systemStatus } from '../../contract/system-status.ts';
import { type Binding, bind } from '../route-binding.ts';

/** Returns the current warnings; must be cheap, because each administrator's browser polls it every minute. */
export type WarningSource = () => Promise<readonly SystemWarning[]>;

/** Registers the route that shows warnings to super administrators, in the order of their sources. */
export const systemStatusRoutes = (
  server: FastifyInstance,
  { binding, sources }: { readonly binding: Binding; readonly sources: readonly WarningSource[] },
): void => {
  bind(server, binding, systemStatus, async () => ({
    warnings: (await Promise.all(sources.map((source) => source()))).flat(),
  }));
};
