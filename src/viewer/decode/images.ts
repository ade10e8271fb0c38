import { plainDisplay } from '../../../contract/displays.ts';
import { isColour } from '../../../dicom/colour.ts';
import { type DicomFile, readDicomFile } from '../../../dicom/file.ts';
import { encodedFrame } from '../../../dicom/frames.ts';
import { isInverted, modalityOf } from '../../../dicom/grey.ts';
import { describeImage } from '../../../dicom/image-description.ts';
import type { ImageDescription, Modality } from '../../../dicom/image-model.ts';
import { DicomProblem } from '../../../dicom/problem.ts';
import { createDecodePool } from './decode-pool.ts';
import type { DecodedImage } from './decoded-image.ts';
import type { Histogram } from './histogram.ts';
import { createImageCache } from './image-cache.ts';
import type { ImagePixels, LoadedImage } from './loaded-image.ts';
import { provideMetadata } from './metadata-provider.ts';
import { areOff, type PixelFilters } from './pixel-filters.ts';
import { createSharedWork, type Progress, type WorkOptions } from './shared-work.ts';

export interface ImagesOptions {
  /** The bytes of a DICOM file by its key. They are read, never changed. */
  readonly loadBytes: (key: string, signal: AbortSignal, onProgress: Progress) => Promise<ArrayBuffer>;
  /** Loads under way at a time. */
  readonly concurrency?: number;
  /** Decoded pictures kept, in bytes. */
  readonly cacheBytes?: number;
  readonly workers?: number;
}

/** Pictures by key and frame: fetched, decoded in workers, kept in Cornerstone's cache. */
export interface Images {
  /**
   * @param frame counted from 1
   * @throws DicomProblem when the file cannot be read or decoded, whatever `loadBytes` rejects with, and the reason of
   * `signal` when that aborts (for this caller; the work ends when nobody waits for it any more)
   */
  readonly load: (key: string, frame?: number, options?: WorkOptions) => Promise<LoadedImage>;
  /** The values of a picture after noise filter and sharpening; the picture's own when both are off. */
  readonly filter: (image: LoadedImage, filters: PixelFilters, signal?: AbortSignal) => Promise<ImagePixels>;
  /** How often the values of a picture occur, worked out in a worker: modality values, padding left out. `bins` at least 1. */
  readonly histogram: (image: LoadedImage, bins: number) => Promise<Histogram>;
  /** Ends all loads and workers and gives the memory back. */
  readonly dispose: () => void;
}

interface OpenFile {
  readonly file: DicomFile;
  readonly description: ImageDescription;
}

interface Order {
  readonly key: string;
  readonly frame: number;
  readonly signal: AbortSignal;
  readonly onProgress: Progress;
}

const nameOf = (key: string, frame: number) => `${frame}:${key}`;
const named = (name: string) => {
  const colon = name.indexOf(':');
  return { frame: Number(name.slice(0, colon)), key: name.slice(colon + 1) };
};

const mebibyte = 2 ** 20;
/** Files of many frames stay open, so that the next frame is not fetched again; the newest of them. */
const openFiles = 2;
const identity: Modality = { kind: 'rescale', slope: 1, intercept: 0 };

const openFile = (bytes: ArrayBuffer): OpenFile => {
  const file = readDicomFile(new Uint8Array(bytes));
  const description = describeImage(file);
  if (!description) throw new DicomProblem('no-pixel-data', 'the object holds no picture');
  return { file, description };
};

/** Pixel Aspect Ratio, or what the distances between pixels make of it; they may not both be there (PS3.3 C.7.6.3.1.7). */
const pixelAspectOf = ({ pixelAspectRatio, spacing }: ImageDescription): number => {
  if (pixelAspectRatio) return pixelAspectRatio.vertical / pixelAspectRatio.horizontal;
  return spacing && spacing.rowMm > 0 && spacing.columnMm > 0 ? spacing.rowMm / spacing.columnMm : 1;
};

const loadedImage = (
  key: string,
  frame: number,
  description: ImageDescription,
  { pixels, range, voi }: DecodedImage,
): LoadedImage => {
  const colour = isColour(description);
  return {
    key,
    frame,
    level: 'full',
    width: description.columns,
    height: description.rows,
    pixels,
    pixelWidth: description.columns,
    pixelHeight: description.rows,
    reduction: 1,
    pixelAspect: pixelAspectOf(description),
    description,
    modality: colour ? identity : modalityOf(description, frame - 1),
    voiLuts: colour ? [] : description.voiLuts,
    range,
    shownInverse: !colour && isInverted(description),
    original: { ...plainDisplay, voi },
    sizeBytes: pixels.values.byteLength,
  };
};

export const createImages = ({
  loadBytes,
  concurrency = 4,
  cacheBytes = 512 * mebibyte,
  workers = Math.min(4, Math.max(1, navigator.hardwareConcurrency - 1)),
}: ImagesOptions): Images => {
  const pool = createDecodePool(workers);
  const open = new Map<string, OpenFile>();
  const orders = new Map<string, Order>();
  const attempts = new Map<string, number>();

  const files = createSharedWork<OpenFile>(async (key, signal, onProgress) => {
    const opened = openFile(await loadBytes(key, signal, onProgress));
    if (opened.description.numberOfFrames > 1) {
      open.set(key, opened);
      for (const oldest of [...open.keys()].slice(0, -openFiles)) open.delete(oldest);
    }
    return opened;
  });

  const cache = createImageCache(
    async (imageId) => {
      const order = orders.get(imageId);
      if (!order) throw new Error('an image was asked for past its owner');
      const { key, frame, signal } = order;
      return cache.queued(imageId, signal, async () => {
        const { file, description } = open.get(key) ?? (await files.join(key, order));
        const bytes = encodedFrame(file, description, frame - 1).slice();
        return loadedImage(key, frame, description, await pool.decode(description, bytes, frame - 1));
      });
    },
    cacheBytes,
    concurrency,
  );

  const pictures = createSharedWork<LoadedImage>((name, signal, onProgress) => {
    const { key, frame } = named(name);
    const attempt = attempts.get(name) ?? 0;
    // Cornerstone forgets a failed load only some time after it failed: until then its name must not be used again.
    const failed = () => attempts.set(name, attempt + 1);
    signal.addEventListener('abort', failed);
    const imageId = cache.imageId(`${key}#${attempt}`, frame);
    orders.set(imageId, { key, frame, signal, onProgress });
    const ready = cache.get(imageId);
    ready.catch(failed);
    return ready.finally(() => orders.delete(imageId));
  });
  const takeBack = provideMetadata(cache.peek);

  return {
    load: (key, frame = 1, options = {}) => pictures.join(nameOf(key, frame), options),
    filter: async (image, filters, signal) => {
      if (areOff(filters)) return image.pixels;
      const pixels = await pool.filter(image, filters);
      signal?.throwIfAborted();
      return pixels;
    },
    histogram: (image, bins) => pool.histogram(image, bins),
    dispose: () => {
      const reason = new DOMException('the images are disposed', 'AbortError');
      pictures.abandonAll(reason);
      files.abandonAll(reason);
      takeBack();
      cache.dispose();
      pool.dispose();
      open.clear();
    },
  };
};
