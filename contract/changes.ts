import { z } from 'zod';
import { moment, uuid } from './bounds.ts';
import { route, signedIn } from './route.ts';
import { tooth } from './teeth.ts';

/** What was changed. */
export const changeSubject = z.enum(['image', 'study']);
export type ChangeSubject = z.infer<typeof changeSubject>;

/** The patient before or after a move or merge, with the present name; empty when the patient was destroyed. */
const changedPatient = z.object({ id: uuid, name: z.string(), personalNumber: z.string() });

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

/** One changed value of an image or study. It never changes. `teeth`: as shown, ISO 3950. */
export const recordChange = z.discriminatedUnion('field', [
  change('teeth', z.array(tooth)),
  change('comment', text),
  change('description', text),
  change('studyDate', text),
  change('accessionNumber', text),
  change('patient', changedPatient),
]);
export type RecordChange = z.infer<typeof recordChange>;
export type ChangedField = RecordChange['field'];

/** Changes of a study, or of an image and its study, newest first: edited values, and moves to another patient. */
export const changesGet = route({
  method: 'GET',
  path: '/resource/changes/:subject/:id',
  params: z.object({ subject: changeSubject, id: uuid }),
  access: signedIn,
  reply: z.object({ changes: z.array(recordChange) }),
});
