import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { customerGet, customerGetAll } from '../../contract/customers.ts';
import type { ListPlaces } from '../db/list-places.ts';
import type { Schema } from '../db/schema.ts';
import { customerById, customersPage } from '../db/stores/customer-store.ts';
import { maySeeClinic } from '../policy/may-see-clinic.ts';
import { mayUseClinic } from '../policy/may-use-clinic.ts';
import { Refusal } from '../refusal.ts';
import { type Binding, bind } from '../route-binding.ts';

export const customerRoutes = (
  server: FastifyInstance,
  { db, binding, places }: { readonly db: Kysely<Schema>; readonly binding: Binding; readonly places: ListPlaces },
): void => {
  bind(server, binding, customerGet, async ({ principal, params }) => {
    if (!maySeeClinic(principal, params.id))
      throw new Refusal(mayUseClinic(principal, params.id) ? 'no-right' : 'not-found');
    const clinic = await customerById(db, params.id);
    if (!clinic) throw new Refusal('not-found');
    return clinic;
  });

  bind(server, binding, customerGetAll, ({ query }) => customersPage(db, places, query));
};
