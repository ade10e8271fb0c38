/** A file of the browser, with its folders and name within what was chosen. */
export interface FileWithPath {
  readonly file: File;
  readonly path: string;
}

/** A chosen file as plain facts; the file itself stays here. */
export interface ChosenFileFacts {
  readonly key: string;
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
}

/** Holds the files that a person chose until the archive has them, so that nobody else needs to hold a File. */
export interface ChosenFiles {
  /** Each file gets a key that no other file ever has. */
  add(files: Iterable<FileWithPath>): readonly ChosenFileFacts[];
  /** A file that was lost is here again, under the key that it had. */
  put(key: string, file: File): void;
  get(key: string): File | null;
  release(keys: Iterable<string>): void;
  clear(): void;
}

export const createChosenFiles = (): ChosenFiles => {
  const held = new Map<string, File>();
  return {
    add: (files) =>
      [...files].map(({ file, path }) => {
        const key = crypto.randomUUID();
        held.set(key, file);
        return { key, path, name: file.name, sizeBytes: file.size };
      }),
    put: (key, file) => void held.set(key, file),
    get: (key) => held.get(key) ?? null,
    release: (keys) => {
      for (const key of keys) held.delete(key);
    },
    clear: () => held.clear(),
  };
};
