import { z } from 'zod';
import { dateOnly, uuid } from './bounds.ts';

/** The published step numbers of an import. */
export const importSteps = { uploading: 0, preparing: 1, parsing: 2, validation: 3, importing: 4, done: 5 } as const;
export type ImportStep = keyof typeof importSteps;
export const importStep = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5)]);

/**
 * What was chosen as one thing: `static` jpg, jpeg and png pictures; `dicom` DICOM files, loose or in a folder; `dicomdir` a folder with a
 * DICOMDIR in it, or a zip (of such a folder, or of DICOM files).
 */
export const importKind = z.enum(['static', 'dicom', 'dicomdir']);
export type ImportKind = z.infer<typeof importKind>;

export const allowedExtensions = ['jpg', 'jpeg', 'png', 'dcm', 'dic', 'dicom', 'zip'] as const;

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
  /** A DICOMDIR: the table of contents of a disc. Stands with the status `ignored`. */
  'media-directory',
  'same-uid-other-bytes',
  'study-of-another-patient',
  'took-too-long',
  'storage-failed',
  /** The DICOMDIR names it, and it was not there. */
  'file-missing',
  /** The whole archive: damaged, encrypted, more entries than are taken. */
  'zip-damaged',
  'zip-encrypted',
  'zip-too-many-entries',
  /** Its entries would take more room than is allowed, or more than its size can honestly hold. */
  'zip-too-large',
  'zip-bomb',
  /** One entry: its name leads out of the archive, or it is a link. */
  'zip-unsafe-entry',
  /** A zip within zips, or a folder within folders, deeper than is taken. */
  'too-deep',
  /** Another file beside the images of a disc: a viewer, a text. Stands with the status `ignored`. */
  'no-image',
]);
export type FileProblem = z.infer<typeof fileProblem>;

/**
 * received -> parsed -> imported; or duplicate (the same bytes are already in the archive), or refused with the problem.
 * `unpacked`: a zip whose entries stand as files of their own. `ignored`: what a disc holds beside its images, with the reason.
 * `left-out`: a person does not want its study.
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

/** Who a file says it shows. */
export const writtenPatient = z.object({
  name: z.string().nullable(),
  patientId: z.string().nullable(),
  birthDate: z.string().nullable(),
  sex: z.string().nullable(),
});

/** `same`: personal number, or name and birth date, agree. `unknown`: the file names nobody, or nobody is chosen yet. `differs`: it names somebody else. */
export const patientMatch = z.enum(['same', 'unknown', 'differs']);

/** Who the file itself says it shows; compared with the chosen patient before anything is imported. */
export const namedPatient = writtenPatient.extend({ match: patientMatch });
export type NamedPatient = z.infer<typeof namedPatient>;

export const importFile = z.object({
  id: uuid,
  fileName: z.string(),
  /** Folders and name within what was chosen, parted by `/`; of an entry of a zip, within the zip. */
  path: z.string(),
  /** The zip that it came in. */
  containerId: uuid.nullable(),
  sizeBytes: z.number().int(),
  status: fileStatus,
  problem: fileProblem.nullable(),
  /** What the fault is, in English, without patient data; null when there is none. */
  detail: z.string().nullable(),
  patient: namedPatient.nullable(),
  modality: z.string().nullable(),
  /** The study of the import that it belongs to, see `importStudy.key`; null before it was read. */
  studyKey: z.string().nullable(),
  /** A signed link to a small picture of a file that was read but is not imported; null where there is none (yet). */
  thumbLink: z.string().nullable(),
  /** What helps to find its slot; null and empty where the file does not say. */
  teeth: z.array(z.number().int()),
  acquiredAt: z.string().nullable(),
  imageUid: uuid.nullable(),
});
export type ImportFile = z.infer<typeof importFile>;

/** What a person decides about one study of an import. */
export const importDecision = z.object({
  /** Not wanted: its files are left out. */
  leftOut: z.boolean(),
  patientId: uuid.nullable(),
  /** Of pictures: the study of the patient that they go to (a Study Instance UID); null: a new one. Of DICOM files: their own, always. */
  studyUid: z.string().max(64).nullable(),
  /** The mount that is made for them; null: none, they come loose. */
  viewSetTemplateUuid: uuid.nullable(),
  /** Links keyed by position: item index of the template -> file. */
  imagesHashMap: z.record(z.string().regex(/^\d{1,3}$/), uuid),
  /** A person saw that the files name somebody else than the chosen patient, and wants it all the same. */
  mismatchConfirmed: z.boolean(),
});
export type ImportDecision = z.infer<typeof importDecision>;

/** What stands in the way of importing a study. */
export const importObstacle = z.enum([
  /** Nobody is chosen. */
  'patient-missing',
  /** The files name somebody else than the chosen patient, and nobody has confirmed it. */
  'mismatch-not-confirmed',
  /** The archive has this study under another patient. */
  'study-of-another-patient',
  /** None of its files can be taken. */
  'nothing-to-import',
]);

export const importPatient = z.object({
  id: uuid,
  firstName: z.string(),
  lastName: z.string(),
  personalNumber: z.string(),
  birthDate: z.string().nullable(),
});

/** A study that was found in the files of an import, and what is decided about it. */
export const importStudy = z.object({
  /** The Study Instance UID; `pictures` for jpg and png files. */
  key: z.string(),
  kind: z.enum(['dicom', 'static']),
  description: z.string(),
  studyDate: dateOnly.nullable(),
  modalities: z.array(z.string()),
  /** Files that can be imported, or are in the archive already. */
  filesCount: z.number().int(),
  /** Who the files say they show; null when they name nobody. */
  named: writtenPatient.nullable(),
  /** Files of this one study name more than one person. */
  namesSeveral: z.boolean(),
  /** Patients of the clinic whom the files may show, best first: personal number, or name and birth date, agree; `possible`: only part of it. */
  candidates: z.array(z.object({ patient: importPatient, match: z.enum(['same', 'possible']) })),
  /** The study as the archive has it already. */
  inArchive: z.object({ patient: importPatient, images: z.number().int() }).nullable(),
  /** The archive has this study with a viewset: new images come into its tray, and no mount is made unless a person asks for one. */
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
  /** What it is called in the list: the folder, the zip, the first file. */
  name: z.string(),
  /** Chosen beforehand (files dropped on the page of a patient); null: decided study by study. */
  patientId: uuid.nullable(),
  customerId: uuid,
  step: importStep,
  /** 0 to 100 of the running step. */
  percent: z.number().int(),
  error: z.boolean(),
  totalFilesCount: z.number().int(),
  files: z.array(importFile),
  /** Found by parsing; empty before. */
  studies: z.array(importStudy),
  /** The name under which the archive keeps a directory or zip: goes with `dicomdir/import`. */
  dicomSystemName: z.string(),
  createdAt: z.string(),
});
export type ImportTask = z.infer<typeof importTask>;
