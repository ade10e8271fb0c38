import { z } from 'zod';
import { bounded, bounds, dateOnly, page, uuid } from './bounds.ts';
import { listed } from './lists.ts';
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

/**
 * What a search is asked for. `after` is the `next` of an earlier reply, good for the same search only, and where it is given says where the page begins
 * instead of its number: a page far down is then as quick as the first.
 */
export const recordSearch = page.extend({
  customerId: uuid,
  q: z.string().trim().max(bounds.query[1]),
  from: dateOnly.optional(),
  to: dateOnly.optional(),
  after: z.string().max(2_000).optional(),
});

const ofSearch = { path: '/resource/patient/search', access: signedIn, reply: listed(patient) } as const;

/**
 * Patients of a clinic in whom every typed word begins a word of the name (any order; case and diacritics folded) or the personal number (whole,
 * without its century, its last four signs; with and without dash). `from` and `to` bound the day of the last study. The reply is
 * ordered by what was found: last names before first names before numbers, whole words before longer ones, then by name; without a text by name.
 * Of words that very many have, not all matches are counted: then `totalCount` is how many are known, and `isTotalExact` is false.
 */
export const patientSearch = route({ method: 'GET', query: recordSearch, ...ofSearch });

/** The same search with its text in the body, so that no personal number stands in an address. The browser uses this one. */
export const patientSearchPrivate = route({ method: 'POST', body: recordSearch, ...ofSearch });

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
