import { z } from 'zod';
import { moment, page, uuid } from './bounds.ts';
import { listed } from './lists.ts';
import { patient } from './patients.ts';
import { retentionYears } from './retention-years.ts';
import { needs, route } from './route.ts';

export const duePatient = patient.extend({
  /** The last entry of any kind, also of the archive's own: the day of a study, an import, an edit, a note. */
  lastEntryAt: moment,
  /** When the retention ended. */
  dueSince: moment,
  /** Null: not in the recycle bin. */
  deletedAt: moment.nullable(),
  /** An order to destroy the patient is open. */
  isProposed: z.boolean(),
});
export type DuePatient = z.infer<typeof duePatient>;

/**
 * Patients of a clinic, deleted or not, whose last entry is older than the clinic's retention, the longest due first. None when the clinic
 * retains without end. Nothing is destroyed by itself.
 */
export const retentionDue = route({
  method: 'POST',
  path: '/resource/patient/retention-due',
  body: page.extend({ customerId: uuid }),
  access: needs('customer.update'),
  reply: listed(duePatient).extend({ retentionYears }),
});
