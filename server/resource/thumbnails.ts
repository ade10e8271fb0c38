import type { Imaging } from '../dicom/imaging.ts';
import type { Urgency } from '../dicom/jobs.ts';
import type { FileStore } from '../storage/file-store.ts';
import type { DerivedCache } from './derived-cache.ts';

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
  /** The same of a stored jpg or png. @throws as `of` */
  ofPicture(sha256: string): Promise<Uint8Array>;
  /** Makes the thumbnail of an object that has just come in. @throws as `of` */
  prepare(sha256: string): Promise<void>;
}

interface ThumbnailParts {
  readonly files: FileStore;
  readonly imaging: Imaging;
  readonly cache: DerivedCache;
}

/** Equal requests at the same time share one decoding. */
export const createThumbnails = ({ files, imaging, cache }: ThumbnailParts): Thumbnails => {
  const version = `${maxEdge}-2`;
  const making = new Map<string, Promise<Uint8Array>>();
  const options = { maxEdge, format: 'jpeg' } as const;
  const nameOf = (sha256: string) => `${sha256}-${version}.jpg`;

  const shown =
    (draw: Imaging['thumbnail'], urgency: Urgency) =>
    async (sha256: string): Promise<Uint8Array> => {
      const name = nameOf(sha256);
      const cached = await cache.read(name);
      if (cached) return cached;
      const make = async () => {
        const { bytes } = await draw(await files.localPath(sha256), options, urgency);
        await cache.write(name, bytes);
        return bytes;
      };
      const made = making.get(name) ?? make().finally(() => making.delete(name));
      making.set(name, made);
      return made;
    };
  const prepared = shown(imaging.thumbnail, 'usual');

  return {
    version,
    of: shown(imaging.thumbnail, 'waited-for'),
    ofPicture: shown(imaging.pictureThumbnail, 'waited-for'),
    prepare: async (sha256) => {
      if (!(await cache.has(nameOf(sha256)))) await prepared(sha256);
    },
  };
};
