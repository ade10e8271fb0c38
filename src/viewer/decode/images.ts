import { DicomProblem } from '../../../dicom/problem.ts';
import { isRendition } from '../../../dicom/rendition/container.ts';
import { createDecodePool } from './decode-pool.ts';
import { type EncodedImage, frameOfRendition } from './encoded-image.ts';
import type { Histogram } from './histogram.ts';
import { createImageCache } from './image-cache.ts';
import { loadedFrom } from './loaded-from.ts';
import type { ImageLevel, ImagePixels, LoadedImage } from './loaded-image.ts';
import { provideMetadata } from './metadata-provider.ts';
import { areOff, type PixelFilters } from './pixel-filters.ts';
import { createSharedWork, type Progress, type WorkOptions } from './shared-work.ts';
import type { WholeFile } from './whole-file.ts';

/** Frame (from 1) and level of a requested image. */
export interface ImageRequest {
  readonly frame: number;
  readonly level: ImageLevel;
}

export interface ImagesOptions {
  /**
   * Loads the bytes of one frame and level by the key of its image: a rendition (of the full level when there is no reduced one), or a whole
   * DICOM file. They may be transferred to a worker.
   */
  readonly loadBytes: (
    key: string,
    request: ImageRequest,
    signal: AbortSignal,
    onProgress: Progress,
  ) => Promise<ArrayBuffer>;
  /** Maximum number of concurrent loads. */
  readonly concurrency?: number;
  /** Cache size for decoded images, in bytes. */
  readonly cacheBytes?: number;
  readonly workers?: number;
}

export interface LoadOptions extends WorkOptions {
  /** 'full' by default. */
  readonly level?: ImageLevel;
  /** Lower numbers are loaded first; 0 by default. */
  readonly priority?: number;
}

/** Images by key, frame and level: fetched, decoded in workers, cached by Cornerstone. */
export interface Images {
  /**
   * @param frame counted from 1
   * @returns for 'reduced' the full image when the archive has no reduced one
   * @throws DicomProblem when the bytes cannot be read or decoded, the error of `loadBytes`, and the reason of
   * `signal` when that aborts (for this caller; the load itself is aborted when no caller waits for it)
   */
  readonly load: (key: string, frame?: number, options?: LoadOptions) => Promise<LoadedImage>;
  /** Returns the pixels after noise filter, sharpness and equalisation; the same object when all are off. */
  readonly filter: (image: LoadedImage, filters: PixelFilters, signal?: AbortSignal) => Promise<ImagePixels>;
  /** Returns the histogram over `image.range`, computed in a worker. */
  readonly histogram: (image: LoadedImage, bins: number) => Promise<Histogram>;
  /** Removes all images from the cache. Images already returned stay valid. */
  readonly forgetAll: () => void;
  /** Number and size of cached images, for monitoring. */
  readonly cacheUsage: () => { readonly images: number; readonly bytes: number };
  /** Aborts all loads, terminates the workers and frees the memory. */
  readonly dispose: () => void;
}

interface CacheRequest extends ImageRequest {
  readonly key: string;
  readonly priority: number;
  readonly imageId: string;
}

interface ActiveLoad extends CacheRequest {
  readonly signal: AbortSignal;
  readonly onProgress: Progress;
}

const mebibyte = 2 ** 20;
/** Number of multi-frame files that stay cached, so that the next frame is not fetched again. */
const openFiles = 2;

const nameOf = (key: string, frame: number, level: ImageLevel) => `${level}:${frame}:${key}`;

const checkReply = (image: EncodedImage, { frame, level }: ImageRequest): EncodedImage => {
  if (image.frame === frame && (image.level === level || level === 'reduced')) return image;
  throw new DicomProblem(
    'malformed',
    `received ${image.level} frame ${image.frame} instead of ${level} frame ${frame}`,
  );
};

export const createImages = ({
  loadBytes,
  concurrency = 6,
  cacheBytes = 512 * mebibyte,
  workers = Math.min(6, Math.max(1, navigator.hardwareConcurrency - 1)),
}: ImagesOptions): Images => {
  const pool = createDecodePool(workers);
  const open = new Map<string, WholeFile>();
  const cacheRequests = new Map<string, CacheRequest>();
  const activeLoads = new Map<string, ActiveLoad>();
  let attempts = 0;

  const encoded = async ({ key, frame, level, signal, onProgress }: ActiveLoad): Promise<EncodedImage> => {
    const file = open.get(key);
    if (file) return file.frameAt(frame);
    const bytes = new Uint8Array(await loadBytes(key, { frame, level }, signal, onProgress));
    if (isRendition(bytes)) return checkReply(frameOfRendition(bytes), { frame, level });
    // The archive sends renditions, so the code for other files is not part of the patient page.
    const { openWholeFile } = await import('./whole-file.ts');
    const opened = openWholeFile(bytes);
    if (opened.frames > 1) {
      open.set(key, opened);
      for (const oldest of [...open.keys()].slice(0, -openFiles)) open.delete(oldest);
    }
    return opened.frameAt(frame);
  };

  const cache = createImageCache(
    async (imageId) => {
      const load = activeLoads.get(imageId);
      if (!load) throw new Error('The image was not requested by its owner');
      return cache.queued(imageId, load, async () => {
        const { payload, ...frame } = await encoded(load);
        return loadedFrom(load.key, frame, await pool.decode(frame, payload));
      });
    },
    cacheBytes,
    concurrency,
  );

  // Cornerstone removes a failed load only some time later, so each new request gets a new image id.
  const createRequest = (key: string, frame: number, level: ImageLevel, priority: number): CacheRequest => {
    const imageId = cache.imageId(key, `${level}-${frame}-${attempts++}`);
    return { key, frame, level, priority, imageId };
  };

  const loads = createSharedWork<LoadedImage>((name, signal, onProgress) => {
    const request = cacheRequests.get(name);
    if (!request) return Promise.reject(new Error('The image was not requested'));
    const { imageId } = request;
    const failed = () => {
      if (cacheRequests.get(name) === request) cacheRequests.delete(name);
    };
    signal.addEventListener('abort', failed);
    activeLoads.set(imageId, { ...request, signal, onProgress });
    const ready = cache.get(imageId);
    ready.catch(failed);
    return ready.finally(() => activeLoads.delete(imageId));
  });
  const unregister = provideMetadata(cache.peek);

  return {
    load: async (key, frame = 1, { level = 'full', priority = 0, ...options } = {}) => {
      const reduced = level === 'full' ? cacheRequests.get(nameOf(key, frame, 'reduced')) : undefined;
      const cached = reduced && cache.peek(reduced.imageId);
      // The request for the reduced level of a small image returned the full one.
      if (cached?.level === 'full') return cached;
      const name = nameOf(key, frame, level);
      if (!cacheRequests.has(name)) cacheRequests.set(name, createRequest(key, frame, level, priority));
      return loads.join(name, options);
    },
    filter: async (image, filters, signal) => {
      if (areOff(filters)) return image.pixels;
      const pixels = await pool.filter(image, filters);
      signal?.throwIfAborted();
      return pixels;
    },
    histogram: (image, bins) => pool.histogram(image, bins),
    forgetAll: () => {
      cache.forgetAll();
      open.clear();
      cacheRequests.clear();
    },
    cacheUsage: cache.usage,
    dispose: () => {
      loads.abortAll(new DOMException('the images are disposed', 'AbortError'));
      unregister();
      cache.dispose();
      pool.dispose();
      open.clear();
    },
  };
};
