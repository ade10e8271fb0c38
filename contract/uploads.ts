import { z } from 'zod';
import { uuid } from './bounds.ts';
import { route, signedIn } from './route.ts';

/** Upload limits, configurable per installation. Bytes and counts. */
export const importLimits = z.object({
  fileBytes: z.number(),
  filesPerImport: z.number().int(),
  zipEntries: z.number().int(),
  /** All entries of a zip together, unpacked. */
  zipBytes: z.number(),
  /** Maximum compression ratio of a zip entry. */
  zipRatio: z.number(),
  /** Maximum nesting depth of zips; 1: no nested zips. */
  zipDepth: z.number().int(),
  folderDepth: z.number().int(),
  /** Larger files are sent in parts of this size, so that an upload can be resumed. */
  partBytes: z.number().int(),
  /** Files are uploaded directly from the browser to the clinic's object store. */
  aws: z.boolean(),
});
export type ImportLimits = z.infer<typeof importLimits>;

export const importLimitsGet = route({
  method: 'GET',
  path: '/resource/ImageImport/limits',
  access: signedIn,
  reply: importLimits,
});

/** A file on disk. */
export const acknowledgedFile = z.object({ fileId: uuid, sizeBytes: z.number().int(), sha256: z.string() });
const fields = z.object({
  id: uuid,
  /** Relative path within the chosen folder, separated by `/`, sent before each file; the file name by default. */
  path: z.string().optional(),
});

/**
 * One file: multipart with the fields `id`, optionally `path`, and `file`. The reply is sent after the bytes are on disk (fsync) and the row is
 * committed, so an acknowledged file survives a power failure. Uploading the same file again is idempotent.
 */
export const importDicom = route({
  method: 'POST',
  path: '/resource/ImageImport/dicom',
  access: signedIn,
  multipart: 'file',
  body: fields,
  reply: acknowledgedFile,
});

export const fileOfBatch = acknowledgedFile.extend({ fileName: z.string(), path: z.string() });
const batchReply = z.object({ files: z.array(fileOfBatch) });

/** Several files in one multipart request: the field `id`, then `files`, each with its `path` before it. Acknowledged together. */
export const importBatch = route({
  method: 'POST',
  path: '/resource/ImageImport/batch',
  access: signedIn,
  multipart: 'files',
  body: fields,
  reply: batchReply,
});

/** The files of a folder with a DICOMDIR, any number per request. */
export const importDirectory = route({
  method: 'POST',
  path: '/resource/ImageImport/dicom/dir',
  access: signedIn,
  multipart: 'files',
  body: fields,
  reply: batchReply.extend({ dicomDirSystemName: z.string() }),
});

/** A zip, unpacked at the step `preparing`. */
export const importZip = route({
  method: 'POST',
  path: '/resource/ImageImport/dicom/zip',
  access: signedIn,
  multipart: 'file',
  body: fields,
  reply: acknowledgedFile.extend({ dicomDirSystemName: z.string() }),
});

const received = z.object({
  /** Bytes received and stored. */
  receivedBytes: z.number().int(),
  /** Once it is whole. */
  file: acknowledgedFile.nullable(),
});

/**
 * Opens or resumes the upload of a large file in parts. `key` is chosen by the client; no file name is in a URL.
 */
export const importPartsBegin = route({
  method: 'POST',
  path: '/resource/ImageImport/part',
  access: signedIn,
  body: z.strictObject({ id: uuid, key: uuid, path: z.string().min(1).max(1024), sizeBytes: z.number().int().min(1) }),
  reply: received,
});

/**
 * Part of a large file: `application/octet-stream`, beginning at `offset`, which must be what was received so far (409 `conflict` otherwise).
 * Received bytes of an interrupted part count. The reply to the last part acknowledges the file.
 */
export const importPart = route({
  method: 'PUT',
  path: '/resource/ImageImport/part',
  query: z.object({ id: uuid, key: uuid, offset: z.coerce.number().int().min(0) }),
  access: signedIn,
  bytes: true,
  reply: received,
});
