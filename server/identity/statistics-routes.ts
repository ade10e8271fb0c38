import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { mayDo } from '../../contract/claims.ts';
import { statisticsGet, statisticsOfCustomer } from '../../contract/statistics.ts';
import type { Schema } from '../db/schema.ts';
import { customerById } from '../db/stores/customer-store.ts';
import { countAll } from '../db/stores/statistics-counting.ts';
import { statisticsOf } from '../db/stores/statistics-store.ts';
import { mayUseClinic } from '../policy/may-use-clinic.ts';
import { Refusal } from '../refusal.ts';
import { startRounds } from '../rounds.ts';
import { type Binding, bind } from '../route-binding.ts';

const countedEvery = 30_000;

/** Numbers of all clinics and of one; what changed is counted when somebody asks, and every now and then. */
export const statisticsRoutes = (
  server: FastifyInstance,
  { db, binding }: { readonly db: Kysely<Schema>; readonly binding: Binding },
): void => {
  const rounds = startRounds(
    countedEvery,
    () => countAll(db),
    (error) => server.log.error({ err: error }, 'counting failed'),
  );
  server.addHook('onClose', rounds.close);

  bind(server, binding, statisticsGet, ({ principal }) =>
    statisticsOf(db, { superAdministrators: mayDo(principal.permissions, 'user.get_sa') }),
  );

  bind(server, binding, statisticsOfCustomer, async ({ principal, params: { customerId } }) => {
    if (!mayUseClinic(principal, customerId) || !(await customerById(db, customerId))) throw new Refusal('not-found');
    return statisticsOf(db, { customerId });
  });
};
