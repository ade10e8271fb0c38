import { z } from 'zod';
import { bounded, bounds, dateOnly, page, recordVersion, uuid } from './bounds.ts';
import { listed } from './lists.ts';
import { route, signedIn, unless } from './route.ts';

export const sex = z.enum(['F', 'M', 'O']);

/**
 * Whether the patient's identity is protected (sekretessmarkering, adressesperre). Lists and searches leave such patients out for callers
 * without `feature.protected_identity`, except a search for the complete personal number. An older server does not send it.
 */
export const protectedIdentity = z.boolean().default(false);

export const patientMainInfo = z.object({
  firstName: z.string(),
  lastName: z.string(),
  /** `YYYY-MM-DD`, null when not known. */
  birthDate: z.string().nullable(),
  sex: sex.nullable(),
  personalNumber: z.string(),
  comments: z.string().nullable(),
  lastStudyDate: z.string().nullable(),
  protectedIdentity,
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
 * Query of a patient search. `after` is the `next` cursor of an earlier reply, valid only for the same search; it replaces the page number,
 * so that late pages are as fast as the first.
 */
export const recordSearch = page.extend({
  customerId: uuid,
  q: z.string().trim().max(bounds.query[1]),
  from: dateOnly.optional(),
  to: dateOnly.optional(),
  after: z.string().max(2_000).optional(),
});

/** With fewer patients found, all on the first page, the reply also has patients with similar names. */
export const fewFound = 5;
export const maxSimilar = 5;

const ofSearch = {
  path: '/resource/patient/search',
  access: signedIn,
  reply: listed(patient).extend({
    /** Patients that were not found but have a name spelt nearly as the text, or containing it; at most `maxSimilar`. */
    similar: z.array(patient),
  }),
} as const;

/**
 * Patients of a clinic for whom every search word is a prefix of a word of the name (any order; case and diacritics ignored) or of the
 * personal number (complete, without century, or the last four characters; with and without dash). `from` and `to` bound the day of the last study. The reply is
 * sorted by relevance: last names, first names, numbers; complete words before prefixes; then by name. Without a text by name.
 * When nothing matches, `aa`, `ae`, `oe` and `ue` are read as å, ä, ö or ø, and ü.
 * For very frequent words not all matches are counted: then `totalCount` is a lower bound, and `isTotalExact` is false.
 */
export const patientSearch = route({ method: 'GET', query: recordSearch, ...ofSearch });

/** The same search with the text in the body, so that no personal number is in a URL. The browser uses this one. */
export const patientSearchPrivate = route({ method: 'POST', body: recordSearch, ...ofSearch });

export const patientGet = route({
  method: 'GET',
  path: '/resource/patient/:id',
  params: z.object({ id: uuid }),
  access: signedIn,
  reply: patient,
});

/** Editable fields of a patient. */
const patientFields = {
  firstName: bounded('firstName'),
  lastName: bounded('lastName'),
  personalNumber: bounded('personalNumber'),
  birthDate: dateOnly.nullable(),
  sex: sex.nullable(),
  comments: z.string().trim().max(bounds.description[1]).nullable(),
  /** Absent: as before, false for a new patient. Every user may set it; removing it needs `feature.protected_identity`. */
  protectedIdentity: z.boolean().optional(),
};

export const patientCreate = route({
  method: 'POST',
  path: '/resource/patient/create',
  access: unless('disable.new_patient'),
  body: z.strictObject({ customerId: uuid, ...patientFields }),
  reply: patient,
});

/** Fails with `conflict` when another user has edited the patient since `version`. */
export const patientUpdate = route({
  method: 'PUT',
  path: '/resource/patient/update',
  access: signedIn,
  body: z.strictObject({ id: uuid, version: recordVersion, ...patientFields }),
  reply: patient,
});
