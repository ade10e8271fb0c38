import type { RenditionLevel } from '../../dicom/rendition/rendition.ts';
import { StorageError } from '../storage/file-store.ts';
import type { DerivedCache } from './derived-cache.ts';
import type { StoredImaging } from './stored-imaging.ts';

/** Changes when the encoding of renditions changes, which invalidates the cache. */
const version = 5;

export interface Renditions {
  /**
   * Returns one frame (from 1) of a stored object as `writeRendition` writes it; the full one where there is no reduced one. Until a slow
   * syntax is converted, the object's own codestream is returned, and a low-priority conversion is queued.
   * @throws DicomProblem when the frame does not exist or cannot be decoded; StorageError 'missing', 'damaged'
   */
  of(sha256: string, frame: number, level: RenditionLevel): Promise<Uint8Array>;
  /** Resolves when no conversion started by a request is queued or running. */
  idle(): Promise<void>;
  /**
   * Prepares the renditions of the first frame at low priority. Nothing is cached where the file itself serves as well.
   * @throws as `of`
   */
  makeAhead(sha256: string, level: RenditionLevel): Promise<void>;
}

interface RenditionParts {
  readonly imaging: StoredImaging;
  readonly cache: DerivedCache;
  /** Called when a background conversion failed; the object's own codestream is still returned. */
  readonly onFailure: (error: unknown) => void;
}

/** Concurrent equal requests share one decoding. */
export const createRenditions = ({ imaging, cache, onFailure }: RenditionParts): Renditions => {
  const making = new Map<string, Promise<Uint8Array>>();
  const failed = new Set<string>();
  const converting = new Map<string, Promise<void>>();

  const nameOf = (sha256: string, frame: number, level: RenditionLevel) => `${sha256}-${frame}-${level}-${version}`;

  const save = (sha256: string, frame: number, level: RenditionLevel, bytes: Uint8Array) =>
    cache.write(nameOf(sha256, frame, level), bytes);

  /** Makes the full rendition at low priority. */
  const convert = (sha256: string, frame: number): Promise<void> => {
    const name = nameOf(sha256, frame, 'full');
    const work = async () => {
      const options = { frame: frame - 1, level: 'full', skipConversion: false } as const;
      const made = await imaging.rendition(sha256, options, 'idle');
      if (made.worth === 'cache') await save(sha256, frame, 'full', made.bytes);
    };
    const conversion = converting.get(name) ?? work().finally(() => converting.delete(name));
    converting.set(name, conversion);
    return conversion;
  };

  /** Runs in the background. A conversion that failed is not tried again. */
  const convertLater = (sha256: string, frame: number): void => {
    const name = nameOf(sha256, frame, 'full');
    if (failed.has(name)) return;
    convert(sha256, frame).catch((error) => {
      // A damaged or missing file may be stored again.
      if (!(error instanceof StorageError)) failed.add(name);
      onFailure(error);
    });
  };

  const make = async (sha256: string, frame: number, level: RenditionLevel): Promise<Uint8Array> => {
    const options = { frame: frame - 1, level, skipConversion: true };
    const made = await imaging.rendition(sha256, options, 'waited-for');
    if (made.worth === 'cache') {
      // A full disk must not keep the picture from the caller.
      await save(sha256, frame, made.level, made.bytes).catch(onFailure);
      return made.bytes;
    }
    if (made.worth === 'copy') return made.bytes;
    const cached = level === 'full' ? null : await cache.read(nameOf(sha256, frame, 'full'));
    if (cached) return cached;
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
      const options = { frame: 0, level, skipConversion: true } as const;
      const made = await imaging.rendition(sha256, options, 'idle');
      if (made.worth === 'cache') await save(sha256, 1, made.level, made.bytes);
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
