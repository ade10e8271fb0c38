const entriesOf = (reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> =>
  new Promise((resolve, reject) => {
    reader.readEntries(resolve, reject);
  });

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

const filesBelow = async (entry: FileSystemEntry): Promise<File[]> => {
  if (isFile(entry)) return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))];
  if (!isDirectory(entry)) return [];
  const reader = entry.createReader();
  const files: File[] = [];
  // A reader hands out at most 100 entries at a time; an empty answer is the end.
  for (let entries = await entriesOf(reader); entries.length > 0; entries = await entriesOf(reader))
    for (const inner of entries) files.push(...(await filesBelow(inner)));
  return files;
};

/** Files that the system keeps for itself, never images. */
const isSystemFile = (file: File) => /^(\.|Thumbs\.db$|desktop\.ini$)/i.test(file.name);

/** All files of what was dropped, folders opened to their depth. The entries must be taken before the first await. */
export const droppedFiles = async (transfer: DataTransfer): Promise<File[]> => {
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry?.() ?? null)
    .filter((entry) => entry !== null);
  const files = entries.length > 0 ? (await Promise.all(entries.map(filesBelow))).flat() : [...transfer.files];
  return files.filter((file) => !isSystemFile(file));
};

export const carriesFiles = (transfer: DataTransfer | null): boolean => transfer?.types.includes('Files') ?? false;
