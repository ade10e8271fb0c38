import { z } from 'zod';
import { bounded, bounds, dateOnly, page, paged, uuid } from './bounds.ts';
import { route, signedIn, unless } from './route.ts';

export const sex = z.enum(['F', 'M', 'O']);

export const patientMainInfo = z.object({
  firstName: z.string(),
  lastName: z.string(),
  /** `YYYY-MM-DD`, null when not known. */
  birthDate: z.string().nullable(),
  sex: sex.nullable(),
  personalNumber: z.string(),
  comments: z.string().nullable(),
  lastStudyDate: z.string().nullable(),
});

export const patient = z.object({
  id: uuid,
  customerId: uuid,
  mainInfo: patientMainInfo,
  totalStudies: z.number().int(),
  version: z.number().int(),
});
export type Patient = z.infer<typeof patient>;

const search = page.extend({
  customerId: uuid,
  q: z.string().trim().max(bounds.query[1]),
});

/**
 * Patients of a clinic by name (any order, prefixes, case and diacritics folded) or personal number (with or without dash and century).
 * The reply is ordered by last name, first name.
 */
export const patientSearch = route({
  method: 'GET',
  path: '/resource/patient/search',
  query: search,
  access: signedIn,
  reply: paged(patient),
});

/** The same search with its text in the body, so that no personal number stands in an address. The browser uses this one. */
export const patientSearchPrivate = route({
  method: 'POST',
  path: '/resource/patient/search',
  body: search,
  access: signedIn,
  reply: paged(patient),
});

export const patientGet = route({
  method: 'GET',
  path: '/resource/patient/:id',
  params: z.object({ id: uuid }),
  access: signedIn,
  reply: patient,
});

/** What a person types of a patient. */
const patientFields = {
  firstName: bounded('firstName'),
  lastName: bounded('lastName'),
  personalNumber: bounded('personalNumber'),
  birthDate: dateOnly.nullable(),
  sex: sex.nullable(),
  comments: z.string().trim().max(bounds.description[1]).nullable(),
};

export const patientCreate = route({
  method: 'POST',
  path: '/resource/patient/create',
  access: unless('disable.new_patient'),
  body: z.strictObject({ customerId: uuid, ...patientFields }),
  reply: patient,
});

/** Refused with `conflict` when somebody else has edited the patient since `version`. */
export const patientUpdate = route({
  method: 'PUT',
  path: '/resource/patient/update',
  access: signedIn,
  body: z.strictObject({ id: uuid, version: z.number().int(), ...patientFields }),
  reply: patient,
});
