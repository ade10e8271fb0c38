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
import type { ListPlaces } from '../db/list-places.ts';
import type { Schema } from '../db/schema.ts';
import { customerById, customersPage } from '../db/stores/customer-store.ts';
import { maySeeClinic } from '../policy/may-see-clinic.ts';
import { mayUseClinic } from '../policy/may-use-clinic.ts';
import { Refusal, withoutRight } from '../refusal.ts';
import { type Binding, bind } from '../route-binding.ts';
import { customerChanges } from './customer-changes.ts';

export interface CustomerDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly places: ListPlaces;
}

/** Clinics: read, listed, made, changed, deleted; and people moved between them. */
export const customerRoutes = (server: FastifyInstance, { db, binding, places }: CustomerDependencies): void => {
  const changes = customerChanges(db);

  bind(server, binding, customerGet, async ({ principal, params }) => {
    if (!maySeeClinic(principal, params.id))
      throw mayUseClinic(principal, params.id)
        ? withoutRight('customer.get_itself', 'customer.get_byid')
        : new Refusal('not-found');
    const clinic = await customerById(db, params.id);
    if (!clinic) throw new Refusal('not-found');
    return clinic;
  });

  bind(server, binding, customerGetAll, ({ query }) => customersPage(db, places, query));

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
