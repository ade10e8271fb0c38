import type { FastifyInstance } from 'fastify';
import { about, welcome } from '../contract/about.ts';
import type { ReplyOf } from '../contract/route.ts';
import type { FirstAdministrator } from './identity/first-administrator.ts';
import { type Binding, bind, bindOpen } from './route-binding.ts';

export type DemoAccount = ReplyOf<typeof welcome>['demoAccounts'][number];

export interface AboutDependencies {
  readonly binding: Binding;
  readonly versions: ReplyOf<typeof about>;
  readonly firstAdministrator: FirstAdministrator;
  /** Sign-in names to show; none outside the demo clinic. */
  readonly demoAccounts: () => Promise<readonly DemoAccount[]>;
}

export const aboutRoutes = (server: FastifyInstance, deps: AboutDependencies): void => {
  bind(server, deps.binding, about, async () => deps.versions);
  bindOpen(server, deps.binding, welcome, async () => ({
    demoAccounts: [...(await deps.demoAccounts())],
    awaitsFirstAdministrator: await deps.firstAdministrator.isAwaited(),
  }));
};
