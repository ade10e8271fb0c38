import type { FastifyInstance } from 'fastify';
import type { MailLanguage } from '../../contract/sign-in.ts';
import {
  type SystemDetails,
  type SystemWarning,
  systemDetails,
  systemStatus,
  type TestResult,
} from '../../contract/system-status.ts';
import { program } from '../program-name.ts';
import { type Binding, bind } from '../route-binding.ts';

/** Returns the current warnings; must be cheap, because each administrator's browser polls it every minute. */
export type WarningSource = () => Promise<readonly SystemWarning[]>;

/** Sends a test message to an account's own address or number. Resolves with the refusal of the operator's server. */
export type SendTest = (accountId: string, language: MailLanguage) => Promise<TestResult>;

export interface SystemStatusDependencies {
  readonly binding: Binding;
  /** In the order in which their warnings are shown. */
  readonly sources: readonly WarningSource[];
  readonly details: () => Promise<SystemDetails>;
}

/** Registers the routes that show warnings and the state of all parts to super administrators. */
export const systemStatusRoutes = (
  server: FastifyInstance,
  { binding, sources, details }: SystemStatusDependencies,
): void => {
  bind(server, binding, systemStatus, async () => ({
    program,
    warnings: (await Promise.all(sources.map((source) => source()))).flat(),
  }));
  bind(server, binding, systemDetails, details);
};
