import { z } from 'zod';
import { bounds, page, paged, uuid } from './bounds.ts';
import { needs, route, signedIn } from './route.ts';

export const customer = z.object({
  id: uuid,
  name: z.string(),
  organisationNumber: z.string().nullable(),
  customerNumber: z.string().nullable(),
  address: z.string().nullable(),
  city: z.string().nullable(),
  zipcode: z.string().nullable(),
  telephone: z.string().nullable(),
  description: z.string().nullable(),
});
export type Customer = z.infer<typeof customer>;

/** One clinic. The own clinic needs customer.get_itself, any other customer.get_byid (checked by policy). */
export const customerGet = route({
  method: 'GET',
  path: '/api/Customer/get/:id',
  params: z.object({ id: uuid }),
  access: signedIn,
  reply: customer,
});

export const customerGetAll = route({
  method: 'GET',
  path: '/api/Customer/get_all',
  query: page.extend({ q: z.string().max(bounds.query[1]).optional() }),
  access: needs('customer.get'),
  reply: paged(customer),
});
