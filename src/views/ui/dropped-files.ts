/** A file with its path within the selection: folders and name separated by `/`. */
export interface PlacedFile {
  readonly file: File;
  readonly path: string;
}

export interface FilesRead {
  readonly files: readonly PlacedFile[];
  /** Folders and files that the browser could not open. */
  readonly unreadable: readonly string[];
  /** Top-level folders without files. */
  readonly emptyFolders: readonly string[];
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

const entriesOf = (reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> =>
  new Promise((resolve, reject) => {
    reader.readEntries(resolve, reject);
  });
const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => {
    entry.file(resolve, reject);
  });

const withoutSlash = (path: string) => path.replace(/^\/+/, '');
const topOf = (path: string) => path.split('/')[0] ?? path;

/** Longest task in milliseconds before yielding to rendering. */
const sliceMs = 12;

const createBreather = () => {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceMs) return;
    await new Promise<void>((resolve) => setTimeout(resolve));
    since = performance.now();
  };
};

/**
 * Reads dropped files and folders recursively in batches, yielding to rendering. Entries that cannot be opened are
 * reported and skipped. `onCount` is called with the number of files found so far.
 */
export const filesOfEntries = async (
  entries: readonly FileSystemEntry[],
  onCount: (count: number) => void = () => {},
): Promise<FilesRead> => {
  const files: PlacedFile[] = [];
  const unreadable: string[] = [];
  const breathe = createBreather();
  const open: FileSystemEntry[] = entries.toReversed();

  const takeFiles = async (batch: readonly FileSystemFileEntry[]) => {
    const taken = await Promise.allSettled(batch.map(fileOf));
    for (const [index, result] of taken.entries()) {
      const path = withoutSlash(batch[index]?.fullPath ?? '');
      if (result.status === 'fulfilled') files.push({ file: result.value, path: path || result.value.name });
      else unreadable.push(path);
    }
    onCount(files.length);
  };

  for (let entry = open.pop(); entry; entry = open.pop()) {
    if (isFile(entry)) await takeFiles([entry]);
    if (!isDirectory(entry)) continue;
    const reader = entry.createReader();
    const folders: FileSystemEntry[] = [];
    try {
      // A directory reader returns at most 100 entries per call; an empty result is the end.
      for (let inner = await entriesOf(reader); inner.length > 0; inner = await entriesOf(reader)) {
        await takeFiles(inner.filter(isFile));
        folders.push(...inner.filter(isDirectory));
        await breathe();
      }
    } catch {
      unreadable.push(withoutSlash(entry.fullPath));
    }
    open.push(...folders.reverse());
  }
  const seen = new Set([...files.map(({ path }) => topOf(path)), ...unreadable.map(topOf)]);
  return {
    files,
    unreadable,
    emptyFolders: entries.filter((entry) => isDirectory(entry) && !seen.has(entry.name)).map(({ name }) => name),
  };
};

/** Returns the files of a file dialog, with their paths in a folder. */
export const filesOfDialog = (files: readonly File[]): FilesRead => ({
  files: files.map((file) => ({ file, path: withoutSlash(file.webkitRelativePath || file.name) })),
  unreadable: [],
  emptyFolders: [],
});

/** Returns all dropped files. The entries are read before the first await, because the browser clears them afterwards. */
export const droppedFiles = (transfer: DataTransfer, onCount?: (count: number) => void): Promise<FilesRead> => {
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry?.() ?? null)
    .filter((entry) => entry !== null);
  return entries.length > 0 ? filesOfEntries(entries, onCount) : Promise.resolve(filesOfDialog([...transfer.files]));
};

export const hasDraggedFiles = (transfer: DataTransfer | null): boolean => transfer?.types.includes('Files') ?? false;
