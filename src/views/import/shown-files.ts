import type { FileProblem, FileStatus, ImportFile } from '../../../contract/imports.ts';
import type { UploadFile } from '../../machines/import-study/upload.rules.ts';
import type { LeftOut } from './groups.ts';
import { isPictureless } from './shown-import.ts';

/** A file as its line shows it. `not-sent`: it never left this machine; `lost`: its bytes are to be chosen again. */
export interface ShownFile {
  readonly key: string;
  /** Folders and name, parted by `/`. */
  readonly path: string;
  readonly status: 'waiting' | 'lost' | 'not-sent' | FileStatus;
  readonly problem: FileProblem | LeftOut['why'] | null;
  /** Why the archive did not take its upload; null when it did. */
  readonly failure: UploadFile['failure'];
}

const severity: Readonly<Record<ShownFile['status'], number>> = {
  refused: 0,
  lost: 1,
  duplicate: 2,
  'left-out': 3,
  'not-sent': 4,
  ignored: 5,
  waiting: 6,
  received: 7,
  unpacked: 8,
  parsed: 9,
  imported: 10,
};

/** What a person should look at: it did not come in and was meant to, or came without its picture. */
export const isProblem = (file: ShownFile): boolean => {
  const { status, problem } = file;
  const came = status !== 'refused' && status !== 'lost' && problem !== 'unreadable' && problem !== 'file-missing';
  return !came || isPictureless(file);
};

const ofUpload = ({ key, path, status, failure }: UploadFile): ShownFile => ({
  ...{ key, path, failure },
  status: status === 'uploaded' ? 'received' : status,
  problem: null,
});

const ofFound = (file: ImportFile, containers: ReadonlyMap<string, string>): ShownFile => {
  const container = file.containerId === null ? undefined : containers.get(file.containerId);
  return {
    key: file.id,
    path: container ? `${container}/${file.path}` : file.path,
    ...{ status: file.status, problem: file.problem, failure: null },
  };
};

/**
 * All files of an import, those with a problem first. While they are sent the browser knows more than the archive; afterwards the archive
 * does, except of files that it never took.
 */
export const shownFiles = (
  uploads: readonly UploadFile[],
  found: readonly ImportFile[],
  leftOut: readonly LeftOut[],
  uploading: boolean,
): readonly ShownFile[] => {
  const containers = new Map(found.map(({ id, path }) => [id, path]));
  const own = uploading || found.length === 0 ? uploads : uploads.filter(({ status }) => status !== 'uploaded');
  const arrived = uploading && uploads.length > 0 ? [] : found;
  return [
    ...own.map(ofUpload),
    ...arrived.map((file) => ofFound(file, containers)),
    ...leftOut.map(
      ({ path, why }): ShownFile => ({
        ...{ key: `not-sent/${path}`, path, status: 'not-sent', problem: why, failure: null },
      }),
    ),
  ].toSorted((one, other) => severity[one.status] - severity[other.status]);
};

export const sameFiles = (one: readonly ShownFile[], other: readonly ShownFile[]): boolean =>
  one.length === other.length &&
  one.every((file, index) => {
    const there = other[index];
    return there?.key === file.key && there.status === file.status && there.problem === file.problem;
  });
