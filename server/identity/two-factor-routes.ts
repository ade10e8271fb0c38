import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { twoFactorDisable, twoFactorSetup, twoFactorVerify } from '../../contract/two-factor.ts';
import type { Schema } from '../db/schema.ts';
import { type Binding, bind } from '../route-binding.ts';
import { twoFactorOf } from './two-factor.ts';

const status = 'success' as const;

interface TwoFactorDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
}

/** `/auth/api/tfa`: secrets go out here, so nothing on the way may keep a reply. */
export const twoFactorRoutes = (server: FastifyInstance, { db, binding }: TwoFactorDependencies): void => {
  const twoFactor = twoFactorOf(db);

  bind(server, binding, twoFactorSetup, async ({ principal, reply }) => {
    reply.header('cache-control', 'no-store');
    return { status, data: await twoFactor.setUp(principal) };
  });

  bind(server, binding, twoFactorVerify, async ({ principal, body, reply }) => {
    reply.header('cache-control', 'no-store');
    return { status, data: { recoveryCodes: await twoFactor.turnOn(principal, body.verificationCode) } };
  });

  bind(server, binding, twoFactorDisable, async ({ principal, body }) => {
    await twoFactor.turnOff(principal, body.verificationCode);
    return { status };
  });
};
