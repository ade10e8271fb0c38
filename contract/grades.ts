import { z } from 'zod';
import { moment, recordVersion, reference, uuid } from './bounds.ts';
import { gradeReason, gradeSummary } from './grade-summary.ts';
import { route, signedIn, unless } from './route.ts';

/** Characters of the text of a reason. */
export const maxGradeText = 200;

/** One saved grade. It never changes; null: the grade before it was withdrawn. */
export const gradeVersion = gradeSummary.extend({
  /** Of the reason `other`, else empty. */
  text: z.string(),
  /** The user who graded, with the name at that time. */
  author: reference,
  savedAt: moment,
});
export type GradeVersion = z.infer<typeof gradeVersion>;

/** All grades of an image, newest first; none: it was never graded. */
export const gradeGet = route({
  method: 'GET',
  path: '/resource/grade/:id',
  params: z.object({ id: uuid }),
  access: signedIn,
  reply: z.object({ versions: z.array(gradeVersion) }),
});

/** `version`: the newest one that the user saw; 0: none. */
const basis = { id: uuid, version: recordVersion };

/**
 * Grades an image; earlier grades stay readable. Fails with `conflict` when `version` is not the newest stored one, and with `invalid-request`
 * for photographs, slices and documents.
 */
export const gradeSave = route({
  method: 'PUT',
  path: '/resource/grade',
  access: unless('disable.open'),
  body: z.union([
    z.strictObject({ ...basis, grade: z.literal('A') }),
    z.strictObject({ ...basis, grade: z.literal('N'), reason: gradeReason.exclude(['other']) }),
    z.strictObject({
      ...basis,
      grade: z.literal('N'),
      reason: z.literal('other'),
      text: z.string().trim().min(1).max(maxGradeText),
    }),
    z.strictObject({ ...basis, grade: z.null() }),
  ]),
  reply: gradeVersion,
});
