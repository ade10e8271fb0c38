import { plainDisplay as contractDisplay } from '../../../contract/displays.ts';
import type { DisplayLut, Modality } from '../../../dicom/image-model.ts';
import { noOverlayPlanes, type OverlayPlanes } from '../../../dicom/overlay-planes.ts';
import { histogramOf } from '../../../src/viewer/decode/histogram.ts';
import type { ImagePixels, LoadedImage } from '../../../src/viewer/decode/loaded-image.ts';
import { filteredPixels } from '../../../src/viewer/decode/pixel-filters.ts';
import type { Images, ResolvedDisplay } from '../../../src/viewer/index.ts';

export interface ImageLoad {
  readonly width: number;
  readonly height: number;
  readonly pixels: ImagePixels;
  /** 2, 4, ...: `pixels` hold means of blocks. */
  readonly reduction?: number;
  readonly modality?: Modality;
  readonly voiLuts?: readonly DisplayLut[];
  readonly shownInverse?: boolean;
  readonly pixelAspect?: number;
  readonly overlayPlanes?: OverlayPlanes;
}

export const plainDisplay: ResolvedDisplay = {
  ...contractDisplay,
  voi: { kind: 'window', centre: 127.5, width: 255, function: 'LINEAR_EXACT' },
};

/** Creates a loaded image. */
export const loadedPicture = (picture: ImageLoad, key = 'synthetic'): LoadedImage => ({
  key,
  frame: 1,
  level: (picture.reduction ?? 1) > 1 ? 'reduced' : 'full',
  width: picture.width,
  height: picture.height,
  pixels: picture.pixels,
  pixelWidth: Math.ceil(picture.width / (picture.reduction ?? 1)),
  pixelHeight: Math.ceil(picture.height / (picture.reduction ?? 1)),
  reduction: picture.reduction ?? 1,
  pixelAspect: picture.pixelAspect ?? 1,
  modality: picture.modality ?? { kind: 'rescale', slope: 1, intercept: 0 },
  voiLuts: picture.voiLuts ?? [],
  range: { low: 0, high: 65535 },
  shownInverse: picture.shownInverse ?? false,
  original: plainDisplay,
  overlayPlanes: picture.overlayPlanes ?? noOverlayPlanes,
  coded: null,
  sizeBytes: picture.pixels.values.byteLength,
  description: {
    transferSyntaxUid: '1.2.840.10008.1.2.1',
    rows: picture.height,
    columns: picture.width,
    numberOfFrames: 1,
    samplesPerPixel: 1,
    sampleKind: 'integer',
    bitsAllocated: 16,
    bitsStored: 16,
    highBit: 15,
    signed: false,
    planarConfiguration: 0,
    photometricInterpretation: 'MONOCHROME2',
    modality: { kind: 'rescale', slope: 1, intercept: 0 },
    windows: [],
    voiLuts: [],
    presentationShape: null,
    palette: null,
    padding: null,
    spacing: null,
    ultrasoundRegions: [],
    pixelAspectRatio: null,
    lossy: false,
    frames: null,
  },
});

/** An `Images` implementation with preloaded images. */
export const imagesOf = (pictures: Readonly<Record<string, LoadedImage>>): Images => ({
  load: async (key) => {
    const image = pictures[key];
    if (!image) throw new Error(`no picture ${key}`);
    return image;
  },
  filter: async ({ pixels, pixelWidth, pixelHeight }, filters) =>
    filteredPixels(pixels, pixelWidth, pixelHeight, filters),
  histogram: async (image, bins) => histogramOf(image, bins),
  forgetAll: () => undefined,
  cacheUsage: () => ({ images: 0, bytes: 0 }),
  dispose: () => undefined,
});

/** Pseudo-random numbers from 0 to 1, the same in every run (mulberry32). */
export const randomNumbers = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
};
