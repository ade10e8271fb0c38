import { z } from 'zod';
import { bounded, bounds, dateOnly, email, moment, orNothing, page, password, uuid } from './bounds.ts';
import { country } from './customers.ts';
import { listed, listQuery } from './lists.ts';
import { needs, route } from './route.ts';

/** A person of a clinic, or a super administrator (`customer` null), as those see them who may administer them. */
export const employee = z.object({
  id: uuid,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  personalNumber: z.string().nullable(),
  telephone: z.string().nullable(),
  hiredSince: dateOnly.nullable(),
  isActive: z.boolean(),
  customerId: uuid.nullable(),
  customer: z.object({ id: uuid, name: z.string(), country }).nullable(),
  role: z.object({ id: uuid, name: z.string(), rank: z.number().int() }),
  azureUsername: z.string().nullable(),
  avatarLink: z.string().nullable(),
  /** A link to the picture that was given to the archive, good for a while; null without one. */
  picture: z.string().nullable(),
  twoFactorEnabled: z.boolean(),
  createdAt: moment,
  /** Another one after each change of password, role, clinic, status or two-factor. It opens nothing. */
  securityStamp: uuid,
  /** Counts changes of the fields; an edit names the one that the person saw. */
  version: z.number().int(),
});
export type Employee = z.infer<typeof employee>;

/** What a form says of a person, within the bounds of the specification. */
export const employeeFields = z.strictObject({
  email,
  firstName: bounded('firstName'),
  lastName: bounded('lastName'),
  /** Held against the rules of the clinic's country by the archive too. */
  personalNumber: bounded('personalNumber'),
  telephone: bounded('phone').min(1),
  hiredSince: dateOnly,
  isActive: z.boolean(),
  /** Null for a super administrator, who belongs to no clinic. */
  customerId: uuid.nullable(),
  /** One role. */
  roles: z.array(uuid).length(1),
  azureUsername: orNothing(bounded('azureUsername')),
  avatarLink: orNothing(z.url().max(bounds.avatarLink[1])),
});

export const accountCreate = route({
  method: 'POST',
  path: '/api/Account/create',
  access: needs('user.create'),
  body: employeeFields.extend({ password }),
  reply: employee,
});

/** Refused with `conflict` when somebody else changed the person since. `customerId` does not move anybody: that is `reassign_user`. */
export const accountUpdate = route({
  method: 'POST',
  path: '/api/Account/update',
  access: needs('user.update'),
  body: employeeFields.extend({ id: uuid, securityStamp: uuid, version: z.number().int() }),
  reply: employee,
});

/** `status`: may sign in. Ends the person's sessions. */
export const changeUserStatus = route({
  method: 'POST',
  path: '/api/Account/change_user_status',
  access: needs('user.change_status'),
  body: z.strictObject({ id: uuid, status: z.boolean() }),
  reply: employee,
});

/** Soft: what the person did stays in the access log under their name; the e-mail address is free again. */
export const accountDelete = route({
  method: 'POST',
  path: '/api/Account/delete/:id',
  params: z.object({ id: uuid }),
  access: needs('user.delete'),
  reply: z.object({}),
});

/** A password that an administrator chose. Refused with `invalid-request` and an error for each rule that it breaks. Ends the person's sessions. */
export const setPassword = route({
  method: 'POST',
  path: '/api/account/set_password',
  access: needs('user.update'),
  body: z.strictObject({ id: uuid, password }),
  reply: z.object({}),
});

export const employeeSorts = ['name', 'email', 'role', 'status', 'hiredSince'] as const;
const employeeQuery = listQuery(employeeSorts).extend({ status: z.enum(['active', 'inactive']).optional() });
const ofClinic = z.object({ customerId: uuid });

/** People of one clinic: the own, or with customer.get_byid any. `q` is looked for in names, e-mail and digits of the personal number. */
export const customerUsers = route({
  method: 'GET',
  path: '/api/Account/customer_users/:customerId',
  params: ofClinic,
  query: employeeQuery,
  access: needs('user.get'),
  reply: listed(employee),
});

export const colleague = z.object({
  id: uuid,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  isActive: z.boolean(),
  role: z.string(),
});

/** The same people for colleagues: who they are, without personal numbers. */
export const customerUsersAny = route({
  method: 'GET',
  path: '/api/Account/customer_users_any/:customerId',
  params: ofClinic,
  query: employeeQuery,
  access: needs('user.get_any'),
  reply: listed(colleague),
});

/** People of all clinics, and super administrators for those who may list them. */
export const usersAll = route({
  method: 'GET',
  path: '/api/Account/users/all',
  query: employeeQuery,
  access: needs('customer.get_byid'),
  reply: listed(employee),
});

const { page: pageNumber, ppage } = page.shape;

/** Super administrators. */
export const superAdministrators = route({
  method: 'GET',
  path: '/api/Account/get_sa',
  query: employeeQuery.omit({ page: true, ppage: true }).extend({ Page: pageNumber, PPage: ppage }),
  access: needs('user.get_sa'),
  reply: listed(employee),
});

/** A picture of a person: one jpg or png of at most 5 MB, kept as a square of 256. Refused with `picture-not-readable`. */
export const pictureSave = route({
  method: 'POST',
  path: '/api/Account/picture/:id',
  params: z.object({ id: uuid }),
  access: needs('user.update'),
  multipart: true,
  body: z.object({}),
  reply: employee,
});

export const pictureDelete = route({
  method: 'DELETE',
  path: '/api/Account/picture/:id',
  params: z.object({ id: uuid }),
  access: needs('user.update'),
  reply: employee,
});

/** By the signed link of `employee.picture`: image/webp. */
export const pictureGet = route({
  method: 'GET',
  path: '/api/Account/picture/:id',
  params: z.object({ id: uuid }),
  query: z.object({ expires: z.string(), signature: z.string() }),
  access: 'anyone',
  reply: z.instanceof(Uint8Array),
});
