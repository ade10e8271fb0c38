import type { Transaction } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { findImage, type ImageRow } from '../db/stores/images.ts';
import type { ViewsetRow } from '../db/stores/viewsets.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { ProblemError } from '../domain/problem-error.ts';

/**
 * Returns an image that may be mounted in this viewset.
 * @throws ProblemError 'not-found', 'image-of-another-patient', 'image-has-no-pixels' for a document
 */
export const imageForViewset = async (
  transaction: Transaction<Schema>,
  principal: Principal,
  viewset: Pick<ViewsetRow, 'patient_id'>,
  imageId: string,
): Promise<ImageRow> => {
  const image = requireAccessible(principal, await findImage(transaction, imageId));
  if (image.patient_id !== viewset.patient_id) throw new ProblemError('image-of-another-patient');
  if (image.kind === 'document') throw new ProblemError('image-has-no-pixels');
  return image;
};
