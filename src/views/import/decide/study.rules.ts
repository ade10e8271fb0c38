import type { ImportFile, ImportStudy } from '../../../../contract/imports.ts';
import type { Template } from '../../../../contract/viewsets.ts';

/** Undecided, ready, excluded, or imported. */
export type StudyState = 'needs-decision' | 'ready' | 'left-out' | 'imported';

export const stateOf = (study: ImportStudy): StudyState => {
  if (study.decision.leftOut) return 'left-out';
  if (study.viewsetId !== null) return 'imported';
  return study.obstacles.length > 0 ? 'needs-decision' : 'ready';
};

/** A study that is excluded only so far can be included again. */
const taken: readonly ImportFile['status'][] = ['parsed', 'duplicate', 'imported', 'left-out'];

/** Returns the importable or already archived files of a study by acquisition time, then path. */
export const filesOf = (study: ImportStudy, files: readonly ImportFile[]): readonly ImportFile[] =>
  files
    .filter(({ studyKey, status }) => studyKey === study.key && taken.includes(status))
    .toSorted(
      (one, other) =>
        (one.acquiredAt ?? '9').localeCompare(other.acquiredAt ?? '9') ||
        one.path.localeCompare(other.path, undefined, { numeric: true }),
    );

/** Counts the files that were not archived when they were parsed; another import may have added them since. */
export const newAmong = (files: readonly ImportFile[]): number =>
  files.filter(({ status }) => status === 'parsed' || status === 'left-out').length;

/** JPEG and PNG have no modality; they become photographs (XC). */
const photographs: readonly string[] = ['XC'];

/**
 * Orders templates for a study: favourites first; within each group those of its modality, then those whose slot count is
 * closest to the number of files.
 */
export const templatesFor = (
  templates: readonly Template[],
  study: Pick<ImportStudy, 'kind' | 'modalities'>,
  files: number,
): readonly Template[] => {
  const own = study.kind === 'static' ? photographs : study.modalities;
  const strangeness = ({ isFavorite, modality, viewSetItems }: Template): number =>
    (isFavorite ? 0 : 1e6) + (own.includes(modality) ? 0 : 1e5) + Math.min(1e4, Math.abs(viewSetItems.length - files));
  return templates.toSorted((one, other) => strangeness(one) - strangeness(other));
};

/** Returns the key of the study to expand: the first undecided one, or the only one. */
export const firstToOpen = (studies: readonly ImportStudy[]): string | null =>
  (studies.find((study) => stateOf(study) === 'needs-decision') ?? (studies.length === 1 ? studies[0] : undefined))
    ?.key ?? null;

/** Returns the key of the next undecided study after the given one, wrapping around. */
export const nextToOpen = (studies: readonly ImportStudy[], key: string): string | null => {
  const at = studies.findIndex((study) => study.key === key);
  const others = [...studies.slice(at + 1), ...studies.slice(0, Math.max(0, at))];
  return others.find((study) => stateOf(study) === 'needs-decision')?.key ?? null;
};
