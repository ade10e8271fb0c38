import type { FastifyInstance } from 'fastify';
import { about, welcome } from '../contract/about.ts';
import type { ReplyOf } from '../contract/route.ts';
import type { OfferedMethod } from '../contract/sign-in.ts';
import type { FirstAdministrator } from './identity/first-administrator.ts';
import { type Binding, bind, bindOpen } from './route-binding.ts';

export type DemoAccount = ReplyOf<typeof welcome>['demoAccounts'][number];

export interface AboutDependencies {
  readonly binding: Binding;
  readonly versions: ReplyOf<typeof about>;
  readonly firstAdministrator: FirstAdministrator;
  /** Sign-in names to show; none outside the demo clinic. */
  readonly demoAccounts: () => Promise<readonly DemoAccount[]>;
  /** Ways to sign in, in the order in which they are shown. */
  readonly offeredMethods: () => Promise<readonly OfferedMethod[]>;
  /** Address of the page with the demo's letters; null when there is none. */
  readonly outbox: () => Promise<string | null>;
}

export const aboutRoutes = (server: FastifyInstance, deps: AboutDependencies): void => {
  bind(server, deps.binding, about, async () => deps.versions);
  bindOpen(server, deps.binding, welcome, async () => ({
    demoAccounts: [...(await deps.demoAccounts())],
    awaitsFirstAdministrator: await deps.firstAdministrator.isAwaited(),
    methods: [...(await deps.offeredMethods())],
    outbox: await deps.outbox(),
  }));
};
