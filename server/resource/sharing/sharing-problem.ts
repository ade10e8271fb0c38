import type { Kysely } from 'kysely';
import { maxImagesNamed } from '../../../contract/gallery.ts';
import type { ProblemCode } from '../../../contract/problem.ts';
import type { Schema } from '../../db/schema.ts';
import type { ImageToDownload } from '../../db/stores/downloads.ts';
import { sharesLinks } from '../../db/stores/shared-links.ts';

/** Returns the problem code why images cannot be shared by one link; null when they can. */
export const sharingProblem = async (
  db: Kysely<Schema>,
  rows: readonly ImageToDownload[],
): Promise<ProblemCode | null> => {
  const [first] = rows;
  if (!first) return 'image-has-no-pixels';
  if (rows.some(({ patient_id }) => patient_id !== first.patient_id)) return 'image-of-another-patient';
  if (rows.length > maxImagesNamed) return 'too-many-files';
  return (await sharesLinks(db, first.customer_id)) ? null : 'sharing-off';
};
