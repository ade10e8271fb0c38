import { z } from 'zod';
import { uuid } from './bounds.ts';
import { namedPatient } from './imports.ts';
import { mergeWarning } from './merge.ts';
import { patient } from './patients.ts';
import { route, unless } from './route.ts';

/** Records that can be moved to another patient. */
export const movable = z.enum(['study', 'series', 'image']);
export type Movable = z.infer<typeof movable>;

const move = {
  what: movable,
  id: uuid,
  patientFromId: uuid,
  patientToId: uuid,
};

const counts = z.object({
  images: z.number().int(),
  /** Mounts of a moved study, which move with it. */
  viewsets: z.number().int(),
  /** Slots that lose their image, because only the image or only the mount moves. */
  slots: z.number().int(),
  /** Unfinished imports that go to the other patient too. */
  imports: z.number().int(),
});
export type MoveCounts = z.infer<typeof counts>;

export const movePreview = z.object({
  from: patient,
  to: patient,
  counts,
  /** True when it or its patient is in the recycle bin: the move restores it. */
  isDeleted: z.boolean(),
  /** True when the source study becomes empty and is moved to the recycle bin. */
  leavesEmptyStudy: z.boolean(),
  warnings: z.array(mergeWarning),
  /** The patients named in the DICOM headers, and whether they match the other patient. The move does not change the files. */
  named: z.array(namedPatient),
  /** Identifies the state that this preview shows. */
  seen: z.string(),
});
export type MovePreview = z.infer<typeof movePreview>;

/**
 * Previews the move of one study, series or image to another patient of the clinic. `invalid-request` of `patientToId` when the patients are the
 * same or of two clinics; `conflict` when the record is not (or no longer) of the first patient.
 */
export const recordMovePreview = route({
  method: 'GET',
  path: '/resource/move/preview',
  query: z.object(move),
  access: unless('disable.move_study'),
  reply: movePreview,
});

/**
 * Moves one study, series or image to another patient. A series or image goes into `studyToId`, a study of that patient, or into a new study with
 * the date and description of its old one. The files stay as they are. `conflict` when the record belongs to another patient now, or when `seen` is given
 * and anything has changed since that preview.
 */
export const recordMove = route({
  method: 'POST',
  path: '/resource/move',
  body: z.strictObject({ ...move, studyToId: uuid.nullable(), seen: z.string().max(100).optional() }),
  access: unless('disable.move_study'),
  reply: z.object({
    /** Another id than before when a series joins one of the same UID. */
    id: uuid,
    /** The study in which it is now. */
    studyId: uuid,
    /** The study in which it was: the target of the reverse move. */
    studyFromId: uuid,
  }),
});
