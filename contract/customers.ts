import { z } from 'zod';
import { bounded, orNothing, recordVersion, uuid } from './bounds.ts';
import { listed, listQuery } from './lists.ts';
import { retentionBounds, retentionYears } from './retention-years.ts';
import { emptyReply, needs, restrictions, route, signedIn } from './route.ts';
import { studyViewers } from './study-viewers.ts';

/** Country of a clinic (ISO 3166-1); determines the format of personal numbers. */
export const countries = ['SE', 'DK', 'NO'] as const;
export const country = z.enum(countries);
export type Country = z.infer<typeof country>;

export const customer = z.object({
  id: uuid,
  /** Name of the organisation. */
  name: z.string(),
  organisationNumber: z.string().nullable(),
  customerNumber: z.string().nullable(),
  address: z.string().nullable(),
  city: z.string().nullable(),
  zipcode: z.string().nullable(),
  telephone: z.string().nullable(),
  description: z.string().nullable(),
  license: z.string().nullable(),
  country,
  /** The clinic reaches the archive through a proxy of its own. */
  useProxy: z.boolean(),
  /** Images may be shared by link. An older server, which may still reply during an upgrade, does not name it. */
  sharesByLink: z.boolean().default(false),
  /** Of a patient after the last entry; null: never destroyed. Not named by an older server either. */
  retentionYears: retentionYears.default(retentionBounds.default),
  /** Other viewers of its studies. Not named by an older server either. */
  viewers: studyViewers.default([]),
  /** Version for optimistic locking; an edit contains the version that it is based on. */
  version: z.number().int(),
});
export type Customer = z.infer<typeof customer>;

/** Editable fields of a clinic, within the bounds of the specification. */
export const customerFields = z.strictObject({
  organisationName: bounded('organisationName'),
  organisationNumber: orNothing(bounded('organisationNumber')),
  customerNumber: orNothing(bounded('customerNumber')),
  address: bounded('address'),
  city: orNothing(bounded('city')),
  zipcode: orNothing(bounded('zipcode')),
  telephone: bounded('phone').min(1),
  description: orNothing(bounded('description')),
  license: orNothing(bounded('license')),
  country: country.default('SE'),
  useProxy: z.boolean().default(false),
  /** Absent: unchanged, off for a new clinic. Switched off, it ends all links of the clinic. */
  sharesByLink: z.boolean().optional(),
  /** Absent: unchanged, 10 for a new clinic. */
  retentionYears: retentionYears.optional(),
  /** Absent: unchanged, none for a new clinic. */
  viewers: studyViewers.optional(),
});
export type CustomerFields = z.input<typeof customerFields>;

/** One clinic. The own clinic needs customer.get_itself, any other customer.get_byid (checked by policy). */
export const customerGet = route({
  method: 'GET',
  path: '/api/Customer/get/:id',
  params: z.object({ id: uuid }),
  access: signedIn,
  allowedWhen: restrictions,
  reply: customer,
});

export const customerSorts = ['name', 'city', 'organisationNumber', 'customerNumber', 'users'] as const;
export const customerRow = customer.extend({
  /** Users of the clinic, active or not. */
  users: z.number().int(),
});
export type CustomerRow = z.infer<typeof customerRow>;

/** Clinics; `q` searches name, numbers and city. */
export const customerGetAll = route({
  method: 'GET',
  path: '/api/Customer/get_all',
  query: listQuery(customerSorts),
  access: needs('customer.get'),
  reply: listed(customerRow),
});

export const customerCreate = route({
  method: 'POST',
  path: '/api/Customer/create',
  access: needs('customer.create'),
  body: customerFields,
  reply: customer,
});

/** Fails with `conflict` when another user has changed it. The own clinic, or with customer.get_byid any. */
export const customerUpdate = route({
  method: 'POST',
  path: '/api/Customer/update',
  access: needs('customer.update'),
  body: customerFields.extend({ id: uuid, version: recordVersion }),
  reply: customer,
});

/** Number of records that are deleted with a clinic. */
export const customerDependents = z.object({
  users: z.number().int(),
  patients: z.number().int(),
  studies: z.number().int(),
  images: z.number().int(),
  /** Imports that are not done. */
  imports: z.number().int(),
});
export type CustomerDependents = z.infer<typeof customerDependents>;

/** Counts the records of a clinic, for the confirmation of its deletion. */
export const customerDependentsGet = route({
  method: 'GET',
  path: '/api/Customer/dependents/:id',
  params: z.object({ id: uuid }),
  access: needs('customer.delete'),
  reply: customerDependents,
});

/**
 * Soft delete: no data is destroyed; its users can no longer sign in, and its records are no longer accessible. Fails with `own-clinic`
 * for the caller's own clinic, and with `conflict` when it was changed since `version`.
 */
export const customerDelete = route({
  method: 'POST',
  path: '/api/customer/delete/:id',
  params: z.object({ id: uuid }),
  body: z.strictObject({ version: recordVersion }),
  access: needs('customer.delete'),
  reply: emptyReply,
});

/** Moves a user to another clinic and ends the user's sessions. A super administrator has no clinic and cannot be moved. */
export const reassignUser = route({
  method: 'POST',
  path: '/api/Customer/reassign_user',
  access: needs('user.reassign_customer'),
  body: z.strictObject({ userId: uuid, newCustomerId: uuid }),
  reply: emptyReply,
});
