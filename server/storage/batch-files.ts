import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { FileBatch, FileStore, StoredFile } from './file-store.ts';
import { writeHashed } from './write-hashed.ts';

/** Returns the function that stores one file as a batch of its own. */
export const putBy =
  (openBatch: () => FileBatch): FileStore['put'] =>
  async (source, limitBytes) => {
    const batch = openBatch();
    try {
      const stored = await batch.add(source, limitBytes);
      await batch.keep();
      return stored;
    } finally {
      await batch.discard();
    }
  };

/** Writes a new file that need not be durable. @throws as `writeHashed` */
export const writeDraft = async (
  path: string,
  source: AsyncIterable<Uint8Array>,
  limitBytes: number,
  free: (chunk: Uint8Array) => void,
): Promise<StoredFile> => {
  const file = await open(path, 'wx');
  try {
    return await writeHashed(file, source, limitBytes, free);
  } finally {
    await file.close();
  }
};

/** Reads a draft of a batch. */
export const readDraft = (
  drafts: readonly { readonly path: string; readonly stored: StoredFile }[],
  stored: StoredFile,
): Readable => {
  const draft = drafts.find((one) => one.stored === stored);
  if (!draft) throw new Error('the batch does not have this file');
  return createReadStream(draft.path, { highWaterMark: 2 ** 18 });
};
