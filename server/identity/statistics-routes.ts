import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { hasClaim } from '../../contract/claims.ts';
import { statisticsGet, statisticsOfCustomer } from '../../contract/statistics.ts';
import type { Schema } from '../db/schema.ts';
import { customerById } from '../db/stores/customer-store.ts';
import { countAll } from '../db/stores/statistics-counting.ts';
import { statisticsOf } from '../db/stores/statistics-store.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { startIntervalJob } from '../jobs/interval-job.ts';
import { type Binding, bind } from '../route-binding.ts';

const countedEvery = 30_000;

/** Registers the statistics of all clinics and of one. Changes are counted on request and periodically. */
export const statisticsRoutes = (
  server: FastifyInstance,
  { db, binding }: { readonly db: Kysely<Schema>; readonly binding: Binding },
): void => {
  const job = startIntervalJob(
    countedEvery,
    () => countAll(db),
    (error) => server.log.error({ err: error }, 'counting failed'),
  );
  server.addHook('onClose', job.close);

  bind(server, binding, statisticsGet, ({ principal }) =>
    statisticsOf(db, { superAdministrators: hasClaim(principal.permissions, 'user.get_sa') }),
  );

  bind(server, binding, statisticsOfCustomer, async ({ principal, params: { customerId } }) => {
    if (!canUseClinic(principal, customerId) || !(await customerById(db, customerId)))
      throw new ProblemError('not-found');
    return statisticsOf(db, { customerId });
  });
};
