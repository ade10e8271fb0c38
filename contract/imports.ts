import { z } from 'zod';
import { uuid } from './bounds.ts';
import { route, signedIn } from './route.ts';

/** The published step numbers of an import. */
export const importSteps = { uploading: 0, preparing: 1, parsing: 2, validation: 3, importing: 4, done: 5 } as const;
export type ImportStep = keyof typeof importSteps;
export const importStep = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5)]);

export const allowedExtensions = ['jpg', 'jpeg', 'png', 'dcm', 'dic', 'dicom'] as const;

/** Why a file was not taken. `not-dicom` and the like name the fault; the file's own name stands beside it. */
export const fileProblem = z.enum([
  'not-dicom',
  'truncated',
  'malformed',
  'no-image-size',
  'pixel-data-short',
  'transfer-syntax-unsupported',
  'decode-failed',
  'too-large',
  'empty',
  'picture-unreadable',
  'media-directory',
  'same-uid-other-bytes',
  'study-of-another-patient',
  'took-too-long',
  'storage-failed',
]);
export type FileProblem = z.infer<typeof fileProblem>;

/** received -> parsed -> imported; or duplicate (the same bytes are already in the archive), or refused with the problem. */
export const fileStatus = z.enum(['received', 'parsed', 'imported', 'duplicate', 'refused']);

/** Who the file itself says it shows; compared with the chosen patient before anything is imported. */
export const namedPatient = z.object({
  name: z.string().nullable(),
  patientId: z.string().nullable(),
  birthDate: z.string().nullable(),
  sex: z.string().nullable(),
  /** `same`: personal number, or name and birth date, agree. `unknown`: the file names nobody. `differs`: it names somebody else. */
  match: z.enum(['same', 'unknown', 'differs']),
});
export type NamedPatient = z.infer<typeof namedPatient>;

export const importFile = z.object({
  id: uuid,
  fileName: z.string(),
  sizeBytes: z.number().int(),
  status: fileStatus,
  problem: fileProblem.nullable(),
  /** What the fault is, in English, without patient data; null when there is none. */
  detail: z.string().nullable(),
  patient: namedPatient.nullable(),
  modality: z.string().nullable(),
  imageUid: uuid.nullable(),
});
export type ImportFile = z.infer<typeof importFile>;

export const importTask = z.object({
  id: uuid,
  patientId: uuid,
  customerId: uuid,
  step: importStep,
  /** 0 to 100 of the running step. */
  percent: z.number().int(),
  error: z.boolean(),
  totalFilesCount: z.number().int(),
  files: z.array(importFile),
  createdAt: z.string(),
});
export type ImportTask = z.infer<typeof importTask>;

/** Opens an import into a patient. The reply's id goes with every further call. */
export const importBegin = route({
  method: 'POST',
  path: '/resource/ImageImport',
  access: signedIn,
  body: z.strictObject({ patientId: uuid, totalFilesCount: z.number().int().min(1).max(100_000) }),
  reply: z.object({ id: uuid }),
});

/**
 * One file: multipart with the fields `id` and `file`. The reply comes when the bytes are safe on disk and the row is committed:
 * it is an acknowledgement that survives a power cut.
 */
export const importDicom = route({
  method: 'POST',
  path: '/resource/ImageImport/dicom',
  access: signedIn,
  multipart: true,
  body: z.object({ id: uuid }),
  reply: z.object({ fileId: uuid, sizeBytes: z.number().int(), sha256: z.string() }),
});

/** Several files in one multipart request: the field `id`, then `files`. Acknowledged together. */
export const importBatch = route({
  method: 'POST',
  path: '/resource/ImageImport/batch',
  access: signedIn,
  multipart: true,
  body: z.object({ id: uuid }),
  reply: z.object({
    files: z.array(z.object({ fileId: uuid, fileName: z.string(), sizeBytes: z.number().int(), sha256: z.string() })),
  }),
});

/** All files are up: prepare and parse them. Progress and the end come over the hub; `importGet` holds the truth. */
export const importParse = route({
  method: 'POST',
  path: '/resource/ImageImport/dicom/parse',
  access: signedIn,
  body: z.strictObject({ id: uuid }),
  reply: z.object({ id: uuid }),
});

/** Validated: import what parsed. `mismatchConfirmed` says that a person saw that a file names somebody else and wants it all the same. */
export const importConfirm = route({
  method: 'POST',
  path: '/resource/ImageImport/dicom/import',
  access: signedIn,
  body: z.strictObject({ id: uuid, mismatchConfirmed: z.boolean() }),
  reply: z.object({ id: uuid }),
});

/**
 * A person does not want this import: what arrived is not imported. Possible until it is confirmed (steps uploading and validation);
 * asking again changes nothing.
 */
export const importCancel = route({
  method: 'POST',
  path: '/resource/ImageImport/cancel',
  access: signedIn,
  body: z.strictObject({ id: uuid }),
  reply: z.object({ id: uuid }),
});

export const importGet = route({
  method: 'GET',
  path: '/resource/ImageImport/:id',
  params: z.object({ id: uuid }),
  access: signedIn,
  reply: importTask,
});

/** Imports of a patient that are not done, newest first: what a new session finds after the server or the browser was stopped. */
export const importsOpen = route({
  method: 'GET',
  path: '/resource/ImageImport',
  query: z.object({ patientId: uuid }),
  access: signedIn,
  reply: z.array(importTask),
});
