import type { ImportFile, ImportStudy } from '../../../../contract/imports.ts';
import type { Template } from '../../../../contract/viewsets.ts';

/** Waits for a person; goes in as it is; not wanted; is in. */
export type StudyState = 'asks' | 'ready' | 'left-out' | 'imported';

export const stateOf = (study: ImportStudy): StudyState => {
  if (study.decision.leftOut) return 'left-out';
  if (study.viewsetId !== null) return 'imported';
  return study.obstacles.length > 0 ? 'asks' : 'ready';
};

/** Left out until now: its study may be taken in again. */
const taken: readonly ImportFile['status'][] = ['parsed', 'duplicate', 'imported', 'left-out'];

/** The files of a study that can be imported, or are in the archive already; by moment of acquisition, then by path. */
export const filesOf = (study: ImportStudy, files: readonly ImportFile[]): readonly ImportFile[] =>
  files
    .filter(({ studyKey, status }) => studyKey === study.key && taken.includes(status))
    .toSorted(
      (one, other) =>
        (one.acquiredAt ?? '9').localeCompare(other.acquiredAt ?? '9') ||
        one.path.localeCompare(other.path, undefined, { numeric: true }),
    );

/** Files that the archive did not have when they were read; another import may have brought them since. */
export const newAmong = (files: readonly ImportFile[]): number =>
  files.filter(({ status }) => status === 'parsed' || status === 'left-out').length;

/** A jpg or png says nothing of its kind; it becomes a photograph. */
const photographs: readonly string[] = ['XC'];

/**
 * Templates as they suit a study: favourites in front; among them and among the rest those of its modality, then those with about as many
 * slots as it has files.
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

/** The study that a person is led to: the first that waits for one; a single study in any case. */
export const firstToOpen = (studies: readonly ImportStudy[]): string | null =>
  (studies.find((study) => stateOf(study) === 'asks') ?? (studies.length === 1 ? studies[0] : undefined))?.key ?? null;

/** The next study after one, from the top again, that waits for a person. */
export const nextToOpen = (studies: readonly ImportStudy[], key: string): string | null => {
  const at = studies.findIndex((study) => study.key === key);
  const others = [...studies.slice(at + 1), ...studies.slice(0, Math.max(0, at))];
  return others.find((study) => stateOf(study) === 'asks')?.key ?? null;
};
