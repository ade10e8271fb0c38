import type { ImportFile } from '../../../contract/imports.ts';
import type { Failure } from '../../services/failure.ts';

/** A chosen file. The unique `key` finds its bytes in the service that holds chosen files. */
export interface ChosenFile {
  readonly key: string;
  /** Path within the chosen folder, separated by `/`. */
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
}

/** A file that is not uploaded: not an image by its name, or unreadable. */
export interface SkippedFile {
  readonly path: string;
  readonly why: 'no-image' | 'unreadable';
}

/** `lost`: the browser no longer has the bytes; the user must choose the file again. */
export type UploadStatus = 'waiting' | 'uploaded' | 'refused' | 'lost';

/** A chosen file with its upload status when it was stored. */
export interface StoredFile extends ChosenFile {
  readonly status: UploadStatus;
  /** Why the archive rejected the file; other files are not affected. */
  readonly failure: Failure | null;
}

export interface UploadFile extends StoredFile {
  readonly loadedBytes: number;
}

/** Change of one file since the last event. */
export interface FileChange {
  readonly key: string;
  readonly loadedBytes?: number;
  readonly status?: UploadStatus;
  readonly failure?: Failure;
}

/** Files of an upload with their sums, so that a change of one file does not count thousands again. */
export interface Upload {
  readonly files: readonly UploadFile[];
  /** Key to index in `files`. */
  readonly places: Readonly<Record<string, number>>;
  readonly counts: Readonly<Record<UploadStatus, number>>;
  /** Of all files except rejected ones. */
  readonly loadedBytes: number;
  readonly totalBytes: number;
}

export const storedFileOf = (file: ChosenFile): StoredFile => ({ ...file, status: 'waiting', failure: null });

const loadedOf = ({ status, sizeBytes, loadedBytes }: UploadFile): number => {
  if (status === 'uploaded') return sizeBytes;
  return status === 'waiting' ? Math.min(loadedBytes, sizeBytes) : 0;
};
const totalOf = ({ status, sizeBytes }: UploadFile): number => (status === 'refused' ? 0 : sizeBytes);

/** Creates an upload of files without progress. Duplicate keys count once. */
export const uploadOf = (files: readonly StoredFile[]): Upload => {
  const places: Record<string, number> = {};
  const counts = { waiting: 0, uploaded: 0, refused: 0, lost: 0 };
  const unique: UploadFile[] = [];
  let [loadedBytes, totalBytes] = [0, 0];
  for (const file of files) {
    if (places[file.key] !== undefined) continue;
    places[file.key] = unique.length;
    const one = { ...file, loadedBytes: 0 };
    unique.push(one);
    counts[one.status] += 1;
    loadedBytes += loadedOf(one);
    totalBytes += totalOf(one);
  }
  return { files: unique, places, counts, loadedBytes, totalBytes };
};

/** Applies changes to files. Uploaded and rejected files stay unchanged; unknown keys are ignored. */
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

export const filesWithStatus = (upload: Upload, status: UploadStatus): readonly UploadFile[] =>
  upload.counts[status] === 0 ? noFiles : upload.files.filter((file) => file.status === status);

/** Returns the files that are still to be sent, without progress, for a new import. */
export const remainingUpload = (upload: Upload): Upload =>
  uploadOf(upload.files.filter(({ status }) => status === 'waiting' || status === 'lost'));

const pathAndSize = ({ path, sizeBytes }: { readonly path: string; readonly sizeBytes: number }): string =>
  `${sizeBytes}/${path}`;

const counted = (keys: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

/**
 * Marks files as uploaded that the archive already has (lost acknowledgement, or another session). If several files share path and
 * size and fewer have arrived, all of them are sent: the archive distinguishes them by content.
 */
export const markUploaded = (upload: Upload, found: readonly ImportFile[]): Upload => {
  if (found.length === 0 || upload.counts.waiting + upload.counts.lost === 0) return upload;
  const arrived = counted(found.filter(({ containerId }) => containerId === null).map(pathAndSize));
  const here = counted(upload.files.map(pathAndSize));
  const hasArrived = (file: UploadFile) => {
    const name = pathAndSize(file);
    return (arrived.get(name) ?? 0) >= (here.get(name) ?? 0);
  };
  const open = upload.files.filter((file) => (file.status === 'waiting' || file.status === 'lost') && hasArrived(file));
  return withChanges(
    upload,
    open.map(({ key }) => ({ key, status: 'uploaded' as const })),
  );
};

/**
 * Matches chosen files to lost files: by path and size, or by name and size where that is unambiguous.
 * Returns the key of the lost file with the index of the chosen file.
 */
export const matchLostFiles = (
  lost: readonly ChosenFile[],
  chosen: readonly { readonly path: string; readonly sizeBytes: number }[],
): readonly { readonly key: string; readonly index: number }[] => {
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  const byPath = new Map(chosen.map((file, index) => [pathAndSize(file), index]));
  const byName = new Map<string, number[]>();
  chosen.forEach(({ path, sizeBytes }, index) => {
    const name = pathAndSize({ path: nameOf(path), sizeBytes });
    byName.set(name, [...(byName.get(name) ?? []), index]);
  });
  const lostNames = counted(lost.map(({ name, sizeBytes }) => pathAndSize({ path: name, sizeBytes })));
  return lost.flatMap((file) => {
    const exact = byPath.get(pathAndSize(file));
    if (exact !== undefined) return [{ key: file.key, index: exact }];
    const name = pathAndSize({ path: file.name, sizeBytes: file.sizeBytes });
    const [index, ...others] = byName.get(name) ?? [];
    return index !== undefined && others.length === 0 && lostNames.get(name) === 1 ? [{ key: file.key, index }] : [];
  });
};

/** Adds files to an upload: lost files wait again, others are new. */
export const withAdded = (upload: Upload, added: readonly ChosenFile[]): Upload => {
  const isKnown = ({ key }: ChosenFile) => upload.places[key] !== undefined;
  const again = added.filter((file) => isKnown(file)).map(({ key }) => ({ key, status: 'waiting' as const }));
  const fresh = added.filter((file) => !isKnown(file));
  const merged = withChanges(
    upload,
    again.filter(({ key }) => upload.files[upload.places[key] ?? -1]?.status === 'lost'),
  );
  return fresh.length === 0 ? merged : withLoaded(uploadOf([...merged.files, ...fresh.map(storedFileOf)]), merged);
};

/** Restores the progress of files being sent, which `uploadOf` resets. */
const withLoaded = (upload: Upload, before: Upload): Upload =>
  withChanges(
    upload,
    before.files.filter(({ loadedBytes }) => loadedBytes > 0).map(({ key, loadedBytes }) => ({ key, loadedBytes })),
  );

export const asPercent = (part: number, whole: number): number =>
  Math.min(100, whole > 0 ? Math.round((part / whole) * 100) : 100);

/** Returns the progress over all files except rejected ones. */
export const uploadPercent = ({ files, counts, loadedBytes, totalBytes }: Upload): number =>
  counts.refused === files.length ? 0 : asPercent(loadedBytes, totalBytes);
