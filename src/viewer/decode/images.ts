import { DicomProblem } from '../../../dicom/problem.ts';
import { createDecodePool } from './decode-pool.ts';
import { type EncodedImage, frameOfFile, type OpenFile, openBytes } from './encoded-image.ts';
import type { Histogram } from './histogram.ts';
import { createImageCache } from './image-cache.ts';
import { loadedFrom } from './loaded-from.ts';
import type { ImageLevel, ImagePixels, LoadedImage } from './loaded-image.ts';
import { provideMetadata } from './metadata-provider.ts';
import { areOff, type PixelFilters } from './pixel-filters.ts';
import { createSharedWork, type Progress, type WorkOptions } from './shared-work.ts';

/** Which picture of an image is meant; frames count from 1. */
export interface WantedPicture {
  readonly frame: number;
  readonly level: ImageLevel;
}

export interface ImagesOptions {
  /**
   * The bytes of one picture by the key of its image: a rendition (of the full level where there is no reduced one), or a whole DICOM file, whatever
   * was wanted of it. They may be given away to a worker.
   */
  readonly loadBytes: (
    key: string,
    wanted: WantedPicture,
    signal: AbortSignal,
    onProgress: Progress,
  ) => Promise<ArrayBuffer>;
  /** Loads under way at a time. */
  readonly concurrency?: number;
  /** Decoded pictures kept, in bytes. */
  readonly cacheBytes?: number;
  readonly workers?: number;
}

export interface LoadOptions extends WorkOptions {
  /** 'full' unless told. */
  readonly level?: ImageLevel;
  /** Lower ones go first; 0 unless told. */
  readonly priority?: number;
}

/** Pictures by key, frame and level: fetched, decoded in workers, kept in Cornerstone's cache. */
export interface Images {
  /**
   * @param frame counted from 1
   * @returns of 'reduced' the full picture where the archive has no reduced one
   * @throws DicomProblem when the bytes cannot be read or decoded, whatever `loadBytes` rejects with, and the reason of
   * `signal` when that aborts (for this caller; the work ends when nobody waits for it any more)
   */
  readonly load: (key: string, frame?: number, options?: LoadOptions) => Promise<LoadedImage>;
  /** The values of a picture after noise filter and sharpening; the picture's own when both are off. */
  readonly filter: (image: LoadedImage, filters: PixelFilters, signal?: AbortSignal) => Promise<ImagePixels>;
  /** Values counted into equal parts of `image.range`, in a worker. */
  readonly histogram: (image: LoadedImage, bins: number) => Promise<Histogram>;
  /** Gives back what is kept of these images, all their frames and levels. Who has a picture in hand keeps it. */
  readonly forget: (keys: Iterable<string>) => void;
  /** How much is kept, for those who watch it. */
  readonly kept: () => { readonly pictures: number; readonly bytes: number };
  /** Ends all loads and workers and gives the memory back. */
  readonly dispose: () => void;
}

interface Want extends WantedPicture {
  readonly key: string;
  readonly priority: number;
  readonly imageId: string;
}

interface Order extends Want {
  readonly signal: AbortSignal;
  readonly onProgress: Progress;
}

const mebibyte = 2 ** 20;
/** Files of many frames stay open, so that the next frame is not fetched again; the newest of them. */
const openFiles = 2;

const nameOf = (key: string, frame: number, level: ImageLevel) => `${level}:${frame}:${key}`;

const checkAnswer = (image: EncodedImage, { frame, level }: WantedPicture): EncodedImage => {
  if (image.frame === frame && (image.level === level || level === 'reduced')) return image;
  throw new DicomProblem('malformed', `${image.level} frame ${image.frame} came instead of ${level} frame ${frame}`);
};

export const createImages = ({
  loadBytes,
  concurrency = 6,
  cacheBytes = 512 * mebibyte,
  workers = Math.min(6, Math.max(1, navigator.hardwareConcurrency - 1)),
}: ImagesOptions): Images => {
  const pool = createDecodePool(workers);
  const open = new Map<string, OpenFile>();
  const wants = new Map<string, Want>();
  const orders = new Map<string, Order>();
  let turns = 0;

  const encoded = async ({ key, frame, level, signal, onProgress }: Order): Promise<EncodedImage> => {
    const file = open.get(key);
    if (file) return frameOfFile(file, frame);
    const opened = openBytes(await loadBytes(key, { frame, level }, signal, onProgress));
    if (!('file' in opened)) return checkAnswer(opened, { frame, level });
    if (opened.description.numberOfFrames > 1) {
      open.set(key, opened);
      for (const oldest of [...open.keys()].slice(0, -openFiles)) open.delete(oldest);
    }
    return frameOfFile(opened, frame);
  };

  const cache = createImageCache(
    async (imageId) => {
      const order = orders.get(imageId);
      if (!order) throw new Error('an image was asked for past its owner');
      return cache.queued(imageId, order, async () => {
        const { payload, ...told } = await encoded(order);
        return loadedFrom(order.key, told, await pool.decode(told, payload));
      });
    },
    cacheBytes,
    concurrency,
  );

  // Cornerstone forgets a failed load only some time after it failed: each new want has a name that it does not know.
  const wantOf = (key: string, frame: number, level: ImageLevel, priority: number): Want => {
    const imageId = cache.imageId(key, `${level}-${frame}-${turns++}`);
    return { key, frame, level, priority, imageId };
  };

  const pictures = createSharedWork<LoadedImage>((name, signal, onProgress) => {
    const want = wants.get(name);
    if (!want) return Promise.reject(new Error('a picture was asked for that nobody wants'));
    const { imageId } = want;
    const failed = () => {
      if (wants.get(name) === want) wants.delete(name);
    };
    signal.addEventListener('abort', failed);
    orders.set(imageId, { ...want, signal, onProgress });
    const ready = cache.get(imageId);
    ready.catch(failed);
    return ready.finally(() => orders.delete(imageId));
  });
  const takeBack = provideMetadata(cache.peek);

  return {
    load: async (key, frame = 1, { level = 'full', priority = 0, ...options } = {}) => {
      const reduced = level === 'full' ? wants.get(nameOf(key, frame, 'reduced')) : undefined;
      const kept = reduced && cache.peek(reduced.imageId);
      // Of a small picture the full one came when the reduced one was asked for.
      if (kept?.level === 'full') return kept;
      const name = nameOf(key, frame, level);
      if (!wants.has(name)) wants.set(name, wantOf(key, frame, level, priority));
      return pictures.join(name, options);
    },
    filter: async (image, filters, signal) => {
      if (areOff(filters)) return image.pixels;
      const pixels = await pool.filter(image, filters);
      signal?.throwIfAborted();
      return pixels;
    },
    histogram: (image, bins) => pool.histogram(image, bins),
    forget: (keys) => {
      for (const key of keys) {
        cache.forget(key);
        open.delete(key);
        for (const [name, want] of wants) if (want.key === key) wants.delete(name);
      }
    },
    kept: cache.kept,
    dispose: () => {
      pictures.abandonAll(new DOMException('the images are disposed', 'AbortError'));
      takeBack();
      cache.dispose();
      pool.dispose();
      open.clear();
    },
  };
};
