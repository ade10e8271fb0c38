import { z } from 'zod';
import { dateOnly, moment, uuid } from './bounds.ts';
import { listed, listOrder, listQuery } from './lists.ts';
import { patient } from './patients.ts';
import { type Access, needs, route } from './route.ts';

/**
 * A patient goes and comes with all that is theirs. No claim of the specification names this: it takes the right to look into the recycle bin, so
 * that nobody throws away what they could not find again, and is barred with the right to delete studies, of which it deletes all.
 */
const ofWholePatients: Access = { signedIn: true, anyOf: ['feature.recycle_bin'], unless: 'disable.delete_study' };

const oneId = { params: z.object({ id: uuid }), access: ofWholePatients, reply: z.object({ id: uuid }) };

/** Into the recycle bin: studies, images, viewsets and imports of the patient are out of reach with them, and their personal number is free again. */
export const patientDelete = route({ method: 'DELETE', path: '/resource/patient/delete/:id', ...oneId });

/**
 * Out of the recycle bin, as the patient was. Refused with `personal-number-taken` when another patient of the clinic has the number by now;
 * restoring who is there changes nothing.
 */
export const patientRestore = route({ method: 'PUT', path: '/resource/patient/restore/:id', ...oneId });

export const deletedSorts = ['deletedAt', 'name'] as const;

/** `from` and `to`: days of Europe/Stockholm on which it was deleted, both included. The last deleted first, unless asked otherwise. */
const deletedQuery = listQuery(deletedSorts).extend({
  customerId: uuid,
  order: listOrder.default('desc'),
  from: dateOnly.optional(),
  to: dateOnly.optional(),
});

const deletion = {
  deletedAt: moment,
  /** Null: not known. */
  deletedBy: z.object({ id: uuid, name: z.string() }).nullable(),
};

export const deletedPatient = patient.extend(deletion);
export type DeletedPatient = z.infer<typeof deletedPatient>;

const ofDeletedPatients = {
  path: '/resource/patient/search/deleted',
  access: needs('feature.recycle_bin'),
  reply: listed(deletedPatient),
} as const;

/** Deleted patients of a clinic: `q` is looked for in names and personal number, as `patientSearch` does. */
export const patientSearchDeleted = route({ method: 'GET', query: deletedQuery, ...ofDeletedPatients });

/** The same with its text in the body, so that no personal number stands in an address. The browser uses this one. */
export const patientSearchDeletedPrivate = route({ method: 'POST', body: deletedQuery, ...ofDeletedPatients });

export const deletedStudy = z.object({
  id: uuid,
  uid: z.string(),
  customerId: uuid,
  patientId: uuid,
  patient: z.object({
    firstName: z.string(),
    lastName: z.string(),
    personalNumber: z.string(),
    birthDate: z.string().nullable(),
  }),
  description: z.string(),
  /** `YYYY-MM-DD` */
  studyDate: z.string().nullable(),
  accessionNumber: z.string().nullable(),
  /** What comes back with it. */
  images: z.number().int(),
  viewsets: z.number().int(),
  ...deletion,
});
export type DeletedStudy = z.infer<typeof deletedStudy>;

const ofDeletedStudies = {
  path: '/resource/study/search/deleted',
  access: needs('feature.recycle_bin'),
  reply: listed(deletedStudy),
} as const;

/**
 * Deleted studies of patients who are not deleted themselves: `q` is looked for in description, accession number, and the patient's name and
 * number; `name` sorts by the patient.
 */
export const studySearchDeleted = route({ method: 'GET', query: deletedQuery, ...ofDeletedStudies });

/** The same with its text in the body. The browser uses this one. */
export const studySearchDeletedPrivate = route({ method: 'POST', body: deletedQuery, ...ofDeletedStudies });
