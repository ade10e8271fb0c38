import { z } from 'zod';
import {
  bounded,
  bounds,
  dateOnly,
  email,
  moment,
  orNothing,
  pageNumber,
  pageSize,
  password,
  recordVersion,
  uuid,
} from './bounds.ts';
import { country } from './customers.ts';
import { listed, listQuery } from './lists.ts';
import { bytes, emptyReply, idBody, needs, route } from './route.ts';

/** A user of a clinic, or a super administrator (`customer` null), as seen by administrators. */
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
  /** A temporary link to the user's picture; null without one. */
  picture: z.string().nullable(),
  twoFactorEnabled: z.boolean(),
  /** False for a user who was invited and has not chosen a password yet. */
  hasPassword: z.boolean(),
  createdAt: moment,
  /** Changes with password, role, clinic, status or two-factor. Grants no access. */
  securityStamp: uuid,
  /** Version of the fields for optimistic locking; an edit contains the version that it is based on. */
  version: z.number().int(),
});
export type Employee = z.infer<typeof employee>;

/** Editable fields of a user, within the bounds of the specification. */
export const employeeFields = z.strictObject({
  email,
  firstName: bounded('firstName'),
  lastName: bounded('lastName'),
  /** Also validated by the server, by the rules of the clinic's country. */
  personalNumber: bounded('personalNumber'),
  telephone: bounded('phone').min(1),
  hiredSince: dateOnly,
  isActive: z.boolean(),
  /** Null for a super administrator, who belongs to no clinic. */
  customerId: uuid.nullable(),
  /** One role. */
  roles: z.array(uuid).length(1),
  azureUsername: orNothing(bounded('azureUsername')),
  avatarLink: orNothing(z.url({ protocol: /^https$/ }).max(bounds.avatarLink[1])),
});

/** Without a password the user is to be invited: `reset_link` makes the link to choose one. */
export const accountCreate = route({
  method: 'POST',
  path: '/api/Account/create',
  access: needs('user.create'),
  body: employeeFields.extend({ password: password.optional() }),
  reply: employee,
});

/** Fails with `conflict` when another user has changed it. `customerId` does not move the user: see `reassign_user`. */
export const accountUpdate = route({
  method: 'POST',
  path: '/api/Account/update',
  access: needs('user.update'),
  body: employeeFields.extend({ id: uuid, securityStamp: uuid, version: recordVersion }),
  reply: employee,
});

/** `status`: whether the user may sign in. Ends the user's sessions. */
export const changeUserStatus = route({
  method: 'POST',
  path: '/api/Account/change_user_status',
  access: needs('user.change_status'),
  body: z.strictObject({ id: uuid, status: z.boolean() }),
  reply: employee,
});

/** Ends all sessions of another user, who can sign in again. */
export const userSessionsEnd = route({
  method: 'POST',
  path: '/api/Account/end_user_sessions',
  access: needs('user.change_status'),
  body: idBody,
  reply: emptyReply,
});

/** Soft delete: access log entries keep the user's name; the e-mail address is free again. */
export const accountDelete = route({
  method: 'POST',
  path: '/api/Account/delete/:id',
  params: z.object({ id: uuid }),
  access: needs('user.delete'),
  reply: emptyReply,
});

/**
 * Sets a password chosen by an administrator for another user; fails with `own-account` for one's own. Fails with `invalid-request` and one error for
 * each broken rule. Ends the user's sessions.
 */
export const setPassword = route({
  method: 'POST',
  path: '/api/account/set_password',
  access: needs('user.update'),
  body: z.strictObject({ id: uuid, password }),
  reply: emptyReply,
});

export const employeeSorts = ['name', 'email', 'role', 'status', 'hiredSince'] as const;
const employeeQuery = listQuery(employeeSorts).extend({ status: z.enum(['active', 'inactive']).optional() });
const ofClinic = z.object({ customerId: uuid });

/** Users of one clinic: the own, or with customer.get_byid any. `q` searches names, e-mail and digits of the personal number. */
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

/** The same users for colleagues, without personal numbers. */
export const customerUsersAny = route({
  method: 'GET',
  path: '/api/Account/customer_users_any/:customerId',
  params: ofClinic,
  query: employeeQuery,
  access: needs('user.get_any'),
  reply: listed(colleague),
});

/** Users of all clinics, and super administrators for callers who may list them. */
export const usersAll = route({
  method: 'GET',
  path: '/api/Account/users/all',
  query: employeeQuery,
  access: needs('customer.get_byid'),
  reply: listed(employee),
});

/** Super administrators. */
export const superAdministrators = route({
  method: 'GET',
  path: '/api/Account/get_sa',
  query: employeeQuery.omit({ page: true, ppage: true }).extend({ Page: pageNumber, PPage: pageSize }),
  access: needs('user.get_sa'),
  reply: listed(employee),
});

/** Sets the picture of a user: one jpg or png of at most 5 MB, stored as a square of 256 pixels. Fails with `picture-not-readable`. */
export const pictureSave = route({
  method: 'POST',
  path: '/api/Account/picture/:id',
  params: z.object({ id: uuid }),
  access: needs('user.update'),
  multipart: 'file',
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

/** By the link of `employee.picture`, signed for a session: image/webp. */
export const pictureGet = route({
  method: 'GET',
  path: '/api/Account/picture/:id',
  params: z.object({ id: uuid }),
  query: z.object({ session: z.string(), expires: z.string(), signature: z.string() }),
  access: 'anyone',
  reply: bytes,
});
