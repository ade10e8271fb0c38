import { z } from 'zod';
import { dateOnly, uuid } from './bounds.ts';
import { protectedIdentity } from './patients.ts';

/** The published step numbers of an import. */
export const importSteps = { uploading: 0, preparing: 1, parsing: 2, validation: 3, importing: 4, done: 5 } as const;
export type ImportStep = keyof typeof importSteps;
/** The steps in their order, which is their number. */
export const importStepNames = Object.keys(importSteps) as ImportStep[];
export const importStep = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5)]);

/**
 * Kind of the chosen files: `static` pictures (`pictureExtensions`), videos and PDFs; `dicom` DICOM files, single or in a folder; `dicomdir` a folder with a
 * DICOMDIR in it, or a zip (of such a folder, or of DICOM files).
 */
export const importKind = z.enum(['static', 'dicom', 'dicomdir']);
export type ImportKind = z.infer<typeof importKind>;

export const pictureExtensions = ['jpg', 'jpeg', 'png', 'tif', 'tiff', 'heic', 'heif'] as const;
export const videoExtensions = ['mp4', 'm4v', 'mov'] as const;
export const allowedExtensions = [
  ...pictureExtensions,
  ...videoExtensions,
  'pdf',
  'dcm',
  'dic',
  'dicom',
  'zip',
] as const;

/** Why a file was rejected. */
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
  /** A camera raw file, a TIFF of several pages, or values that are not unsigned 8 or 16 bits. */
  'picture-unsupported',
  /** A video in another container than MP4 and QuickTime, or of another codec or level than DICOM has for browsers. */
  'video-unsupported',
  /** A DICOMDIR: the table of contents of a disc. Used with the status `ignored`. */
  'media-directory',
  /** A Hanging Protocol: a layout without images, imported as a template of mounts. */
  'hanging-protocol',
  'same-uid-other-bytes',
  'study-of-another-patient',
  /** Only its series, or only this image, was moved to another patient. */
  'series-of-another-patient',
  'image-of-another-patient',
  'took-too-long',
  'storage-failed',
  /** The DICOMDIR lists it, but it was not found. */
  'file-missing',
  /** The whole archive: damaged, encrypted, or too many entries. */
  'zip-damaged',
  'zip-encrypted',
  'zip-too-many-entries',
  /** Its entries exceed the size limit or the maximum compression ratio. */
  'zip-too-large',
  'zip-bomb',
  /** One entry: its path leaves the archive, or it is a link. */
  'zip-unsafe-entry',
  /** Nested zips or folders exceed the maximum depth. */
  'too-deep',
  /** Another file on a disc: a viewer, a text. Used with the status `ignored`. */
  'no-image',
]);
export type FileProblem = z.infer<typeof fileProblem>;

/**
 * received -> parsed -> imported; or duplicate (the same bytes are already in the archive), or refused with the problem.
 * `unpacked`: a zip whose entries are listed as files. `ignored`: other files of a disc, with the reason.
 * `left-out`: the user has excluded its study.
 */
export const fileStatus = z.enum([
  'received',
  'unpacked',
  'parsed',
  'imported',
  'duplicate',
  'refused',
  'ignored',
  'left-out',
]);
export type FileStatus = z.infer<typeof fileStatus>;

/** The patient named by a file. */
export const writtenPatient = z.object({
  name: z.string().nullable(),
  patientId: z.string().nullable(),
  birthDate: z.string().nullable(),
  sex: z.string().nullable(),
});

/** `same`: personal number, or name and birth date, agree. `unknown`: the file names no patient, or none is chosen yet. `differs`: it names another patient. */
export const patientMatch = z.enum(['same', 'unknown', 'differs']);

/** The patient named by the file; compared with the chosen patient before the import. */
export const namedPatient = writtenPatient.extend({ match: patientMatch });
export type NamedPatient = z.infer<typeof namedPatient>;

export const importFile = z.object({
  id: uuid,
  fileName: z.string(),
  /** Relative path within the chosen folder or zip, separated by `/`. */
  path: z.string(),
  /** The zip that it came in. */
  containerId: uuid.nullable(),
  sizeBytes: z.number().int(),
  status: fileStatus,
  problem: fileProblem.nullable(),
  /** Error detail in English, without patient data; null without an error. */
  detail: z.string().nullable(),
  patient: namedPatient.nullable(),
  modality: z.string().nullable(),
  /** The study of the import that contains it, see `importStudy.key`; null before the file is parsed. */
  studyKey: z.string().nullable(),
  /** A signed link to the thumbnail of a parsed file that is not imported; null when there is none (yet). */
  thumbLink: z.string().nullable(),
  /** Attributes for finding its slot; null or empty when the file has none. */
  teeth: z.array(z.number().int()),
  acquiredAt: z.string().nullable(),
  imageUid: uuid.nullable(),
  /** The import took its image, or its study or series, out of the recycle bin. */
  wasRestored: z.boolean(),
});
export type ImportFile = z.infer<typeof importFile>;

