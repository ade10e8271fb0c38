/**
 * The parts of Cornerstone 5.14 that are used here and that its packages do not export: its image cache, loader
 * registry and request pool without its rendering (vtk.js), and its decode worker. `vite-viewer.ts` resolves the paths.
 * OpenJPH is its package for HTJ2K, which has no types.
 */
declare module '@cornerstonejs/core/dist/esm/loaders/imageLoader.js' {
  export interface CornerstoneImage {
    readonly imageId: string;
    readonly sizeInBytes: number;
  }
  export interface ImageLoadObject {
    readonly promise: Promise<CornerstoneImage>;
    readonly cancelFn?: () => void;
  }
  export function registerImageLoader(scheme: string, loader: (imageId: string) => ImageLoadObject): void;
  export function loadImage(imageId: string): Promise<CornerstoneImage>;
}

declare module '@cornerstonejs/core/dist/esm/cache/cache.js' {
  import type { CornerstoneImage, ImageLoadObject } from '@cornerstonejs/core/dist/esm/loaders/imageLoader.js';

  const cache: {
    setMaxCacheSize(bytes: number): void;
    getMaxCacheSize(): number;
    getCacheSize(): number;
    getImageLoadObject(imageId: string): ImageLoadObject | undefined;
    putImageLoadObject(imageId: string, object: ImageLoadObject): Promise<void>;
    getImage(imageId: string): CornerstoneImage | undefined;
    removeImageLoadObject(imageId: string, options?: { force?: boolean }): void;
  };
  export default cache;
}

declare module '@cornerstonejs/core/dist/esm/requestPool/imageLoadPoolManager.js' {
  const pool: {
    setMaxSimultaneousRequests(type: string, count: number): void;
    addRequest(run: () => Promise<void>, type: string, details: { readonly imageId: string }, priority?: number): void;
    filterRequests(keep: (request: { readonly additionalDetails: { readonly imageId?: string } }) => boolean): void;
  };
  export default pool;
}

declare module '@cornerstonejs/core/dist/esm/metaData.js' {
  export function addProvider(provider: (type: string, imageId: string) => unknown, priority?: number): void;
  export function removeProvider(provider: (type: string, imageId: string) => unknown): void;
}

declare module '@cornerstonejs/dicom-image-loader/dist/esm/decodeImageFrameWorker.js' {
  export interface CornerstoneFrame {
    samplesPerPixel: number;
    photometricInterpretation: string;
    planarConfiguration: number;
    rows: number;
    columns: number;
    bitsAllocated: number;
    bitsStored: number;
    highBit: number;
    pixelRepresentation: number;
    pixelData?: ArrayLike<number>;
  }
  export function decodeImageFrame(
    frame: CornerstoneFrame,
    transferSyntaxUid: string,
    bytes: Uint8Array,
    decodeConfig: object,
    options: { readonly preScale: { readonly enabled: false } },
  ): Promise<CornerstoneFrame>;
}

declare module '@cornerstonejs/codec-openjph/wasmjs' {
  interface OpenJph {
    readonly HTJ2KDecoder: import('../../../../dicom/wasm-decoder.ts').WasmDecoderClass;
  }
  export default function open(options: {
    readonly locateFile: (name: string) => string;
    readonly print: () => void;
    readonly printErr: () => void;
  }): Promise<OpenJph>;
}
