import { z } from 'zod';
import { dateOnly, moment, reference, uuid } from './bounds.ts';
import { listed, listOrder, listQuery } from './lists.ts';
import { patient, protectedIdentity } from './patients.ts';
import { type Access, idReply, needs, route } from './route.ts';
import { tooth } from './teeth.ts';

/**
 * A patient is deleted and restored with all records. The specification has no claim for this: it requires access to the recycle bin, so
 * that users can restore what they delete, and is denied by the limit on deleting studies, because it deletes all of them.
 */
const ofWholePatients: Access = { signedIn: true, anyOf: ['feature.recycle_bin'], unless: 'disable.delete_study' };

const ofOnePatient = { params: z.object({ id: uuid }), access: ofWholePatients, reply: idReply };

/** Moves a patient to the recycle bin: their studies, images, viewsets and imports are no longer accessible, and the personal number is free again. */
export const patientDelete = route({ method: 'DELETE', path: '/resource/patient/delete/:id', ...ofOnePatient });

/**
 * Restores a patient from the recycle bin. Fails with `personal-number-taken` when another patient of the clinic has the number now;
 * restoring a patient that is not deleted changes nothing.
 */
export const patientRestore = route({ method: 'PUT', path: '/resource/patient/restore/:id', ...ofOnePatient });

export const deletedSorts = ['deletedAt', 'name'] as const;

/** `from` and `to`: first and last day (Europe/Stockholm) of the deletion, inclusive. The last deleted first by default. */
export const deletedSearch = listQuery(deletedSorts).extend({
  customerId: uuid,
  order: listOrder.default('desc'),
  from: dateOnly.optional(),
  to: dateOnly.optional(),
});

const deletion = {
  deletedAt: moment,
  /** Null when unknown. */
  deletedBy: reference.nullable(),
  /** When the retention of the patient ends; null: never. Even then it stays until it is destroyed. Not named by an older server. */
  retainedUntil: moment.nullable().default(null),
};

export const deletedPatient = patient.extend(deletion);
export type DeletedPatient = z.infer<typeof deletedPatient>;

const ofDeletedPatients = {
  path: '/resource/patient/search/deleted',
  access: needs('feature.recycle_bin'),
  reply: listed(deletedPatient),
} as const;

/** Deleted patients of a clinic: `q` searches names and personal number, as in `patientSearch`. */
export const patientSearchDeleted = route({ method: 'GET', query: deletedSearch, ...ofDeletedPatients });

/** The same with the search text in the body, so that no personal number is in a URL. The browser uses this one. */
export const patientSearchDeletedPrivate = route({ method: 'POST', body: deletedSearch, ...ofDeletedPatients });

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
    protectedIdentity,
  }),
  description: z.string(),
  /** `YYYY-MM-DD` */
  studyDate: z.string().nullable(),
  accessionNumber: z.string().nullable(),
  /** Records that are restored with it. */
  images: z.number().int(),
  viewsets: z.number().int(),
  ...deletion,
});
export type DeletedStudy = z.infer<typeof deletedStudy>;

/** A series, image or viewset that was deleted by itself: its study is not deleted. */
export const deletedContent = z.object({
  id: uuid,
  kind: z.enum(['series', 'image', 'viewset']),
  customerId: uuid,
  patientId: uuid,
  patient: z.object({ firstName: z.string(), lastName: z.string(), personalNumber: z.string(), protectedIdentity }),
  studyId: uuid,
  /** `YYYY-MM-DD` */
  studyDate: z.string().nullable(),
  studyDescription: z.string(),
  /** Name of the viewset, or description of the series. */
  name: z.string(),
  /** Null for a viewset. */
  modality: z.string().nullable(),
  /** Of an image: its number in the series. */
  number: z.number().int().nullable(),
  /** Of an image. */
  teeth: z.array(tooth),
  /** Images that are restored with a series, or mounted in a viewset; 1 for an image. */
  images: z.number().int(),
  ...deletion,
});
export type DeletedContent = z.infer<typeof deletedContent>;

/**
 * Deleted series, images and viewsets of studies that are not deleted: `q` searches the study and the patient; `name` sorts by the patient.
 * An image of a deleted series is restored with the series and not listed.
 */
export const contentSearchDeleted = route({
  method: 'POST',
  path: '/resource/content/search/deleted',
  access: needs('feature.recycle_bin'),
  body: deletedSearch,
  reply: listed(deletedContent),
});

const ofDeletedStudies = {
  path: '/resource/study/search/deleted',
  access: needs('feature.recycle_bin'),
  reply: listed(deletedStudy),
} as const;

/**
 * Deleted studies of patients who are not deleted: `q` searches description, accession number, and the patient's name and
 * number; `name` sorts by the patient.
 */
export const studySearchDeleted = route({ method: 'GET', query: deletedSearch, ...ofDeletedStudies });

/** The same with the search text in the body. The browser uses this one. */
export const studySearchDeletedPrivate = route({ method: 'POST', body: deletedSearch, ...ofDeletedStudies });
