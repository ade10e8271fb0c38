/** A chosen file as plain facts; the file itself stays here. */
export interface ChosenFileFacts {
  readonly key: string;
  readonly name: string;
  readonly sizeBytes: number;
}

/** Holds the files that a person chose until the archive has them, so that nobody else needs to hold a File. */
export interface ChosenFiles {
  add(files: Iterable<File>): readonly ChosenFileFacts[];
  get(key: string): File | null;
  release(keys: Iterable<string>): void;
  clear(): void;
}

export const createChosenFiles = (): ChosenFiles => {
  const held = new Map<string, File>();
  let count = 0;
  return {
    add: (files) =>
      [...files].map((file) => {
        count += 1;
        const key = `file-${count}`;
        held.set(key, file);
        return { key, name: file.name, sizeBytes: file.size };
      }),
    get: (key) => held.get(key) ?? null,
    release: (keys) => {
      for (const key of keys) held.delete(key);
    },
    clear: () => held.clear(),
  };
};
