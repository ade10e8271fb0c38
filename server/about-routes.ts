import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { about, openapiDocument, welcome } from '../contract/about.ts';
import type { ReplyOf } from '../contract/route.ts';
import type { OfferedMethod } from '../contract/sign-in.ts';
import type { FirstAdministrator } from './identity/first-administrator.ts';
import { type Binding, bind, bindOpen } from './route-binding.ts';

export type DemoAccount = ReplyOf<typeof welcome>['demoAccounts'][number];

export interface AboutDependencies {
  readonly binding: Binding;
  readonly versions: ReplyOf<typeof about>;
  readonly firstAdministrator: FirstAdministrator;
  /** Accounts to show on the sign-in page; empty outside the demo clinic. */
  readonly demoAccounts: () => Promise<readonly DemoAccount[]>;
  /** Sign-in methods in display order. */
  readonly offeredMethods: () => Promise<readonly OfferedMethod[]>;
  readonly hasMailServer: boolean;
  /** Path of the demo outbox page; null when there is none. */
  readonly outbox: () => Promise<string | null>;
}

const readDocument = async (): Promise<ReplyOf<typeof openapiDocument>> =>
  JSON.parse(await readFile(path.join(import.meta.dirname, '..', 'contract', 'openapi.json'), 'utf8'));

export const aboutRoutes = (server: FastifyInstance, deps: AboutDependencies): void => {
  bind(server, deps.binding, about, async () => deps.versions);
  bindOpen(server, deps.binding, openapiDocument, readDocument);
  bindOpen(server, deps.binding, welcome, async () => ({
    demoAccounts: [...(await deps.demoAccounts())],
    awaitsFirstAdministrator: await deps.firstAdministrator.isAwaited(),
    methods: [...(await deps.offeredMethods())],
    hasMailServer: deps.hasMailServer,
    outbox: await deps.outbox(),
  }));
};
