import type { Imaging } from '../dicom/imaging.ts';
import type { FileStore } from '../storage/file-store.ts';
import type { ThumbnailCache } from './thumbnail-cache.ts';

/** Longest edge in pixels. */
const maxEdge = 400;

export interface Thumbnails {
  /** Changes whenever the pictures are made in another way. */
  readonly version: string;
  /**
   * The thumbnail (JPEG) of a stored object: from the cache, or made now.
   * @throws DicomProblem when no picture can be made of it; StorageFault 'missing'
   */
  of(sha256: string): Promise<Uint8Array>;
}

/** Equal requests at the same time share one decoding. */
export const createThumbnails = (files: FileStore, imaging: Imaging, cache: ThumbnailCache): Thumbnails => {
  const version = `${maxEdge}-1`;
  const making = new Map<string, Promise<Uint8Array>>();

  const make = async (sha256: string, name: string): Promise<Uint8Array> => {
    const { bytes } = await imaging.thumbnail(await files.localPath(sha256), { maxEdge, format: 'jpeg' });
    await cache.write(name, bytes);
    return bytes;
  };

  return {
    version,
    of: async (sha256) => {
      const name = `${sha256}-${version}.jpg`;
      const cached = await cache.read(name);
      if (cached) return cached;
      const made = making.get(name) ?? make(sha256, name).finally(() => making.delete(name));
      making.set(name, made);
      return made;
    },
  };
};
