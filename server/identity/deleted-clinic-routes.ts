import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { hasClaim } from '../../contract/claims.ts';
import { customerRestore, deletedClinicsGet } from '../../contract/deleted-clinics.ts';
import type { Schema } from '../db/schema.ts';
import { deletedClinics, restoreClinic } from '../db/stores/deleted-clinics.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { type Binding, bind } from '../route-binding.ts';
import { identityLog } from './identity-log.ts';

export interface DeletedClinicDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly clinicRestoreDays: number;
}

const dayMs = 86_400_000;

/** A deleted clinic is another one than the caller's own. */
const hasAllClinics = ({ permissions }: Principal): boolean => hasClaim(permissions, 'customer.get_byid');

/** Registers the routes that list and restore deleted clinics. */
export const deletedClinicRoutes = (
  server: FastifyInstance,
  { db, binding, clinicRestoreDays }: DeletedClinicDependencies,
): void => {
  const restoreMs = clinicRestoreDays * dayMs;

  bind(server, binding, deletedClinicsGet, async ({ principal }) => {
    const rows = hasAllClinics(principal) ? await deletedClinics(db) : [];
    return {
      data: rows.map(({ id, name, city, deleted_at, deleted_by, deleter, destruction }) => ({
        id,
        name,
        city,
        deletedAt: deleted_at.toISOString(),
        deletedBy: deleted_by === null ? null : { id: deleted_by, name: deleter ?? '' },
        destruction,
        restorableUntil: new Date(deleted_at.getTime() + restoreMs).toISOString(),
      })),
    };
  });

  bind(server, binding, customerRestore, ({ principal, params: { id } }) => {
    if (!hasAllClinics(principal)) throw new ProblemError('not-found');
    return db.transaction().execute(async (transaction) => {
      const restored = await restoreClinic(transaction, id, new Date(Date.now() - restoreMs));
      if (restored === 'unknown') throw new ProblemError('not-found');
      if (restored === 'expired') throw new ProblemError('restore-expired');
      if (restored !== 'unchanged')
        await identityLog(transaction).note({
          action: 'clinic.restored',
          account: { id: principal.accountId, customer: { id } },
          objectId: id,
          detail: restored.name,
        });
      return { id };
    });
  });
};
