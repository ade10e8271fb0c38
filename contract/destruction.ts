import { z } from 'zod';
import { moment, page, reference, uuid } from './bounds.ts';
import { protectedIdentity } from './patients.ts';
import { idReply, needs, route } from './route.ts';

export const destructionKind = z.enum(['patient', 'study', 'image', 'clinic']);
export type DestructionKind = z.infer<typeof destructionKind>;

/** `retention`: the clinic's retention has ended. `authority`: a decision of the authority, at any time. */
export const destructionBasis = z.enum(['retention', 'authority']);
export type DestructionBasis = z.infer<typeof destructionBasis>;

/** `lapsed`: the record got a new entry, or the clinic a longer retention, before it was destroyed. */
export const destructionState = z.enum([
  'proposed',
  'approved',
  'destroying',
  'destroyed',
  'refused',
  'revoked',
  'lapsed',
]);
export type DestructionState = z.infer<typeof destructionState>;

/** An approved order can be revoked for this long. */
export const revocationHours = 72;

export const destructionOrder = z.object({
  id: uuid,
  customerId: uuid,
  kind: destructionKind,
  subjectId: uuid,
  /** What is destroyed, while it exists; null for a clinic and for destroyed records. */
  subject: z
    .object({
      patientId: uuid,
      patientName: z.string(),
      personalNumber: z.string(),
      protectedIdentity,
      /** Of a study, or of the study of an image. */
      studyDescription: z.string().nullable(),
      /** `YYYY-MM-DD` */
      studyDate: z.string().nullable(),
      imageNumber: z.number().int().nullable(),
    })
    .nullable(),
  basis: destructionBasis,
  /** Of the decision, or of the clinic's own case. */
  reference: z.string(),
  reason: z.string(),
  state: destructionState,
  proposedBy: reference,
  proposedAt: moment,
  /** Approved or refused. */
  decidedBy: reference.nullable(),
  decidedAt: moment.nullable(),
  /** Of an approved order: until then it can be revoked. */
  dueAt: moment.nullable(),
  /** Of a revoked order. */
  endedBy: reference.nullable(),
  endedAt: moment.nullable(),
  /** What was destroyed so far. */
  counts: z.object({
    patients: z.number().int(),
    studies: z.number().int(),
    images: z.number().int(),
    files: z.number().int(),
  }),
});
export type DestructionOrder = z.infer<typeof destructionOrder>;

/** Administrators of the clinic. For a whole clinic also customer.delete and customer.get_byid (checked by policy). */
const access = needs('customer.update');

/** Orders of a clinic, the newest first. Of a deleted clinic those to destroy the clinic itself, for users who may. */
export const destructionList = route({
  method: 'POST',
  path: '/resource/destruction/list',
  body: page.extend({ customerId: uuid }),
  access,
  reply: z.object({
    data: z.array(destructionOrder),
    totalCount: z.number().int(),
    /** Automatic backups are removed after so many days; null: the server makes none. */
    backupKeepDays: z.number().int().nullable(),
  }),
});

/**
 * Proposes to destroy a record, in the recycle bin or not, or a deleted clinic. Fails with `retention-not-ended` when the basis is the
 * retention and it has not ended, and with `conflict` when an order for the record is open.
 */
export const destructionPropose = route({
  method: 'POST',
  path: '/resource/destruction/propose',
  body: z.strictObject({
    customerId: uuid,
    kind: destructionKind,
    subjectId: uuid,
    basis: destructionBasis,
    reference: z.string().trim().min(2).max(100),
    /** Must not name the patient: it stays when the record is gone. */
    reason: z.string().trim().min(2).max(500),
  }),
  access,
  reply: idReply,
});

const ofOrder = { method: 'POST', params: z.object({ id: uuid }), access, reply: idReply } as const;

/**
 * Approves a proposed order, which is carried out after `revocationHours`. `reference`: that of the order, typed again. Fails with
 * `own-proposal` for the account that proposed it, with `retention-not-ended`, and with `conflict` in another state.
 */
export const destructionApprove = route({
  ...ofOrder,
  path: '/resource/destruction/approve/:id',
  body: z.strictObject({ reference: z.string().trim() }),
});

/** Refuses a proposed order. Fails with `conflict` in another state. */
export const destructionRefuse = route({ ...ofOrder, path: '/resource/destruction/refuse/:id' });

/** Revokes a proposed or approved order. Fails with `conflict` when the destruction has begun. */
export const destructionRevoke = route({ ...ofOrder, path: '/resource/destruction/revoke/:id' });
