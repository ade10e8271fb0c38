import { isColour, renderRgba } from '../../../dicom/colour.ts';
import { fullWindow, voisOf } from '../../../dicom/grey.ts';
import type { DecodedFrame, ImageDescription } from '../../../dicom/image-model.ts';
import { codedValues } from '../../../dicom/stored-values.ts';
import type { Display } from '../scene/scene.ts';
import type { ImagePixels, LoadedImage } from './loaded-image.ts';

/** A decoded frame for the stage: texture values, value range, and the default VOI of the file. */
export type DecodedImage = Pick<LoadedImage, 'pixels' | 'range' | 'coded'> & {
  readonly voi: NonNullable<Display['voi']>;
};

const greyPixels = ({ pixels }: DecodedFrame): ImagePixels => {
  if (pixels instanceof Uint8Array) return { format: 'u8', values: pixels };
  if (pixels instanceof Uint16Array) return { format: 'u16', values: pixels };
  if (pixels instanceof Int16Array) return { format: 's16', values: pixels };
  if (pixels instanceof Int8Array) return { format: 's16', values: Int16Array.from(pixels) };
  return { format: 'f32', values: Float32Array.from(pixels) };
};

const colourImage = (description: ImageDescription, frame: DecodedFrame): DecodedImage => ({
  pixels: { format: 'rgba8', values: new Uint8Array(renderRgba(description, frame, 0).buffer) },
  range: { low: 0, high: 255 },
  coded: frame.coded ?? null,
  // Identity for colour: 0 to 0, 255 to 255.
  voi: { kind: 'window', centre: 127.5, width: 255, function: 'LINEAR_EXACT' },
});

const rangeOf = ({ modality, padding }: ImageDescription, frame: DecodedFrame): LoadedImage['range'] => {
  const { centre, width } = fullWindow(modality, codedValues(frame), padding);
  return { low: centre - width / 2, high: centre + width / 2 };
};

/**
 * Uses the first window of the header, else its first VOI LUT, else the full range.
 * @param description of this very frame (`descriptionOfFrame`)
 * @param storedRange the value range of the full image, if the rendition contains it
 */
export const decodedImage = (
  description: ImageDescription,
  frame: DecodedFrame,
  storedRange: LoadedImage['range'] | null,
): DecodedImage => {
  if (isColour(description)) return colourImage(description, frame);
  const range = storedRange ?? rangeOf(description, frame);
  const coded = frame.coded ?? null;
  const [first] = voisOf(description, 0);
  if (first?.kind === 'lut') return { pixels: greyPixels(frame), range, coded, voi: { kind: 'lut', index: 0 } };
  const { centre, width } = first ?? { centre: (range.low + range.high) / 2, width: range.high - range.low };
  const fn = first?.function ?? 'LINEAR_EXACT';
  return { pixels: greyPixels(frame), range, coded, voi: { kind: 'window', centre, width, function: fn } };
};
