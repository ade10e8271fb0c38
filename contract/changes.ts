import { z } from 'zod';
import { moment, uuid } from './bounds.ts';
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
const changedPatient = z.object({ id: uuid, name: z.string(), personalNumber: z.string(), protectedIdentity });

const change = <Field extends string, Value extends z.ZodType>(field: Field, value: Value) =>
  z.object({
    field: z.literal(field),
    subject: changeSubject,
    before: value,
    after: value,
    /** The user who made the change, with the name at that time. */
    author: z.object({ id: uuid, name: z.string() }),
    changedAt: moment,
  });

const text = z.string().nullable();

/** One changed value of an image, study or patient. It never changes. `teeth`: as shown, ISO 3950. */
export const recordChange = z.discriminatedUnion('field', [
  change('teeth', z.array(tooth)),
  change('comment', text),
  change('description', text),
  change('studyDate', text),
  change('accessionNumber', text),
  change('patient', changedPatient),
  change('firstName', z.string()),
  change('lastName', z.string()),
  change('personalNumber', z.string()),
  change('birthDate', text),
  change('sex', sex.nullable()),
  change('comments', text),
  change('protectedIdentity', z.boolean()),
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
