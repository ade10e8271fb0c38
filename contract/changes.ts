import { z } from 'zod';
import { moment, reference, uuid } from './bounds.ts';
import { protectedIdentity, sex } from './patients.ts';
import { route, signedIn } from './route.ts';
import { tooth } from './teeth.ts';

/** What was changed. */
export const changeSubject = z.enum(['image', 'study', 'patient']);
export type ChangeSubject = z.infer<typeof changeSubject>;

/**
 * The patient before or after a move or merge, with the present name; empty when the patient was destroyed, and when the identity is protected and
 * the caller lacks `feature.protected_identity`.
 */
export const changedPatient = z.object({ id: uuid, name: z.string(), personalNumber: z.string(), protectedIdentity });

/** Fields whose values are of one type. */
const change = <const Fields extends readonly [string, ...string[]], Value extends z.ZodType>(
  fields: Fields,
  value: Value,
) =>
  z.object({
    field: z.enum(fields),
    subject: changeSubject,
    before: value,
    after: value,
    /** The user who made the change, with the name at that time. */
    author: reference,
    changedAt: moment,
  });

/** One changed value of an image, study or patient. It never changes. `teeth`: as shown, ISO 3950. */
export const recordChange = z.discriminatedUnion('field', [
  change(['firstName', 'lastName', 'personalNumber'], z.string()),
  change(['birthDate', 'comments', 'description', 'studyDate', 'accessionNumber', 'comment'], z.string().nullable()),
  change(['sex'], sex.nullable()),
  change(['protectedIdentity'], z.boolean()),
  change(['teeth'], z.array(tooth)),
  change(['patient'], changedPatient),
]);
export type RecordChange = z.infer<typeof recordChange>;
export type ChangedField = RecordChange['field'];

/** Changes of a patient, of a study, or of an image and its study, newest first: edited values, and moves to another patient. */
export const changesGet = route({
  method: 'GET',
  path: '/resource/changes/:subject/:id',
  params: z.object({ subject: changeSubject, id: uuid }),
  access: signedIn,
  reply: z.object({ changes: z.array(recordChange) }),
});
