import type { Urgency } from '../dicom/imaging.ts';
import type { DerivedCache } from './derived-cache.ts';
import type { StoredImaging } from './stored-imaging.ts';

/** Longest edge in pixels. */
const maxEdge = 400;

export interface Thumbnails {
  /**
   * Returns the thumbnail (JPEG) of a stored object, from the cache or newly made.
   * @throws DicomProblem when no picture can be made; StorageError 'missing', 'damaged'
   */
  of(sha256: string): Promise<Uint8Array>;
  /** Returns the thumbnail of a stored picture. @throws as `of` */
  ofPicture(sha256: string): Promise<Uint8Array>;
  /** Makes the thumbnail of a newly imported object. @throws as `of` */
  prepare(sha256: string): Promise<void>;
}

interface ThumbnailParts {
  readonly imaging: StoredImaging;
  readonly cache: DerivedCache;
}

/** Concurrent equal requests share one decoding. */
export const createThumbnails = ({ imaging, cache }: ThumbnailParts): Thumbnails => {
  /** Changes when thumbnails are rendered differently, which invalidates the cache. */
  const version = `${maxEdge}-3`;
  const making = new Map<string, Promise<Uint8Array>>();
  const options = { maxEdge, format: 'jpeg' } as const;
  const nameOf = (sha256: string) => `${sha256}-${version}.jpg`;

  const shown =
    (draw: StoredImaging['thumbnail'], urgency: Urgency) =>
    async (sha256: string): Promise<Uint8Array> => {
      const name = nameOf(sha256);
      const cached = await cache.read(name);
      if (cached) return cached;
      const make = async () => {
        const { bytes } = await draw(sha256, options, urgency);
        await cache.write(name, bytes);
        return bytes;
      };
      const made = making.get(name) ?? make().finally(() => making.delete(name));
      making.set(name, made);
      return made;
    };
  const prepared = shown(imaging.thumbnail, 'usual');

  return {
    of: shown(imaging.thumbnail, 'waited-for'),
    ofPicture: shown(imaging.pictureThumbnail, 'waited-for'),
    prepare: async (sha256) => {
      if (!(await cache.has(nameOf(sha256)))) await prepared(sha256);
    },
  };
};
