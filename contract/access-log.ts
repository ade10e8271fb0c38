import { z } from 'zod';
import { dateOnly, moment, reference, uuid } from './bounds.ts';
import { protectedIdentity } from './patients.ts';
import { bytes, needs, route } from './route.ts';

/** Logged actions, in display order. A closed list, so that every action has a translation. */
export const accessActions = [
  'sign-in',
  'sign-in.refused',
  'access.refused',
  'sign-out',
  'password.reset-requested',
  'password.changed',
  'session.ended',
  'session.unlocked',
  'two-factor.enabled',
  'two-factor.disabled',
  'recovery-code.used',
  'passkey.added',
  'passkey.renamed',
  'passkey.removed',
  'pin.set',
  'pin.changed',
  'pin.removed',
  'settings.changed',
  'signing-key.rotated',
  'master-key.changed',
  'master-key.discarded',
  'clinic.created',
  'clinic.edited',
  'clinic.deleted',
  'clinic.policy-changed',
  'clinic.restored',
  'user.file-checked',
  'user.created',
  'user.edited',
  'user.activated',
  'user.deactivated',
  'user.deleted',
  'user.moved',
  'user.password-set',
  'user.two-factor-reset',
  'user.sessions-ended',
  'user.unlocked',
  'user.reset-link-requested',
  'user.reset-link-shown',
  'directory-token.created',
  'directory-token.revoked',
  'directory.read',
  'directory.refused',
  'directory.user-created',
  'directory.user-edited',
  'directory.user-activated',
  'directory.user-deactivated',
  'directory.user-deleted',
  'service-account.created',
  'service-account.revoked',
  'dicom-device.created',
  'dicom-device.updated',
  'dicom-device.removed',
  'dicom-device.echoed',
  'dicom-device.connected',
  'dicom-device.refused',
  'role.created',
  'role.edited',
  'role.rights-changed',
  'role.policy-changed',
  'role.deleted',
  'log.read',
  'log.extracted',
  'review.created',
  'review.taken-over',
  'review.closed',
  'patient.listed',
  'patient.opened',
  'patient.created',
  'patient.edited',
  'patient.deleted',
  'patient.restored',
  'patient.merged',
  'destruction.proposed',
  'destruction.approved',
  'destruction.refused',
  'destruction.revoked',
  'destruction.lapsed',
  'destruction.done',
  'order.listed',
  'order.created',
  'order.changed',
  'order.cancelled',
  'order.reported',
  'study.listed',
  'study.retrieved',
  'studies.opened',
  'study.edited',
  'study.moved',
  'study.deleted',
  'study.restored',
  'series.retrieved',
  'series.moved',
  'series.deleted',
  'series.restored',
  'viewset.opened',
  'viewset.created',
  'viewset.edited',
  'viewset.deleted',
  'viewset.restored',
  'image.listed',
  'image.opened',
  'image.retrieved',
  'image.downloaded',
  'image.exported',
  'image.sent',
  'patient.queried',
  'study.fetched',
  'image.printed',
  'share.created',
  'share.listed',
  'share.ended',
  'share.opened',
  'share.downloaded',
  'share.closed',
  'image.mounted',
  'image.unmounted',
  'image.moved',
  'image.moved-to-patient',
  'image.display-saved',
  'image.measured',
  'image.edited',
  'image.deleted',
  'image.restored',
  'note.opened',
  'note.saved',
  'note.signed',
  'note.removed',
  'changes.opened',
  'dose.opened',
  'grade.opened',
  'grade.saved',
  'import.opened',
  'import.begun',
  'import.decided',
  'import.confirmed',
  'import.cancelled',
] as const;
export const accessAction = z.enum(accessActions);
export type AccessAction = z.infer<typeof accessAction>;

export const recipientActions: readonly string[] = [
  'share.opened',
  'share.downloaded',
  'share.closed',
] satisfies AccessAction[];
/** Returns whether the recipient of a shared link did it, named in the detail. The account is that of who made the link. */
export const isByRecipient = (action: string): boolean => recipientActions.includes(action);

