import { z } from 'zod';
import { uuid } from './bounds.ts';
import { importDecision, importKind, importStudy, importTask } from './imports.ts';
import { route, signedIn } from './route.ts';

/**
 * Opens an import, into a patient or (`patientId` null) into a clinic. The reply's id goes with every further call. The same `id` from the same
 * person again opens nothing new: the first reply may have been lost.
 */
export const importBegin = route({
  method: 'POST',
  path: '/resource/ImageImport',
  access: signedIn,
  body: z
    .strictObject({
      id: uuid.optional(),
      patientId: uuid.nullable(),
      /** Needed when no patient is named. */
      customerId: uuid.optional(),
      kind: importKind.default('dicom'),
      name: z.string().trim().max(255).default(''),
      totalFilesCount: z.number().int().min(1).max(100_000),
    })
    .refine(({ patientId, customerId }) => patientId !== null || customerId !== undefined, { path: ['customerId'] }),
  reply: z.object({ id: uuid }),
});

/** Calls that name an import and say no more. */
const ofOneImport = { access: signedIn, body: z.strictObject({ id: uuid }), reply: z.object({ id: uuid }) };

/** All files are up: prepare and parse them. Progress and the end come over the hub; `importGet` holds the truth. */
export const importParse = route({
  method: 'POST',
  path: '/resource/ImageImport/dicom/parse',
  ...ofOneImport,
});

/** The same for a folder with a DICOMDIR, whose files came unpacked. */
export const importDirectoryParse = route({
  method: 'POST',
  path: '/resource/ImageImport/dicomdir/unpacked_parse',
  ...ofOneImport,
});

/**
 * Decides about one study of an import that waits for validation; what is not given stays as it is. Without `imagesHashMap` a new template is
 * filled by what the files say: teeth, region, laterality, then order of acquisition. `mismatchConfirmed: true` goes with the `patientId` of whom it is
 * said. The reply says what still stands in the way.
 */
export const importDecide = route({
  method: 'POST',
  path: '/resource/ImageImport/decide',
  access: signedIn,
  body: importDecision
    .partial()
    .extend({ id: uuid, key: z.string().max(64) })
    .strict(),
  reply: importStudy,
});

const confirmation = {
  id: uuid,
  mismatchConfirmed: z.boolean().default(false),
  /** These four decide for an import with one study; with several, `importDecide` does. */
  patientId: uuid.optional(),
  viewSetTemplateUuid: uuid.nullable().optional(),
  imagesHashMap: importDecision.shape.imagesHashMap.optional(),
  studyUid: importDecision.shape.studyUid.optional(),
};

/** Validated: import what parsed. `mismatchConfirmed` says that a person saw that a file names somebody else and wants it all the same. */
export const importConfirm = route({
  method: 'POST',
  path: '/resource/ImageImport/dicom/import',
  access: signedIn,
  body: z.strictObject(confirmation),
  reply: z.object({ id: uuid }),
});

/** The same for a DICOMDIR folder or a zip. `dicomDirSystemName` and `totalFilesCount`, when given, must be those of the import. */
export const importDirectoryConfirm = route({
  method: 'POST',
  path: '/resource/ImageImport/dicomdir/import',
  access: signedIn,
  body: z.strictObject({
    ...confirmation,
    dicomDirSystemName: z.string().max(64).optional(),
    awsDirectroryKey: z.string().max(1024).optional(),
    totalFilesCount: z.number().int().optional(),
  }),
  reply: z.object({ id: uuid }),
});

/** Files that were refused for a passing reason (`storage-failed`, `took-too-long`) are read again. Changes nothing when there are none. */
export const importRetry = route({
  method: 'POST',
  path: '/resource/ImageImport/retry',
  ...ofOneImport,
});

/** A person does not want this import: what arrived is not imported. Possible until it is confirmed; asking again changes nothing. */
export const importCancel = route({
  method: 'POST',
  path: '/resource/ImageImport/cancel',
  ...ofOneImport,
});

export const importGet = route({
  method: 'GET',
  path: '/resource/ImageImport/:id',
  params: z.object({ id: uuid }),
  access: signedIn,
  reply: importTask,
});

/**
 * Imports that are not done, newest first: what a new session finds after the server or the browser was stopped. Of a patient, whoever began
 * them; or the person's own in a clinic.
 */
export const importsOpen = route({
  method: 'GET',
  path: '/resource/ImageImport',
  query: z
    .object({ patientId: uuid.optional(), customerId: uuid.optional() })
    .refine(({ patientId, customerId }) => (patientId === undefined) !== (customerId === undefined), {
      path: ['patientId'],
    }),
  access: signedIn,
  reply: z.array(importTask),
});

/** The small picture behind `importFile.thumbLink`: `image/jpeg`. The signature stands for the right, so an `<img>` can load it. */
export const importThumbnail = route({
  method: 'GET',
  path: '/resource/ImageImport/thumbnail',
  query: z.object({ fileId: uuid, expires: z.coerce.number().int(), signature: z.string() }),
  access: 'anyone',
  reply: z.instanceof(Uint8Array),
});
