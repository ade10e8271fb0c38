import { fullWindow, voisOf } from '../../../dicom/grey.ts';
import { filteredPixels, noFilters } from '../../../src/viewer/decode/pixel-filters.ts';
import {
  actualSize,
  createImages,
  createStage,
  type Display,
  type ImageRequest,
  type LoadedImage,
  sceneOf,
} from '../../../src/viewer/index.ts';
import { type Comparison, compare, hostOf } from './shader-case.ts';

/** Loads the same bytes for every request: a DICOM file or a rendition. */
const bytesAt = async (key: string, _request: ImageRequest, signal: AbortSignal) => {
  const reply = await fetch(key, { signal });
  if (!reply.ok) throw new Error(`The file could not be loaded: ${reply.status}`);
  return reply.arrayBuffer();
};

export interface FileCase {
  readonly file: string;
  readonly frame: number;
  /**
   * VOI of the reference image: `voilut` the first VOI LUT, `minmax` the full range, `raw-decode` none, `color` the default of the file, else the
   * first window.
   */
  readonly mode: string;
  /** URL of the reference pixels: raw bytes, `channels` per pixel. */
  readonly reference: string;
  readonly channels: number;
}

/** Maps the values 0 to 255 to themselves. */
const eightBitWindow = { kind: 'window', centre: 127.5, width: 255, function: 'LINEAR_EXACT' } as const;

/** The display settings of the reference renderer. */
const displayFor = (mode: string, image: LoadedImage): Display => {
  const { original, modality, pixels, description, frame } = image;
  if (mode === 'voilut') return { ...original, voi: { kind: 'lut', index: 0 } };
  if (mode === 'raw-decode') return { ...original, voi: eightBitWindow };
  // The reference renderer does not support padding, so padding values count here.
  if (mode === 'minmax') return { ...original, voi: fullWindow(modality, pixels.values) };
  const window = voisOf(description, frame - 1).find(({ kind }) => kind === 'window');
  return mode !== 'color' && window?.kind === 'window' ? { ...original, voi: window } : original;
};

const rgbaOf = (values: Uint8Array, channels: number) => {
  const out = new Uint8ClampedArray((values.length / channels) * 4).fill(255);
  for (let pixel = 0; pixel < values.length / channels; pixel++) {
    for (let channel = 0; channel < 3; channel++) {
      out[pixel * 4 + channel] = values[pixel * channels + (channels >= 3 ? channel : 0)] ?? 0;
    }
  }
  return out;
};

const images = createImages({ loadBytes: bytesAt, concurrency: 2, workers: 1 });

/** Loads, decodes and draws a file at 1:1 as the viewer does, and compares it with the image of a reference renderer. */
export const compareFile = async ({
  file,
  frame,
  mode,
  reference,
  channels,
}: FileCase): Promise<Comparison & { readonly syntax: string; readonly lossy: boolean }> => {
  const image = await images.load(file, frame);
  const host = hostOf(image);
  // The reference renderer shows pixels as if they were square.
  const square = { ...images, load: async () => ({ ...image, pixelAspect: 1 }) };
  const stage = createStage(host, { images: square });
  stage.show(sceneOf(file, { frame, display: displayFor(mode, image), view: actualSize(image) }));
  const snapshot = await stage.snapshot();
  stage.dispose();
  host.remove();
  const values = new Uint8Array(await (await fetch(reference)).arrayBuffer());
  const expected = rgbaOf(values, channels);
  if (expected.length !== snapshot.pixels.length) throw new Error('the images differ in size');
  const { transferSyntaxUid: syntax, lossy } = image.description;
  return { ...compare(snapshot.pixels, expected, lossy ? 3 : 2), syntax, lossy };
};

const unhandled: string[] = [];
addEventListener('unhandledrejection', ({ reason }) => unhandled.push(String(reason)));

const outcomeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'loaded',
    (error: Error & { code?: string }) => `${error.name} ${error.code ?? error.message}`,
  );

/** Runs aborted and failing loads; returns their outcomes and unhandled rejections. */
export const loadFailures = async (broken: string, missing: string, good: string) => {
  const own = createImages({ loadBytes: bytesAt, concurrency: 1, workers: 1 });
  const running = new AbortController();
  const queued = new AbortController();
  const first = outcomeOf(own.load(good, 1, { signal: running.signal }));
  const second = outcomeOf(own.load(broken, 1, { signal: queued.signal }));
  running.abort();
  queued.abort();
  const outcomes = {
    running: await first,
    queued: await second,
    again: await outcomeOf(own.load(good)),
    broken: await outcomeOf(own.load(broken)),
    brokenAgain: await outcomeOf(own.load(broken)),
    missing: await outcomeOf(own.load(missing)),
    noFrame: await outcomeOf(own.load(good, 9)),
  };
  own.dispose();
  // Unhandled rejections are reported in a separate task.
  await new Promise((resolve) => setTimeout(resolve));
  return { ...outcomes, unhandled };
};

/** Loads one image for two concurrent callers, one of which aborts. */
export const sharedLoad = async (file: string) => {
  let fetched = 0;
  const own = createImages({
    loadBytes: (key, request, signal) => {
      fetched++;
      return bytesAt(key, request, signal);
    },
    workers: 1,
  });
  const aborted = new AbortController();
  const [one, other] = [own.load(file), own.load(file, 1, { signal: aborted.signal })];
  aborted.abort();
  const abortedOutcome = await outcomeOf(other);
  const image = await one;
  const again = await own.load(file);
  own.dispose();
  return { fetched, aborted: abortedOutcome, same: image === again };
};

/** Returns the fetches of two images that are loaded in turn, with a cache for one. */
export const fetchesWithSmallCache = async (one: string, other: string) => {
  const fetched: string[] = [];
  const size = (await images.load(one)).sizeBytes;
  const own = createImages({
    loadBytes: (key, request, signal) => {
      fetched.push(key === one ? 'one' : 'other');
      return bytesAt(key, request, signal);
    },
    cacheBytes: Math.ceil(size * 1.5),
    workers: 1,
  });
  for (const key of [one, one, other, one]) await own.load(key);
  own.dispose();
  return fetched;
};

/** Compares filtering in the worker with the same function called directly. */
export const filtered = async (file: string) => {
  const image = await images.load(file);
  const own = createImages({ loadBytes: bytesAt, workers: 1 });
  const filters = { noise: { kind: 'median', strength: 0.5 }, sharpness: 0.5, equalisation: 0 } as const;
  const inWorker = await own.filter(image, filters);
  const untouched = await own.filter(image, noFilters);
  own.dispose();
  const here = filteredPixels(image.pixels, image.width, image.height, filters);
  const differences = here.values.filter((value, index) => value !== inWorker.values[index]).length;
  const changed = here.values.filter((value, index) => value !== image.pixels.values[index]).length;
  return { differences, changed, same: untouched === image.pixels };
};
