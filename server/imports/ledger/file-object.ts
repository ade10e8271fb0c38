import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { insertImage } from '../../db/stores/images.ts';
import { noteStudyDate } from '../../db/stores/patients.ts';
import { ensureSeries, ensureStudy } from '../../db/stores/studies.ts';
import type { ParsedFile } from '../read/parsed-file.ts';

export interface Filing {
  readonly customerId: string;
  readonly patientId: string;
  readonly fileName: string;
  /** Given by the demo clinic, whose ids are the same in every installation. */
  readonly imageId?: string;
}

/** Somebody filed the same object, or its study under another patient, at the same moment: judge again. */
export class FiledMeanwhile extends Error {
  override readonly name = 'FiledMeanwhile';
}

/**
 * Writes the rows of one object: study and series where they are missing, and the image. Its bytes must be in the store already.
 * Returns the id of the image.
 * @throws FiledMeanwhile to be caught outside, so that the transaction rolls back
 */
export const fileObject = async (
  transaction: Transaction<Schema>,
  { customerId, patientId, fileName, imageId = randomUUID() }: Filing,
  file: ParsedFile,
): Promise<string> => {
  const study = await ensureStudy(transaction, {
    customerId,
    patientId,
    uid: file.studyUid,
    description: file.studyDescription,
    studyDate: file.studyDate,
    accessionNumber: file.accessionNumber,
  });
  if (study.patientId !== patientId) throw new FiledMeanwhile();
  const seriesId = await ensureSeries(transaction, {
    studyId: study.id,
    uid: file.seriesUid,
    modality: file.modality,
    number: file.seriesNumber,
    description: file.seriesDescription,
  });
  const inserted = await insertImage(transaction, {
    id: imageId,
    customer_id: customerId,
    series_id: seriesId,
    sop_instance_uid: file.sopInstanceUid,
    sop_class_uid: file.sopClassUid,
    kind: file.kind,
    source: file.source,
    sha256: file.objectSha256,
    size_bytes: file.objectSizeBytes,
    file_name: fileName,
    original_sha256: file.originalSha256,
    number: file.instanceNumber,
    rows: file.rows,
    columns: file.columns,
    frames: file.frames,
    transfer_syntax: file.transferSyntaxUid,
    compression: file.compression,
    teeth: file.teeth,
    laterality: file.laterality,
    acquired_at: file.acquiredAt,
    comments: file.comments,
    sensor_type: file.sensorType,
    // A document has no picture to wait for.
    thumb_status: file.kind === 'document' ? 'ready' : 'pending',
  });
  if (!inserted) throw new FiledMeanwhile();
  if (file.studyDate) await noteStudyDate(transaction, patientId, file.studyDate);
  return imageId;
};
