import type { ImportFile } from '../../../contract/imports.ts';
import type { Failure } from '../../services/failure.ts';

/** A file that a person chose. `key` finds the file itself in the service that holds chosen files; no two files ever have the same. */
export interface ChosenFile {
  readonly key: string;
  /** Folders and name within what was chosen, parted by `/`. */
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
}

/** `lost`: the browser no longer has its bytes, a person must choose it again. */
export type UploadStatus = 'waiting' | 'uploaded' | 'refused' | 'lost';

/** A chosen file, and how far it was when it was put aside. */
export interface KeptFile extends ChosenFile {
  readonly status: UploadStatus;
  /** Why the archive did not take the file; it harms none of the others. */
  readonly failure: Failure | null;
}

export interface UploadFile extends KeptFile {
  readonly loadedBytes: number;
}

/** What happened to one file since the last news of it. */
export interface FileChange {
  readonly key: string;
  readonly loadedBytes?: number;
  readonly status?: UploadStatus;
  readonly failure?: Failure;
}

/** The files of an import on their way, with their sums: thousands of files are never counted anew for a change of one. */
export interface Upload {
  readonly files: readonly UploadFile[];
  /** Key -> place in `files`. */
  readonly places: Readonly<Record<string, number>>;
  readonly counts: Readonly<Record<UploadStatus, number>>;
  /** Of all files that are, or still may be, taken. */
  readonly loadedBytes: number;
  readonly totalBytes: number;
}

export const keptFileOf = (file: ChosenFile): KeptFile => ({ ...file, status: 'waiting', failure: null });

const loadedOf = ({ status, sizeBytes, loadedBytes }: UploadFile): number => {
  if (status === 'uploaded') return sizeBytes;
  return status === 'waiting' ? Math.min(loadedBytes, sizeBytes) : 0;
};
const totalOf = ({ status, sizeBytes }: UploadFile): number => (status === 'refused' ? 0 : sizeBytes);

/** Files from the beginning. A key that comes twice counts once. */
export const uploadOf = (files: readonly KeptFile[]): Upload => {
  const places: Record<string, number> = {};
  const counts = { waiting: 0, uploaded: 0, refused: 0, lost: 0 };
  const kept: UploadFile[] = [];
  let [loadedBytes, totalBytes] = [0, 0];
  for (const file of files) {
    if (places[file.key] !== undefined) continue;
    places[file.key] = kept.length;
    const one = { ...file, loadedBytes: 0 };
    kept.push(one);
    counts[one.status] += 1;
    loadedBytes += loadedOf(one);
    totalBytes += totalOf(one);
  }
  return { files: kept, places, counts, loadedBytes, totalBytes };
};

/** The same files after some changed. What was taken or refused stays so; changes of unknown files are nothing. */
export const withChanges = (upload: Upload, changes: readonly FileChange[]): Upload => {
  if (changes.length === 0) return upload;
  const files = upload.files.slice();
  const counts = { ...upload.counts };
  let { loadedBytes, totalBytes } = upload;
  for (const { key, ...change } of changes) {
    const place = upload.places[key];
    const file = place === undefined ? undefined : files[place];
    if (place === undefined || !file || file.status === 'uploaded' || file.status === 'refused') continue;
    const next: UploadFile = { ...file, ...change };
    files[place] = next;
    counts[file.status] -= 1;
    counts[next.status] += 1;
    loadedBytes += loadedOf(next) - loadedOf(file);
    totalBytes += totalOf(next) - totalOf(file);
  }
  return { files, places: upload.places, counts, loadedBytes, totalBytes };
};

const noFiles: readonly UploadFile[] = [];

export const filesThatAre = (upload: Upload, status: UploadStatus): readonly UploadFile[] =>
  upload.counts[status] === 0 ? noFiles : upload.files.filter((file) => file.status === status);