export const accessEntry = z.object({
  id: z.string(),
  at: moment,
  action: accessAction,
  /**
   * A user, or a service account or DICOM device, whose e-mail address is empty. Null for a refused sign-in under an unknown name, a refused call without a sign-in, and
   * every action of a directory or the command line.
   */
  account: z
    .object({ id: uuid, name: z.string(), email: z.string(), isServiceAccount: z.boolean(), isDevice: z.boolean() })
    .nullable(),
  /** Name of the user's role at that time; null when it was not recorded. */
  role: z.string().nullable(),
  clinic: reference.nullable(),
  /** Name and number are empty when the identity is protected and the caller lacks `feature.protected_identity`. */
  patient: z.object({ id: uuid, name: z.string(), personalNumber: z.string(), protectedIdentity }).nullable(),
  /** Method of a sign-in, the problem code of a rejected one or of a refused call, or recipient and purpose. */
  detail: z.string().nullable(),
  /** Where a sign-in or a refused call came from. */
  address: z.string().nullable(),
  /** What was refused: method and route pattern, and the id that the call named. */
  refused: z.object({ request: z.string(), id: z.string().nullable() }).nullable(),
});
export type AccessEntry = z.infer<typeof accessEntry>;

/** Unusual access, in display order. The first three compare names, and leave out lists and recipients of shared links. */
export const accessPatterns = ['own-name', 'same-surname', 'staff', 'many-patients'] as const;
export const accessPattern = z.enum(accessPatterns);
export type AccessPattern = z.infer<typeof accessPattern>;

/** Different patients that a user opens within an hour of the clock and that are many. */
export const manyPatients = 30;

/** Longest period in which a pattern is searched, so that no query reads the whole log. */
export const maxPatternDays = 92;
const dayMs = 86_400_000;

/** Returns whether patterns can be searched in a period of days, both included. */
export const isPatternPeriod = (from: string | null | undefined, to: string | null | undefined): boolean =>
  Boolean(from && to && (Date.parse(to) - Date.parse(from)) / dayMs < maxPatternDays);

/** Days of Europe/Stockholm, where the clinics are; both included. */
const filter = {
  from: dateOnly.optional(),
  to: dateOnly.optional(),
  customerId: uuid.optional(),
  accountId: uuid.optional(),
  patientId: uuid.optional(),
  action: accessAction.optional(),
  pattern: accessPattern.optional(),
};

/**
 * Lists entries, newest first. Without `customer.get_byid` only those of the own clinic. `before` is the id of the last known entry. A pattern needs a
 * period of at most `maxPatternDays`; one of names finds no patient whose name the caller may not see.
 */
export const accessLogGet = route({
  method: 'GET',
  path: '/api/AccessLog',
  query: z
    .object({
      ...filter,
      before: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional(),
      ppage: z.coerce.number().int().min(1).max(200).default(50),
    })
    .refine(({ pattern, from, to }) => pattern === undefined || isPatternPeriod(from, to), { path: ['from'] }),
  access: needs('user.get'),
  reply: z.object({ data: z.array(accessEntry), hasMore: z.boolean() }),
});

/**
 * Users to filter the log by, sorted by name, then service accounts and DICOM devices: those of the own clinic; with `customer.get_byid` those of the given clinic, or all.
 */
export const accessLogUsers = route({
  method: 'GET',
  path: '/api/AccessLog/people',
  query: z.object({ customerId: uuid.optional() }),
  access: needs('user.get'),
  reply: z.array(z.object({ id: uuid, name: z.string(), email: z.string() })),
});

/** Every entry about one patient (Patientdatalagen 8 kap. 5 §), as a file: `text/csv` in UTF-8, or `application/pdf`. */
export const accessLogExtract = route({
  method: 'GET',
  path: '/api/AccessLog/patient/:id',
  params: z.object({ id: uuid }),
  query: z.object({
    format: z.enum(['csv', 'pdf']),
    language: z.enum(['sv', 'en', 'da', 'no']).default('sv'),
    from: dateOnly.optional(),
    to: dateOnly.optional(),
  }),
  access: needs('user.get'),
  reply: bytes,
});
