import { z } from 'zod';
import { uuid } from './bounds.ts';
import { route, signedIn } from './route.ts';

/** What the archive takes; each a setting of the installation. Bytes, counts. */
export const importLimits = z.object({
  fileBytes: z.number(),
  filesPerImport: z.number().int(),
  zipEntries: z.number().int(),
  /** All entries of a zip together, unpacked. */
  zipBytes: z.number(),
  /** Most times that an entry of a zip may be larger than what it is packed in. */
  zipRatio: z.number(),
  /** Zips within zips; 1: none within. */
  zipDepth: z.number().int(),
  folderDepth: z.number().int(),
  /** Larger files are sent in parts of this size, so that an upload goes on where it stopped. */
  partBytes: z.number().int(),
  /** Files go to the clinic's object store straight from the browser. */
  aws: z.boolean(),
});
export type ImportLimits = z.infer<typeof importLimits>;

export const importLimitsGet = route({
  method: 'GET',
  path: '/resource/ImageImport/limits',
  access: signedIn,
  reply: importLimits,
});

const acknowledged = z.object({ fileId: uuid, sizeBytes: z.number().int(), sha256: z.string() });
const fields = z.object({
  id: uuid,
  /** Before each file, when it has one: folders and name within what was chosen, parted by `/`. Without it, the file's name. */
  path: z.string().optional(),
});

/**
 * One file: multipart with the fields `id`, perhaps `path`, and `file`. The reply comes when the bytes are safe on disk and the row is committed:
 * it is an acknowledgement that survives a power cut. The same file again is the same row.
 */
export const importDicom = route({
  method: 'POST',
  path: '/resource/ImageImport/dicom',
  access: signedIn,
  multipart: true,
  body: fields,
  reply: acknowledged,
});

const batchReply = z.object({ files: z.array(acknowledged.extend({ fileName: z.string(), path: z.string() })) });

/** Several files in one multipart request: the field `id`, then `files`, each with its `path` before it. Acknowledged together. */
export const importBatch = route({
  method: 'POST',
  path: '/resource/ImageImport/batch',
  access: signedIn,
  multipart: true,
  body: fields,
  reply: batchReply,
});

/** The files of a folder with a DICOMDIR, as many to a request as one likes. */
export const importDirectory = route({
  method: 'POST',
  path: '/resource/ImageImport/dicom/dir',
  access: signedIn,
  multipart: true,
  body: fields,
  reply: batchReply.extend({ dicomDirSystemName: z.string() }),
});

/** A zip, unpacked at the step `preparing`. */
export const importZip = route({
  method: 'POST',
  path: '/resource/ImageImport/dicom/zip',
  access: signedIn,
  multipart: true,
  body: fields,
  reply: acknowledged.extend({ dicomDirSystemName: z.string() }),
});

const received = z.object({
  /** Bytes that have arrived and are safe. */
  receivedBytes: z.number().int(),
  /** Once it is whole. */
  file: acknowledged.nullable(),
});

/**
 * Opens the upload of a large file in parts, or finds how far it has come. `key` is the sender's own name of it; no file name stands in an address.
 */
export const importPartsBegin = route({
  method: 'POST',
  path: '/resource/ImageImport/part',
  access: signedIn,
  body: z.strictObject({ id: uuid, key: uuid, path: z.string().min(1).max(1024), sizeBytes: z.number().int().min(1) }),
  reply: received,
});

/**
 * Part of a large file: `application/octet-stream`, beginning at `offset`, which must be what was received so far (409 `conflict` otherwise). What
 * arrived of a part that broke off counts. The part that makes the file whole acknowledges it.
 */
export const importPart = route({
  method: 'PUT',
  path: '/resource/ImageImport/part',
  query: z.object({ id: uuid, key: uuid, offset: z.coerce.number().int().min(0) }),
  access: signedIn,
  reply: received,
});
