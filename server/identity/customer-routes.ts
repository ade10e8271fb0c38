import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import {
  customerCreate,
  customerDelete,
  customerDependentsGet,
  customerGet,
  customerGetAll,
  customerUpdate,
  reassignUser,
} from '../../contract/customers.ts';
import type { ListCursors } from '../db/list-cursors.ts';
import type { Schema } from '../db/schema.ts';
import { customerById, customersPage } from '../db/stores/customer-store.ts';
import { canSeeClinic } from '../domain/policy/can-see-clinic.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';
import { noRightError, ProblemError } from '../domain/problem-error.ts';
import { type Binding, bind } from '../route-binding.ts';
import { customerChanges } from './customer-changes.ts';

export interface CustomerDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly cursors: ListCursors;
}

/** Registers the routes that read, list, create, change and delete clinics and move users between them. */
export const customerRoutes = (
  server: FastifyInstance,
  { db, binding, cursors: places }: CustomerDependencies,
): void => {
  const changes = customerChanges(db);

  bind(server, binding, customerGet, async ({ principal, params }) => {
    if (!canSeeClinic(principal, params.id))
      throw canUseClinic(principal, params.id)
        ? noRightError('customer.get_itself', 'customer.get_byid')
        : new ProblemError('not-found');
    const clinic = await customerById(db, params.id);
    if (!clinic) throw new ProblemError('not-found');
    return clinic;
  });

  bind(server, binding, customerGetAll, ({ query, language }) => customersPage(db, places, { ...query, language }));

  bind(server, binding, customerCreate, ({ principal, body }) => changes.create(principal, body));

  bind(server, binding, customerUpdate, ({ principal, body }) => changes.update(principal, body));

  bind(server, binding, customerDependentsGet, ({ principal, params }) => changes.dependents(principal, params.id));

  bind(server, binding, customerDelete, async ({ principal, params, body }) => {
    await changes.remove(principal, params.id, body.version);
    return {};
  });

  bind(server, binding, reassignUser, async ({ principal, body }) => {
    await changes.reassign(principal, body);
    return {};
  });
};
