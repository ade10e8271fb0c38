import { z } from 'zod';

/**
 * What parsing found in a file: all that the import step needs, stored as JSON in the ledger. For a picture the object is the DICOM object
 * made of it, and `originalSha256` identifies the picture.
 */
export const parsedFile = z.object({
  objectSha256: z.string(),
  objectSizeBytes: z.number(),
  originalSha256: z.string().nullable(),
  source: z.enum(['dicom', 'picture']),
  kind: z.enum(['image', 'document']),
  studyUid: z.string(),
  studyDescription: z.string(),
  /** `YYYY-MM-DD` */
  studyDate: z.string().nullable(),
  accessionNumber: z.string().nullable(),
  seriesUid: z.string(),
  seriesNumber: z.number().nullable(),
  seriesDescription: z.string().nullable(),
  modality: z.string(),
  sopInstanceUid: z.string(),
  sopClassUid: z.string().nullable(),
  instanceNumber: z.number().nullable(),
  rows: z.number(),
  columns: z.number(),
  frames: z.number(),
  transferSyntaxUid: z.string(),
  compression: z.enum(['none', 'lossless', 'lossy']),
  /** ISO 3950 */
  teeth: z.array(z.number()),
  laterality: z.enum(['L', 'R', 'B']).nullable(),
  /** The anatomic region as written in the file. */
  region: z.string().nullable().default(null),
  acquiredAt: z.string().nullable(),
  comments: z.string().nullable(),
  sensorType: z.string().nullable(),
});
export type ParsedFile = z.infer<typeof parsedFile>;
