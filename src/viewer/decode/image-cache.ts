import cache from '@cornerstonejs/core/dist/esm/cache/cache.js';
import {
  type CornerstoneImage,
  loadImage,
  registerImageLoader,
} from '@cornerstonejs/core/dist/esm/loaders/imageLoader.js';
import pool from '@cornerstonejs/core/dist/esm/requestPool/imageLoadPoolManager.js';
import type { LoadedImage } from './loaded-image.ts';

const scheme = 'dentarium';
const requestType = 'interaction';

/** A loaded image in the form of Cornerstone's cache. */
interface CachedImage extends CornerstoneImage {
  readonly loaded: LoadedImage;
}

const cachedImage = (imageId: string, loaded: LoadedImage): CachedImage & Record<string, unknown> => ({
  imageId,
  loaded,
  sizeInBytes: loaded.sizeBytes,
  rows: loaded.height,
  columns: loaded.width,
  width: loaded.width,
  height: loaded.height,
  color: loaded.pixels.format === 'rgba8',
  numberOfComponents: loaded.pixels.format === 'rgba8' ? 4 : 1,
  getPixelData: () => loaded.pixels.values,
  // Without it Cornerstone would build one for volumes, which are not used.
  voxelManager: { getScalarData: () => loaded.pixels.values },
});

type Load = (imageId: string) => Promise<LoadedImage>;

const loads = new Map<string, Load>();
let registered = false;

const imageIdOf = (owner: string, key: string, name: string) => `${scheme}:${owner}/${encodeURIComponent(key)}/${name}`;
const ownerOf = (imageId: string) => imageId.slice(scheme.length + 1, imageId.indexOf('/'));

const register = () => {
  if (registered) return;
  registered = true;
  registerImageLoader(scheme, (imageId) => {
    const load = loads.get(ownerOf(imageId));
    const promise = load
      ? load(imageId).then((loaded) => cachedImage(imageId, loaded))
      : Promise.reject(new Error('The images are disposed'));
    return { promise };
  });
};

interface QueueOptions {
  readonly signal: AbortSignal;
  readonly priority: number;
}

/** Cornerstone's image cache and request pool, for one owner of images. */
export interface ImageCache {
  readonly imageId: (key: string, name: string) => string;
  /** Returns the image from the cache, or loads and caches it. */
  readonly get: (imageId: string) => Promise<LoadedImage>;
  /** Returns the image if it is in the cache. */
  readonly peek: (imageId: string) => LoadedImage | null;
  /** Runs when fewer than `concurrency` others run, lowest priority number first; removed when `signal` aborts before. */
  readonly queued: <Result>(imageId: string, options: QueueOptions, run: () => Promise<Result>) => Promise<Result>;
  readonly forgetAll: () => void;
  readonly usage: () => { readonly images: number; readonly bytes: number };
  readonly dispose: () => void;
}

let owners = 0;

/**
 * Creates the cache. `limitBytes` and `concurrency` apply to the whole page: Cornerstone has one cache and one pool. The least
 * recently used images are evicted; one that is larger than the cache is shown but not cached.
 */
export const createImageCache = (load: Load, limitBytes: number, concurrency: number): ImageCache => {
  register();
  cache.setMaxCacheSize(limitBytes);
  pool.setMaxSimultaneousRequests(requestType, concurrency);
  const owner = `${++owners}`;
  const cachedIds = new Set<string>();
  loads.set(owner, load);
  const drop = (imageId: string) => {
    if (cache.getImageLoadObject(imageId)) cache.removeImageLoadObject(imageId);
    cachedIds.delete(imageId);
  };
  const forgetAll = () => {
    for (const imageId of cachedIds) drop(imageId);
  };

  return {
    imageId: (key, name) => imageIdOf(owner, key, name),
    peek: (imageId) => (cache.getImage(imageId) as CachedImage | undefined)?.loaded ?? null,
    get: async (imageId) => {
      const promise = loadImage(imageId);
      if (!cache.getImageLoadObject(imageId)) {
        cachedIds.add(imageId);
        // loadAndCacheImage ignores this promise, which makes a failed load an unhandled rejection too.
        cache.putImageLoadObject(imageId, { promise }).catch(() => cachedIds.delete(imageId));
      }
      const image = await promise;
      return (image as CachedImage).loaded;
    },
    queued: (imageId, { signal, priority }, run) =>
      new Promise((resolve, reject) => {
        const forget = () => {
          pool.filterRequests(({ additionalDetails }) => additionalDetails.imageId !== imageId);
          reject(signal.reason);
        };
        if (signal.aborted) return reject(signal.reason);
        signal.addEventListener('abort', forget, { once: true });
        const start = () =>
          run()
            .then(resolve, reject)
            .finally(() => signal.removeEventListener('abort', forget));
        pool.addRequest(start, requestType, { imageId }, priority);
      }),
    forgetAll,
    usage: () => {
      const images = [...cachedIds].flatMap((imageId) => cache.getImage(imageId) ?? []);
      return { images: images.length, bytes: images.reduce((sum, { sizeInBytes }) => sum + sizeInBytes, 0) };
    },
    dispose: () => {
      loads.delete(owner);
      forgetAll();
    },
  };
};
