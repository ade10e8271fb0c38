import { z } from 'zod';
import { uuid } from './bounds.ts';
import { importDecision, importKind, importStudy, importTask } from './imports.ts';
import { bytes, idBody, idReply, route, signedIn } from './route.ts';

/**
 * Opens an import, into a patient or (`patientId` null) into a clinic. Every further call contains the id of the reply. The same `id` from the same
 * user returns the existing import: the first reply may have been lost.
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
  reply: idReply,
});

/** Body of calls that only name an import. */
const ofOneImport = { access: signedIn, body: idBody, reply: idReply };

/** All files are uploaded: prepare and parse them. The hub reports progress and end; `importGet` returns the authoritative state. */
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
 * Sets the decision about one study of an import that waits for validation; omitted fields are unchanged. Without `imagesHashMap` a new
 * template is filled from the files: teeth, region, laterality, then order of acquisition. `mismatchConfirmed: true` requires the `patientId`
 * that it confirms. The reply contains the remaining obstacles.
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

/** Imports the parsed files. `mismatchConfirmed`: the user has confirmed a file that names another patient. */
export const importConfirm = route({
  method: 'POST',
  path: '/resource/ImageImport/dicom/import',
  access: signedIn,
  body: z.strictObject(confirmation),
  reply: idReply,
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
  reply: idReply,
});

/** Retries files that were rejected for a temporary reason (`storage-failed`, `took-too-long`). Changes nothing when there are none. */
export const importRetry = route({
  method: 'POST',
  path: '/resource/ImageImport/retry',
  ...ofOneImport,
});

/** Discards an import: received files are not imported. Possible until it is confirmed; idempotent. */
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
 * Unfinished imports, newest first, so that a new session can continue them. Of a patient, those of all users; of a clinic, the
 * caller's own, and with `received` those that programs and devices sent and that wait for a user's decision.
 */
export const importsOpen = route({
  method: 'GET',
  path: '/resource/ImageImport',
  query: z
    .object({ patientId: uuid.optional(), customerId: uuid.optional(), received: z.literal('true').optional() })
    .refine(({ patientId, customerId }) => (patientId === undefined) !== (customerId === undefined), {
      path: ['patientId'],
    }),
  access: signedIn,
  reply: z.array(importTask),
});

/** The thumbnail behind `importFile.thumbLink`, a link signed for a session: `image/jpeg`. An `<img>` can load it while the session lasts. */
export const importThumbnail = route({
  method: 'GET',
  path: '/resource/ImageImport/thumbnail',
  query: z.object({
    fileId: uuid,
    session: z.string(),
    expires: z.coerce.number().int(),
    signature: z.string(),
  }),
  access: 'anyone',
  reply: bytes,
});
