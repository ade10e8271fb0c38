import { z } from 'zod';
import { uuid } from './bounds.ts';
import { patient } from './patients.ts';
import { route, unless } from './route.ts';

/** Differences between two patient records. A value missing in one of them is not a difference. */
export const mergeWarnings = ['other-name', 'other-birth-date', 'other-sex'] as const;
export const mergeWarning = z.enum(mergeWarnings);
export type MergeWarning = z.infer<typeof mergeWarning>;

export const mergeCounts = z.object({
  studies: z.number().int(),
  /** Studies in the recycle bin, which move as well and are not in `studies`. */
  deletedStudies: z.number().int(),
  images: z.number().int(),
  viewsets: z.number().int(),
  /** Unfinished imports: their files go to the other patient too. */
  imports: z.number().int(),
});
export type MergeCounts = z.infer<typeof mergeCounts>;

/** Studies that a preview names one by one; the counts are of all. */
export const maxPreviewed = 100;

export const mergePreview = z.object({
  from: patient,
  to: patient,
  counts: mergeCounts,
  /** The newest `maxPreviewed` of those that move; none of the recycle bin. */
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
  /** Hash of all of the above: sent with the merge, which fails when anything has changed. */
  seen: z.string(),
});
export type MergePreview = z.infer<typeof mergePreview>;

const pair = { patientFromId: uuid, patientToId: uuid };

/**
 * Previews a merge. Both patients must be of one clinic (`invalid-request` of `patientToId` otherwise, and when they are the same); a deleted
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
 * Moves all studies of a patient, with their content and unfinished imports, to another patient of the clinic. It cannot be undone. The
 * first patient stays, without studies. Fails with `conflict` when `seen` is given and something has changed since that preview.
 */
export const studyMoveAll = route({
  method: 'POST',
  path: '/resource/study/move_all',
  body: z.strictObject({ ...pair, seen: z.string().max(100).optional() }),
  access: unless('disable.move_study'),
  reply: mergeCounts,
});
