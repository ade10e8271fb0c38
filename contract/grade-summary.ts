import { z } from 'zod';
import { modalitiesOf } from './image-kinds.ts';

/** A: acceptable. N: not acceptable. */
export const gradeNames = ['A', 'N'] as const;

/** Why an image is not acceptable, most frequent first. */
export const gradeReasons = ['position', 'movement', 'exposure', 'wrongArea', 'artefact', 'other'] as const;
export const gradeReason = z.enum(gradeReasons);
export type GradeReason = z.infer<typeof gradeReason>;

/** The newest quality grade of an image; `grade` null: withdrawn. `reason`: of N, else null. */
export const gradeSummary = z.object({
  version: z.number().int().min(1),
  grade: z.enum(gradeNames).nullable(),
  reason: gradeReason.nullable(),
});
export type GradeSummary = z.infer<typeof gradeSummary>;

/** Modalities without a quality grade: photographs, and slices, which are one volume. */
export const ungradedModalities = modalitiesOf(['photograph', 'slice']);

/** Returns whether images of this modality have a quality grade: radiographs that are one projection. */
export const isGraded = (modality: string): boolean => !ungradedModalities.includes(modality);
