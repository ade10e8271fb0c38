import { z } from 'zod';
import { uuid } from './bounds.ts';
import { patient } from './patients.ts';
import { route, unless } from './route.ts';

/** What makes it doubtful that two records are of one person. What one of them does not say speaks for nothing. */
export const mergeWarnings = ['other-name', 'other-birth-date', 'other-sex'] as const;
export const mergeWarning = z.enum(mergeWarnings);
export type MergeWarning = z.infer<typeof mergeWarning>;

const counts = z.object({
  studies: z.number().int(),
  /** Those in the recycle bin move as well; they are not among `studies`. */
  deletedStudies: z.number().int(),
  images: z.number().int(),
  viewsets: z.number().int(),
  /** Imports that are not done: what they bring goes to the other patient too. */
  imports: z.number().int(),
});
export type MergeCounts = z.infer<typeof counts>;

/** Studies that a preview names one by one; the counts are of all. */
export const mostPreviewed = 100;

export const mergePreview = z.object({
  from: patient,
  to: patient,
  counts,
  /** The newest `mostPreviewed` of those that move; none of the recycle bin. */
  studies: z.array(
    z.object({
      id: uuid,
      description: z.string(),
      /** `YYYY-MM-DD` */
      studyDate: z.string().nullable(),
      images: z.number().int(),
      viewsets: z.number().int(),
    }),
  ),
  warnings: z.array(mergeWarning),
  /** Stands for all of the above: sent along with the merge, it is refused when anything of it has changed. */
  seen: z.string(),
});
export type MergePreview = z.infer<typeof mergePreview>;

const pair = { patientFromId: uuid, patientToId: uuid };

/**
 * What a merge would move. Both patients must be of one clinic (`invalid-request` of `patientToId` otherwise, and when they are the same); a deleted
 * one is not found.
 */
export const studyMoveAllPreview = route({
  method: 'GET',
  path: '/resource/study/move_all/preview',
  query: z.object(pair),
  access: unless('disable.move_study'),
  reply: mergePreview,
});

/**
 * Moves all studies of a patient to another one of the clinic, with all that is in them, and what imports have yet to bring. It cannot be undone. The
 * first patient stays, empty. Refused with `conflict` when `seen` is given and something has changed since that preview.
 */
export const studyMoveAll = route({
  method: 'POST',
  path: '/resource/study/move_all',
  body: z.strictObject({ ...pair, seen: z.string().max(100).optional() }),
  access: unless('disable.move_study'),
  reply: counts,
});
