import type { ImportFile, ImportKind, ImportStudy } from '../../../contract/imports.ts';

/** State of an import for the user. `needs-decision`: waits for the user. */
export type Outcome = 'running' | 'paused' | 'needs-decision' | 'failed' | 'done';

export interface ImportPatient {
  readonly id: string;
  readonly name: string;
}

/** Where images were imported to. */
export interface Destination extends ImportPatient {
  /** The study, and its mount; null where there is none. */
  readonly studyUid: string | null;
  readonly viewsetId: string | null;
  readonly images: number;
}

/** Results by file; the files of a zip count, the zip does not. */
export interface Counts {
  /** Files that could become images: all but zips, non-images of a disc, and excluded files. */
  readonly candidates: number;
  readonly imported: number;
  readonly duplicates: number;
  /** Imported or already archived, and restored from the recycle bin by this import. */
  readonly restored: number;
  readonly rejected: number;
  /** Named by the DICOMDIR of a disc, but not there. */
  readonly missing: number;
  /** Imported or importable, without a displayable picture. */
  readonly pictureless: number;
  /** Excluded by the user. */
  readonly leftOut: number;
  readonly ignored: number;
  /** Names of the first rejected and the first missing files. */
  readonly rejectedNames: readonly string[];
  readonly missingNames: readonly string[];
}

export const maxNames = 3;

/** The SOP class or the extension indicates an image. */
export const isPictureless = ({
  status,
  problem,
}: {
  readonly status: string;
  readonly problem: string | null;
}): boolean => (status === 'parsed' || status === 'imported') && problem !== null;

/** Counts the server's files and the rejected uploads (`rejectedUploads`, by name). */
export const countsOf = (found: readonly ImportFile[], rejectedUploads: readonly string[]): Counts => {
  const count = (status: ImportFile['status']) => found.filter((file) => file.status === status).length;
  const [ignored, leftOut] = [count('ignored'), count('left-out')];
  const refused = found.filter(({ status }) => status === 'refused');
  const isMissing = ({ problem }: ImportFile) => problem === 'file-missing';
  const missing = refused.filter(isMissing).map(({ fileName }) => fileName);
  const rejected = [...rejectedUploads, ...refused.filter((file) => !isMissing(file)).map(({ fileName }) => fileName)];
  return {
    candidates: found.length - ignored - leftOut - count('unpacked') + rejectedUploads.length,
    imported: count('imported'),
    duplicates: count('duplicate'),
    restored: found.filter(({ wasRestored }) => wasRestored).length,
    rejected: rejected.length,
    missing: missing.length,
    pictureless: found.filter(isPictureless).length,
    leftOut,
    ignored,
    rejectedNames: rejected.slice(0, maxNames),
    missingNames: missing.slice(0, maxNames),
  };
};

export const sameCounts = (one: Counts, other: Counts): boolean =>
  one.candidates === other.candidates &&
  one.imported === other.imported &&
  one.duplicates === other.duplicates &&
  one.restored === other.restored &&
  one.rejected === other.rejected &&
  one.missing === other.missing &&
  one.pictureless === other.pictureless &&
  one.leftOut === other.leftOut &&
  one.ignored === other.ignored &&
  one.rejectedNames.join('/') === other.rejectedNames.join('/') &&
  one.missingNames.join('/') === other.missingNames.join('/');

/** Returns the patients of the included studies, each once. */
export const patientsOf = (studies: readonly ImportStudy[]): readonly ImportPatient[] => {
  const patients = new Map<string, ImportPatient>();
  for (const { patient, decision } of studies)
    if (patient && !decision.leftOut)
      patients.set(patient.id, { id: patient.id, name: `${patient.firstName} ${patient.lastName}` });
  return [...patients.values()];
};

/** Returns where images were imported, study by study. */
export const destinationsOf = (studies: readonly ImportStudy[], found: readonly ImportFile[]): readonly Destination[] =>
  studies.flatMap(({ key, kind, patient, decision, viewsetId }) => {
    const images = found.filter(
      (file) => file.studyKey === key && (file.status === 'imported' || file.wasRestored),
    ).length;
    if (!patient || decision.leftOut || images === 0) return [];
    const studyUid = kind === 'dicom' ? key : decision.studyUid;
    return [{ id: patient.id, name: `${patient.firstName} ${patient.lastName}`, studyUid, viewsetId, images }];
  });

/** Returns the link to the mount, else to the patient. */
export const destinationPath = ({ id, studyUid, viewsetId }: Destination): string =>
  ['/patient', id, ...(studyUid && viewsetId ? [studyUid, viewsetId] : [])].join('/');

/** Returns why an import cannot be confirmed: each reason with its number of studies. */
type Obstacle = ImportStudy['obstacles'][number];

export type Reason = { readonly why: Obstacle | 'all-left-out'; readonly studies: number };

export const reasonsOf = (studies: readonly ImportStudy[]): readonly Reason[] => {
  const included = studies.filter(({ decision }) => !decision.leftOut);
  if (included.length === 0) return studies.length > 0 ? [{ why: 'all-left-out', studies: studies.length }] : [];
  const counted = new Map<Obstacle, number>();
  for (const { obstacles } of included) for (const why of obstacles) counted.set(why, (counted.get(why) ?? 0) + 1);
  return [...counted].map(([why, total]) => ({ why, studies: total }));
};

/** Returns the translation key of the kind of import. */
export const kindName = (kind: ImportKind, name: string): ImportKind | 'zip' =>
  kind === 'dicomdir' && /\.zip$/i.test(name) ? 'zip' : kind;

export type Duration = { readonly unit: 'moments' | 'seconds' | 'minutes' | 'hours'; readonly count: number };

/** Estimates the time for `bytes` at `speed` (bytes per second), rounded; null when unknown. */
export const timeLeft = (bytes: number, speed: number | null): Duration | null => {
  if (speed === null || speed <= 0 || bytes <= 0) return null;
  const seconds = bytes / speed;
  if (seconds < 10) return { unit: 'moments', count: 1 };
  if (seconds < 55) return { unit: 'seconds', count: Math.ceil(seconds / 10) * 10 };
  if (seconds < 55 * 60) return { unit: 'minutes', count: Math.max(1, Math.round(seconds / 60)) };
  return { unit: 'hours', count: Math.max(1, Math.round(seconds / 3600)) };
};
