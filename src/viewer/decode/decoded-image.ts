import { isColour, renderRgba } from '../../../dicom/colour.ts';
import { fullWindow, modalityOf, voisOf } from '../../../dicom/grey.ts';
import type { DecodedFrame, ImageDescription } from '../../../dicom/image-model.ts';
import type { Display } from '../scene/scene.ts';
import type { ImagePixels, LoadedImage } from './loaded-image.ts';

/** What a decoded frame is to the stage: its texture values, the values in it, and how the file wants it shown. */
export type DecodedImage = Pick<LoadedImage, 'pixels' | 'range'> & { readonly voi: NonNullable<Display['voi']> };

const greyPixels = ({ pixels }: DecodedFrame): ImagePixels => {
  if (pixels instanceof Uint8Array) return { format: 'u8', values: pixels };
  if (pixels instanceof Uint16Array) return { format: 'u16', values: pixels };
  if (pixels instanceof Int16Array) return { format: 's16', values: pixels };
  if (pixels instanceof Int8Array) return { format: 's16', values: Int16Array.from(pixels) };
  return { format: 'f32', values: Float32Array.from(pixels) };
};

const colourImage = (description: ImageDescription, frame: DecodedFrame, index: number): DecodedImage => ({
  pixels: { format: 'rgba8', values: new Uint8Array(renderRgba(description, frame, index).buffer) },
  range: { low: 0, high: 255 },
  // Colour as it is: 0 is 0, 255 is 255.
  voi: { kind: 'window', centre: 127.5, width: 255, function: 'LINEAR_EXACT' },
});

/** `index`: frame, counted from 0. The first window of the header, else its first VOI LUT, else all values. */
export const decodedImage = (description: ImageDescription, frame: DecodedFrame, index: number): DecodedImage => {
  if (isColour(description)) return colourImage(description, frame, index);
  const full = fullWindow(modalityOf(description, index), frame.pixels, description.padding);
  const [first = full] = voisOf(description, index);
  return {
    pixels: greyPixels(frame),
    range: { low: full.centre - full.width / 2, high: full.centre + full.width / 2 },
    voi:
      first.kind === 'lut'
        ? { kind: 'lut', index: 0 }
        : { kind: 'window', centre: first.centre, width: first.width, function: first.function },
  };
};
