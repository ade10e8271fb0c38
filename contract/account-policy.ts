import { z } from 'zod';
import { bounds, dateOnly, uuid } from './bounds.ts';
import { needs, route } from './route.ts';

const [shortest, longest] = bounds.password;

/** Rules about sign-ins, set for a clinic and for a role; the stricter one applies. */
export const accountPolicy = z.strictObject({
  /** Day from which a sign-in with one factor also needs two-factor authentication; null: never. */
  twoFactorFrom: dateOnly.nullable(),
  minPasswordLength: z.number().int().min(shortest).max(longest),
  /** Refuses new passwords that are in lists of common ones, or close to them. */
  refuseCommonPasswords: z.boolean(),
  /** The session is locked after so many minutes without input; null: never. */
  idleMinutes: z.number().int().min(1).max(720).nullable(),
  /** A session ends so many hours after the sign-in; null: after 14 days. */
  sessionHours: z.number().int().min(1).max(336).nullable(),
});
export type AccountPolicy = z.infer<typeof accountPolicy>;

/** The rules of the specification alone. */
export const noPolicy: AccountPolicy = {
  twoFactorFrom: null,
  minPasswordLength: shortest,
  refuseCommonPasswords: false,
  idleMinutes: null,
  sessionHours: null,
};

const lower = <T extends string | number>(a: T | null, b: T | null): T | null => {
  if (a === null) return b;
  return b === null || a < b ? a : b;
};

/** Combines two policies: of each rule the stricter one. */
export const strictest = (a: AccountPolicy, b: AccountPolicy): AccountPolicy => ({
  twoFactorFrom: lower(a.twoFactorFrom, b.twoFactorFrom),
  minPasswordLength: Math.max(a.minPasswordLength, b.minPasswordLength),
  refuseCommonPasswords: a.refuseCommonPasswords || b.refuseCommonPasswords,
  idleMinutes: lower(a.idleMinutes, b.idleMinutes),
  sessionHours: lower(a.sessionHours, b.sessionHours),
});

/** `before`: the policy that the change is based on; another one in the database is a `conflict`. */
export const accountPolicyChange = z.strictObject({ id: uuid, before: accountPolicy, policy: accountPolicy });

export const clinicPolicyGet = route({
  method: 'GET',
  path: '/api/Customer/policy/:id',
  params: z.object({ id: uuid }),
  access: needs('customer.update'),
  reply: accountPolicy,
});

/** Sets the policy of a clinic: the own, or with customer.get_byid any. */
export const clinicPolicySet = route({
  method: 'POST',
  path: '/api/Customer/policy',
  access: needs('customer.update'),
  body: accountPolicyChange,
  reply: accountPolicy,
});

export const rolePolicyGet = route({
  method: 'GET',
  path: '/api/Roles/policy/:id',
  params: z.object({ id: uuid }),
  access: needs('role.get'),
  reply: accountPolicy,
});

/** Sets the policy of a role at or below the own rank, for its users in all clinics. */
export const rolePolicySet = route({
  method: 'POST',
  path: '/api/Roles/policy',
  access: needs('role.update'),
  body: accountPolicyChange,
  reply: accountPolicy,
});
