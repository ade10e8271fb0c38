/** The decode worker: Cornerstone's decoders, the colour and greyscale conversion of `dicom/`, and the filters. */
import { expose, transfer } from 'comlink';
import { DicomProblem, type DicomProblemCode } from '../../../dicom/problem.ts';
import { unpackedPlanes } from '../../../dicom/rendition/read-rendition.ts';
import { decodeRendition } from '../../../dicom/rendition/rendition.ts';
import { cornerstoneCodecs } from './cornerstone-codecs.ts';
import { type DecodedImage, decodedImage } from './decoded-image.ts';
import type { EncodedImage } from './encoded-image.ts';
import { type Counted, type Histogram, histogramOf } from './histogram.ts';
import type { ImagePixels, LoadedImage } from './loaded-image.ts';
import { filteredPixels, type PixelFilters } from './pixel-filters.ts';

// OpenJPEG logs every header to the console.
Object.assign(console, { log: () => undefined });

/** Errors are returned as values: a thrown Error would lose everything but its message. */
export type Outcome<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly code: DicomProblemCode; readonly detail: string };

export type ToDecode = Pick<EncodedImage, 'description' | 'stored' | 'range' | 'overlayPlanes' | 'arePlanesPacked'>;
export type Decoded = DecodedImage & Pick<LoadedImage, 'overlayPlanes'>;

const worker = {
  decode: async (encoded: ToDecode, payload: Uint8Array): Promise<Outcome<Decoded>> => {
    const { description, stored, range, arePlanesPacked } = encoded;
    try {
      const overlayPlanes = arePlanesPacked ? unpackedPlanes(encoded.overlayPlanes) : encoded.overlayPlanes;
      const frame = await decodeRendition({ description, stored, payload }, cornerstoneCodecs);
      const result = { ...decodedImage(description, frame, range), overlayPlanes };
      return transfer({ ok: true, result }, [result.pixels.values.buffer]);
    } catch (problem) {
      if (problem instanceof DicomProblem) return { ok: false, code: problem.code, detail: problem.detail };
      throw problem;
    }
  },
  filter: (pixels: ImagePixels, width: number, height: number, filters: PixelFilters): ImagePixels => {
    const result = filteredPixels(pixels, width, height, filters);
    return transfer(result, [result.values.buffer]);
  },
  histogram: (image: Counted, bins: number): Histogram => histogramOf(image, bins),
};

export type DecodeWorker = typeof worker;

// Cornerstone's module listens on the worker itself, so ours uses a separate port.
self.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (data instanceof MessagePort) expose(worker, data);
});
