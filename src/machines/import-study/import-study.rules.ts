import type { HubEvent } from '../../../contract/hub.ts';
import type { ImportFile, ImportTask } from '../../../contract/imports.ts';
import type { Failure } from '../../services/failure.ts';

/** A file that a person chose. `key` finds the file itself in the service that holds chosen files. */
export interface ChosenFile {
  readonly key: string;
  readonly name: string;
  readonly sizeBytes: number;
}

export interface UploadFile extends ChosenFile {
  readonly loadedBytes: number;
  readonly status: 'waiting' | 'uploaded' | 'refused';
  /** Why the archive did not take the file; it harms none of the others. */
  readonly failure: Failure | null;
}

export const uploadFileOf = ({ key, name, sizeBytes }: ChosenFile): UploadFile => ({
  key,
  name,
  sizeBytes,
  loadedBytes: 0,
  status: 'waiting',
  failure: null,
});

export const withFile = (
  files: readonly UploadFile[],
  key: string,
  change: Partial<Pick<UploadFile, 'loadedBytes' | 'status' | 'failure'>>,
): readonly UploadFile[] => files.map((file) => (file.key === key ? { ...file, ...change } : file));

export const waitingFiles = (files: readonly UploadFile[]): readonly UploadFile[] =>
  files.filter(({ status }) => status === 'waiting');

/** What of an import is to be sent anew: from the beginning, to another import. */
export const restOf = (files: readonly UploadFile[]): readonly UploadFile[] => waitingFiles(files).map(uploadFileOf);

export const anyUploaded = (files: readonly UploadFile[]): boolean => files.some(({ status }) => status === 'uploaded');

const asPercent = (part: number, whole: number) => Math.min(100, whole > 0 ? Math.round((part / whole) * 100) : 100);

/** Of one file: loaded over total, rounded. Headers of the request count as loaded, hence the limit. */
export const filePercent = ({ loadedBytes, sizeBytes, status }: UploadFile): number =>
  status === 'uploaded' ? 100 : asPercent(loadedBytes, sizeBytes);

/** Of all files that are, or still may be, taken. */
export const uploadPercent = (files: readonly UploadFile[]): number => {
  const counted = files.filter(({ status }) => status !== 'refused');
  const loaded = counted.reduce(
    (sum, file) => sum + (file.status === 'uploaded' ? file.sizeBytes : Math.min(file.loadedBytes, file.sizeBytes)),
    0,
  );
  return counted.length === 0
    ? 0
    : asPercent(
        loaded,
        counted.reduce((sum, file) => sum + file.sizeBytes, 0),
      );
};

/** Of an import that another session sends: files that have arrived. */
export const arrivedPercent = (found: readonly ImportFile[], expected: number): number =>
  expected === 0 ? 0 : asPercent(found.length, expected);

/** Files that the archive can take, or has already. */
const isHeldOrTakeable = ({ status }: ImportFile) => status !== 'received' && status !== 'refused';

export const nothingImportable = (found: readonly ImportFile[]): boolean => !found.some(isHeldOrTakeable);

/** Files that name somebody else than the chosen patient: a person must look before they are imported. */
export const mismatches = (found: readonly ImportFile[]): readonly ImportFile[] =>
  found.filter((file) => file.status === 'parsed' && file.patient?.match === 'differs');

/** Broken files, each with its problem. */
export const refusedFiles = (found: readonly ImportFile[]): readonly ImportFile[] =>
  found.filter(({ status }) => status === 'refused');

/** What the archive's news mean for one import. `outcome`: it succeeded or not, the truth is to be fetched. */
export type Report =
  | { type: 'preparing.reported'; taskId: string }
  | { type: 'progress.reported'; taskId: string; step: ImportTask['step']; percent: number }
  | { type: 'outcome.reported'; taskId: string };

/** Hub news as a report about an import; null for news about pictures. */
export const reportOf = (news: HubEvent): Report | null => {
  switch (news.name) {
    case 'preparing':
      return { type: 'preparing.reported', taskId: news.body.taskId };
    case 'progress':
      return { type: 'progress.reported', ...news.body };
    case 'parsed':
    case 'imported':
      return { type: 'outcome.reported', taskId: news.body.result.taskId };
    default:
      return null;
  }
};
