import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Small pictures by name, in a folder that may be emptied at any time. */
export interface ThumbnailCache {
  read(name: string): Promise<Buffer | null>;
  write(name: string, bytes: Uint8Array): Promise<void>;
}

/** Files are renamed into place, so that a reader never sees half a picture; they are not synced, as they can be made again. */
export const openThumbnailCache = (root: string): ThumbnailCache => {
  const pathOf = (name: string) => path.join(root, name.slice(0, 2), name);
  return {
    read: async (name) => {
      const bytes = await readFile(pathOf(name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      // A power cut may leave an empty file under the right name.
      return bytes && bytes.byteLength > 0 ? bytes : null;
    },
    write: async (name, bytes) => {
      const target = pathOf(name);
      const draft = `${target}.${randomUUID()}`;
      await mkdir(path.dirname(target), { recursive: true });
      try {
        await writeFile(draft, bytes);
        await rename(draft, target);
      } catch (error) {
        await unlink(draft).catch(() => undefined);
        throw error;
      }
    },
  };
};
