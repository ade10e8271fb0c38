import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { testMail, testSms } from '../../contract/system-status.ts';
import type { Schema } from '../db/schema.ts';
import { countAttempt } from '../db/stores/sign-in-attempts.ts';
import { hashedName } from '../db/stores/token-hash.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { type Binding, bind } from '../route-binding.ts';
import type { SendTest } from './system-status-routes.ts';

export interface TestMessageDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly mail: SendTest;
  readonly sms: SendTest;
}

/** Text messages cost money. */
const limits = { free: 5, maxWaitSeconds: 3_600, forgottenAfter: '1 hour' };

/** Registers the routes that send test messages. Each account may send a few an hour. */
export const testMessageRoutes = (server: FastifyInstance, deps: TestMessageDependencies): void => {
  const { db, binding } = deps;
  for (const [kind, route] of [
    ['mail', testMail],
    ['sms', testSms],
  ] as const)
    bind(server, binding, route, async ({ principal: { accountId }, body, request }) => {
      const counted = await countAttempt(db, hashedName('test-message', accountId), limits);
      if (counted === undefined) throw new ProblemError('too-many-requests');
      const sent = await deps[kind](accountId, body.language);
      request.log.info({ kind, ...sent }, 'test message');
      return sent;
    });
};
