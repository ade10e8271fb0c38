import { z } from 'zod';
import { moment, reference, uuid } from './bounds.ts';
import { directoryTokenDays } from './directory.ts';
import { emptyReply, needs, route } from './route.ts';
import { serviceScope } from './service-scopes.ts';

/** Service accounts that a clinic may have at once. */
export const serviceAccountsAtMost = 20;
/** How long a service account works. */
export const serviceAccountDays = directoryTokenDays;

/** An account by which another program calls DICOMweb. Its id is the `client_id` of `/connect/token`. */
export const serviceAccount = z.object({
  id: uuid,
  name: z.string(),
  scopes: z.array(serviceScope),
  /** Images that it sends go in without a user's decision where number, name and birth date are those of one patient. */
  atOnce: z.boolean().default(false),
  /** Those that the caller may use. */
  clinics: z.array(reference),
  /** Number of further clinics. */
  otherClinics: z.number().int(),
  createdAt: moment,
  expiresAt: moment,
  /** To the minute; null when never used. */
  usedAt: moment.nullable(),
});
export type ServiceAccount = z.infer<typeof serviceAccount>;

/** Lists the service accounts that may use the data of a clinic, also expired ones, oldest first. */
export const serviceAccounts = route({
  method: 'GET',
  path: '/api/ServiceAccounts/:customerId',
  params: z.object({ customerId: uuid }),
  access: needs('customer.update'),
  reply: z.object({ accounts: z.array(serviceAccount) }),
});

/**
 * Makes a service account; its secret is in this reply only. Fails with `own-rank` or `no-right` for a caller who could not give the role of clinic
 * administrators, and with `not-found` for a clinic that the caller may not use.
 */
export const serviceAccountCreate = route({
  method: 'POST',
  path: '/api/ServiceAccounts/create',
  access: needs('customer.update'),
  body: z.strictObject({
    customerIds: z
      .array(uuid)
      .min(1)
      .max(200)
      .refine((ids) => new Set(ids).size === ids.length),
    name: z.string().trim().min(2).max(100),
    scopes: z
      .array(serviceScope)
      .min(1)
      .refine((scopes) => new Set(scopes).size === scopes.length),
    atOnce: z.boolean().default(false),
    days: z.literal(serviceAccountDays),
  }),
  reply: z.object({ account: serviceAccount, secret: z.string() }),
});

/** Ends a service account at once; with clinics that the caller may not use, its access to `customerId` alone. */
export const serviceAccountRevoke = route({
  method: 'POST',
  path: '/api/ServiceAccounts/revoke',
  access: needs('customer.update'),
  body: z.strictObject({ customerId: uuid, id: uuid }),
  reply: emptyReply,
});
