import { z } from 'zod';

/** Bounds of the years that a clinic retains a patient after the last entry. */
export const retentionBounds = { min: 10, max: 200, default: 10 } as const;

/** Years after the last entry; null: never destroyed, as in public care. */
export const retentionYears = z.number().int().min(retentionBounds.min).max(retentionBounds.max).nullable();
