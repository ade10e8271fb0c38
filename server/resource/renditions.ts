import type { RenditionLevel } from '../../dicom/rendition/rendition.ts';
import type { Imaging } from '../dicom/imaging.ts';
import type { FileStore } from '../storage/file-store.ts';
import type { DerivedCache } from './derived-cache.ts';

/** Changes whenever renditions are made in another way, so that those on the disk count no more. */
const version = 1;

export interface Renditions {
  /**
   * One frame (from 1) of a stored object as `writeRendition` writes it; the full one where there is no reduced one. Where a slow syntax has not
   * been converted yet the object's own codestream is handed out, and the conversion is queued behind everything else.
   * @throws DicomProblem when there is no such frame or it cannot be decoded; StorageFault 'missing'
   */
  of(sha256: string, frame: number, level: RenditionLevel): Promise<Uint8Array>;
  /** Resolves when no conversion that somebody's asking has begun is queued or under way. */
  idle(): Promise<void>;
  /**
   * Makes what the viewer will ask for of the first frame, when there is nothing else to do. Nothing is kept where the file serves as well.
   * @throws as `of`
   */
  makeAhead(sha256: string, level: RenditionLevel): Promise<void>;
}

interface RenditionParts {
  readonly files: FileStore;
  readonly imaging: Imaging;
  readonly cache: DerivedCache;
  /** A conversion in the background failed; the object's own codestream goes on being handed out. */
  readonly onFailure: (error: unknown) => void;
}

/** Equal requests at the same time share one decoding. */
export const createRenditions = ({ files, imaging, cache, onFailure }: RenditionParts): Renditions => {
  const making = new Map<string, Promise<Uint8Array>>();
  const failed = new Set<string>();
  const converting = new Map<string, Promise<void>>();

  const nameOf = (sha256: string, frame: number, level: RenditionLevel) => `${sha256}-${frame}-${level}-${version}`;

  const keep = (sha256: string, frame: number, level: RenditionLevel, bytes: Uint8Array) =>
    cache.write(nameOf(sha256, frame, level), bytes);

  /** The full rendition, when there is nothing else to do. */
  const convert = (sha256: string, frame: number): Promise<void> => {
    const name = nameOf(sha256, frame, 'full');
    const work = async () => {
      const options = { frame: frame - 1, level: 'full', hasty: false } as const;
      const made = await imaging.rendition(await files.localPath(sha256), options, 'idle');
      if (made.worth === 'kept') await keep(sha256, frame, 'full', made.bytes);
    };
    const conversion = converting.get(name) ?? work().finally(() => converting.delete(name));
    converting.set(name, conversion);
    return conversion;
  };

  /** Nobody waits for the end. Once each when it fails: it would fail again. */
  const convertLater = (sha256: string, frame: number): void => {
    const name = nameOf(sha256, frame, 'full');
    if (failed.has(name)) return;
    convert(sha256, frame).catch((error) => {
      failed.add(name);
      onFailure(error);
    });
  };

  const make = async (sha256: string, frame: number, level: RenditionLevel): Promise<Uint8Array> => {
    const options = { frame: frame - 1, level, hasty: true };
    const made = await imaging.rendition(await files.localPath(sha256), options, 'waited-for');
    if (made.worth === 'kept') {
      // A full disk must not keep a picture from the person who waits for it.
      await keep(sha256, frame, made.level, made.bytes).catch(onFailure);
      return made.bytes;
    }
    if (made.worth === 'copy') return made.bytes;
    const kept = level === 'full' ? null : await cache.read(nameOf(sha256, frame, 'full'));
    if (kept) return kept;
    convertLater(sha256, frame);
    return made.bytes;
  };

  return {
    idle: async () => {
      while (converting.size > 0) await Promise.allSettled(converting.values());
    },
    makeAhead: async (sha256, level) => {
      if (await cache.has(nameOf(sha256, 1, level))) return;
      if (level === 'full') return convert(sha256, 1);
      const options = { frame: 0, level, hasty: true } as const;
      const made = await imaging.rendition(await files.localPath(sha256), options, 'idle');
      if (made.worth === 'kept') await keep(sha256, 1, made.level, made.bytes);
    },
    of: async (sha256, frame, level) => {
      const name = nameOf(sha256, frame, level);
      const cached = await cache.read(name);
      if (cached) return cached;
      const made = making.get(name) ?? make(sha256, frame, level).finally(() => making.delete(name));
      making.set(name, made);
      return made;
    },
  };
};