/** What of an import is to be sent anew: from the beginning, to another import. */
export const restOf = (upload: Upload): Upload =>
  uploadOf(upload.files.filter(({ status }) => status === 'waiting' || status === 'lost'));

const placeAndSize = ({ path, sizeBytes }: { readonly path: string; readonly sizeBytes: number }): string =>
  `${sizeBytes}/${path}`;

const counted = (keys: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

/**
 * Files that the archive has already need not be sent: the acknowledgement was lost, or another session sent them. Where two files are alike
 * by path and size, and not as many have arrived, both are sent: the archive tells them apart by their bytes.
 */
export const settledBy = (upload: Upload, found: readonly ImportFile[]): Upload => {
  if (found.length === 0 || upload.counts.waiting + upload.counts.lost === 0) return upload;
  const arrived = counted(found.filter(({ containerId }) => containerId === null).map(placeAndSize));
  const here = counted(upload.files.map(placeAndSize));
  const isThere = (file: UploadFile) => {
    const name = placeAndSize(file);
    return (arrived.get(name) ?? 0) >= (here.get(name) ?? 0);
  };
  const open = upload.files.filter((file) => (file.status === 'waiting' || file.status === 'lost') && isThere(file));
  return withChanges(
    upload,
    open.map(({ key }) => ({ key, status: 'uploaded' as const })),
  );
};

/**
 * Which of the chosen files are those that the browser lost: alike by path and size, or, where that is unmistakable, by name and size.
 * The lost file's key with the chosen file's place in `chosen`.
 */
export const foundAgain = (
  lost: readonly ChosenFile[],
  chosen: readonly { readonly path: string; readonly sizeBytes: number }[],
): readonly { readonly key: string; readonly index: number }[] => {
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  const byPath = new Map(chosen.map((file, index) => [placeAndSize(file), index]));
  const byName = new Map<string, number[]>();
  chosen.forEach(({ path, sizeBytes }, index) => {
    const name = placeAndSize({ path: nameOf(path), sizeBytes });
    byName.set(name, [...(byName.get(name) ?? []), index]);
  });
  const lostNames = counted(lost.map(({ name, sizeBytes }) => placeAndSize({ path: name, sizeBytes })));
  return lost.flatMap((file) => {
    const exact = byPath.get(placeAndSize(file));
    if (exact !== undefined) return [{ key: file.key, index: exact }];
    const name = placeAndSize({ path: file.name, sizeBytes: file.sizeBytes });
    const [index, ...others] = byName.get(name) ?? [];
    return index !== undefined && others.length === 0 && lostNames.get(name) === 1 ? [{ key: file.key, index }] : [];
  });
};

/** Files given to an import: those that were lost are there again, the others are new. */
export const withAdded = (upload: Upload, added: readonly ChosenFile[]): Upload => {
  const isKnown = ({ key }: ChosenFile) => upload.places[key] !== undefined;
  const again = added.filter((file) => isKnown(file)).map(({ key }) => ({ key, status: 'waiting' as const }));
  const fresh = added.filter((file) => !isKnown(file));
  const known = withChanges(
    upload,
    again.filter(({ key }) => upload.files[upload.places[key] ?? -1]?.status === 'lost'),
  );
  return fresh.length === 0 ? known : withLoaded(uploadOf([...known.files, ...fresh.map(keptFileOf)]), known);
};

/** Counting anew forgets how far the files are that are on their way. */
const withLoaded = (upload: Upload, before: Upload): Upload =>
  withChanges(
    upload,
    before.files.filter(({ loadedBytes }) => loadedBytes > 0).map(({ key, loadedBytes }) => ({ key, loadedBytes })),
  );

export const asPercent = (part: number, whole: number): number =>
  Math.min(100, whole > 0 ? Math.round((part / whole) * 100) : 100);

/** Of all files that are, or still may be, taken. */
export const uploadPercent = ({ files, counts, loadedBytes, totalBytes }: Upload): number =>
  counts.refused === files.length ? 0 : asPercent(loadedBytes, totalBytes);
