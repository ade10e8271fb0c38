import type { FileToRead, Imaging } from '../dicom/imaging.ts';
import type { FileErrors } from '../integrity/file-errors.ts';
import type { FileStore } from '../storage/file-store.ts';

type OfStoredFile<Draw extends (file: FileToRead, ...rest: never[]) => unknown> = Draw extends (
  file: FileToRead,
  ...rest: infer Rest
) => infer Made
  ? (sha256: string, ...rest: Rest) => Made
  : never;

/** Imaging of stored files by hash. A damaged or missing file is recorded. @throws StorageError 'damaged', 'missing' */
export type StoredImaging = {
  readonly [Name in
    | 'thumbnail'
    | 'pictureThumbnail'
    | 'rendition'
    | 'frame'
    | 'renderedFrame'
    | 'encapsulatedPdf'
    | 'storedVideo']: OfStoredFile<Imaging[Name]>;
};

/** The decoded bytes are the same ones that were verified against the hash. */
export const createStoredImaging = (files: FileStore, imaging: Imaging, fileErrors: FileErrors): StoredImaging => {
  const stored = async (sha256: string): Promise<FileToRead> => ({ path: await files.localPath(sha256), sha256 });
  return {
    thumbnail: (sha256, ...rest) =>
      fileErrors.watch(sha256, async () => imaging.thumbnail(await stored(sha256), ...rest)),
    pictureThumbnail: (sha256, ...rest) =>
      fileErrors.watch(sha256, async () => imaging.pictureThumbnail(await stored(sha256), ...rest)),
    rendition: (sha256, ...rest) =>
      fileErrors.watch(sha256, async () => imaging.rendition(await stored(sha256), ...rest)),
    frame: (sha256, ...rest) => fileErrors.watch(sha256, async () => imaging.frame(await stored(sha256), ...rest)),
    renderedFrame: (sha256, ...rest) =>
      fileErrors.watch(sha256, async () => imaging.renderedFrame(await stored(sha256), ...rest)),
    encapsulatedPdf: (sha256, ...rest) =>
      fileErrors.watch(sha256, async () => imaging.encapsulatedPdf(await stored(sha256), ...rest)),
    storedVideo: (sha256, ...rest) =>
      fileErrors.watch(sha256, async () => imaging.storedVideo(await stored(sha256), ...rest)),
  };
};