/** Links keyed by position: item index of the template -> file. */
export const imagesHashMap = z.record(z.string().regex(/^\d{1,3}$/), uuid);

/** The user's decision about one study of an import. */
export const importDecision = z.object({
  /** True when its files are excluded. */
  leftOut: z.boolean(),
  patientId: uuid.nullable(),
  /** Of pictures: the study of the patient that they go to (a Study Instance UID); null: a new one. Of DICOM files: their own, always. */
  studyUid: z.string().max(64).nullable(),
  /** The template of the mount to create; null for none. */
  viewSetTemplateUuid: uuid.nullable(),
  imagesHashMap,
  /** The user has confirmed that the files name another patient than the chosen one. */
  mismatchConfirmed: z.boolean(),
});
export type ImportDecision = z.infer<typeof importDecision>;

/** Reasons why a study cannot be imported yet. */
export const importObstacle = z.enum([
  /** No patient is chosen. */
  'patient-missing',
  /** The files name another patient than the chosen one, and it is not confirmed. */
  'mismatch-not-confirmed',
  /** The archive has this study under another patient. */
  'study-of-another-patient',
  /** None of its files can be imported. */
  'nothing-to-import',
]);

export const importPatient = z.object({
  id: uuid,
  firstName: z.string(),
  lastName: z.string(),
  personalNumber: z.string(),
  birthDate: z.string().nullable(),
  protectedIdentity,
});

/** A study found in the files of an import, with the decision about it. */
export const importStudy = z.object({
  /** The Study Instance UID; `pictures` for pictures. */
  key: z.string(),
  kind: z.enum(['dicom', 'static']),
  description: z.string(),
  studyDate: dateOnly.nullable(),
  modalities: z.array(z.string()),
  /** Files that can be imported, or are in the archive already. */
  filesCount: z.number().int(),
  /** The patient named by the files; null when there is none. */
  named: writtenPatient.nullable(),
  /** True when files of this study name different patients. */
  namesSeveral: z.boolean(),
  /** Candidate patients of the clinic, best first: personal number, or name and birth date, agree; `possible`: only part of it. */
  candidates: z.array(z.object({ patient: importPatient, match: z.enum(['same', 'possible']) })),
  /** The study as the archive has it already. */
  inArchive: z
    .object({
      studyId: uuid,
      patient: importPatient,
      images: z.number().int(),
      /** True when it or its patient is in the recycle bin; for a study of another patient, also when all its images are. */
      isDeleted: z.boolean(),
    })
    .nullable(),
  /** Number of files whose images are in the recycle bin: the import restores them. */
  deletedFiles: z.number().int(),
  /** The archive has this study with a viewset: new images are added to its tray, and a mount is created only on request. */
  alreadyHasViewSet: z.boolean(),
  decision: importDecision,
  /** The chosen patient. */
  patient: importPatient.nullable(),
  match: patientMatch,
  /** Empty: it can be imported. */
  obstacles: z.array(importObstacle),
  /** The viewset that was made, once imported. */
  viewsetId: uuid.nullable(),
});
export type ImportStudy = z.infer<typeof importStudy>;

export const importTask = z.object({
  id: uuid,
  kind: importKind,
  /** Name in the list: the folder, the zip, or the first file. */
  name: z.string(),
  /** Chosen beforehand (files dropped on the page of a patient); null: decided study by study. */
  patientId: uuid.nullable(),
  customerId: uuid,
  /** The program or device that sent its objects; null: a user chose files. */
  source: z
    .object({ kind: z.enum(['dicomweb', 'dicom']), name: z.string() })
    .nullable()
    .default(null),
  step: importStep,
  /** Progress of the current step, 0 to 100. */
  percent: z.number().int(),
  error: z.boolean(),
  totalFilesCount: z.number().int(),
  files: z.array(importFile),
  /** Found by parsing; empty before. */
  studies: z.array(importStudy),
  /** The server's name of a directory or zip, to be sent to `dicomdir/import`. */
  dicomSystemName: z.string(),
  createdAt: z.string(),
});
export type ImportTask = z.infer<typeof importTask>;
