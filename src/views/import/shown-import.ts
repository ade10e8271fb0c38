import type { ImportFile, ImportKind, ImportStep, ImportStudy } from '../../../contract/imports.ts';

export const stepOrder: readonly ImportStep[] = [
  'uploading',
  'preparing',
  'parsing',
  'validation',
  'importing',
  'done',
];

/** How an import stands, for a person. `asks`: it goes on when somebody has decided. */
export type Outcome = 'running' | 'paused' | 'asks' | 'failed' | 'done';

export interface Whom {
  readonly id: string;
  readonly name: string;
}

/** Where images of an import went. */
export interface Destination extends Whom {
  /** The study that they came into, and its mount; null where there is none. */
  readonly studyUid: string | null;
  readonly viewsetId: string | null;
  readonly images: number;
}

/** What became of the files; those of a zip count, the zip does not. */
export interface Counts {
  /** All that was to become an image: everything but zips, what a disc holds beside its images, and what a person left out. */
  readonly candidates: number;
  readonly imported: number;
  readonly duplicates: number;
  readonly refused: number;
  /** Came in, or can, though there is no picture to see in them. */
  readonly pictureless: number;
  /** Not wanted by a person. */
  readonly leftOut: number;
  readonly ignored: number;
  /** The first names of what was not taken. */
  readonly refusedNames: readonly string[];
}

export const mostNames = 3;

/** Its class, or its name, promises an image; what is wrong with it stands beside it. */
export const isPictureless = ({
  status,
  problem,
}: {
  readonly status: string;
  readonly problem: string | null;
}): boolean => (status === 'parsed' || status === 'imported') && problem !== null;

/** What became of the archive's files, and of those that it never took (`refusedHere`, by name). */
export const countsOf = (found: readonly ImportFile[], refusedHere: readonly string[]): Counts => {
  const count = (status: ImportFile['status']) => found.filter((file) => file.status === status).length;
  const [ignored, leftOut] = [count('ignored'), count('left-out')];
  const names = [...refusedHere, ...found.filter(({ status }) => status === 'refused').map(({ fileName }) => fileName)];
  return {
    candidates: found.length - ignored - leftOut - count('unpacked') + refusedHere.length,
    imported: count('imported'),
    duplicates: count('duplicate'),
    refused: names.length,
    pictureless: found.filter(isPictureless).length,
    leftOut,
    ignored,
    refusedNames: names.slice(0, mostNames),
  };
};

export const sameCounts = (one: Counts, other: Counts): boolean =>
  one.candidates === other.candidates &&
  one.imported === other.imported &&
  one.duplicates === other.duplicates &&
  one.refused === other.refused &&
  one.pictureless === other.pictureless &&
  one.leftOut === other.leftOut &&
  one.ignored === other.ignored &&
  one.refusedNames.join('/') === other.refusedNames.join('/');

/** Whom the studies that are wanted go to, each once. */
export const peopleOf = (studies: readonly ImportStudy[]): readonly Whom[] => {
  const people = new Map<string, Whom>();
  for (const { patient, decision } of studies)
    if (patient && !decision.leftOut)
      people.set(patient.id, { id: patient.id, name: `${patient.firstName} ${patient.lastName}` });
  return [...people.values()];
};

/** Where images came in, study by study. */
export const destinationsOf = (studies: readonly ImportStudy[], found: readonly ImportFile[]): readonly Destination[] =>
  studies.flatMap(({ key, kind, patient, decision, viewsetId }) => {
    const images = found.filter(({ studyKey, status }) => studyKey === key && status === 'imported').length;
    if (!patient || decision.leftOut || images === 0) return [];
    const studyUid = kind === 'dicom' ? key : decision.studyUid;
    return [{ id: patient.id, name: `${patient.firstName} ${patient.lastName}`, studyUid, viewsetId, images }];
  });

/** Where one sees them: the mount, or the patient. */
export const destinationPath = ({ id, studyUid, viewsetId }: Destination): string =>
  ['/patient', id, ...(studyUid && viewsetId ? [studyUid, viewsetId] : [])].join('/');

/** Why an import cannot be confirmed: each reason with the number of studies that it holds up. */
type Obstacle = ImportStudy['obstacles'][number];

export type Reason = { readonly why: Obstacle | 'all-left-out'; readonly studies: number };

export const reasonsOf = (studies: readonly ImportStudy[]): readonly Reason[] => {
  const wanted = studies.filter(({ decision }) => !decision.leftOut);
  if (wanted.length === 0) return studies.length > 0 ? [{ why: 'all-left-out', studies: studies.length }] : [];
  const counted = new Map<Obstacle, number>();
  for (const { obstacles } of wanted) for (const why of obstacles) counted.set(why, (counted.get(why) ?? 0) + 1);
  return [...counted].map(([why, held]) => ({ why, studies: held }));
};

/** What a person would call it. */
export const kindName = (kind: ImportKind, name: string): ImportKind | 'zip' =>
  kind === 'dicomdir' && /\.zip$/i.test(name) ? 'zip' : kind;

export type Duration = { readonly unit: 'moments' | 'seconds' | 'minutes' | 'hours'; readonly count: number };

/** How long `bytes` take at `speed` (bytes a second), as coarse as one can know it; null when nothing is known. */
export const timeLeft = (bytes: number, speed: number | null): Duration | null => {
  if (speed === null || speed <= 0 || bytes <= 0) return null;
  const seconds = bytes / speed;
  if (seconds < 10) return { unit: 'moments', count: 1 };
  if (seconds < 55) return { unit: 'seconds', count: Math.ceil(seconds / 10) * 10 };
  if (seconds < 55 * 60) return { unit: 'minutes', count: Math.max(1, Math.round(seconds / 60)) };
  return { unit: 'hours', count: Math.max(1, Math.round(seconds / 3600)) };
};
