import { defaultDisplay, renderGrey } from './grey.ts';
import type { DecodedFrame, DisplaySettings, ImageDescription, Palette } from './image-model.ts';
import { codedValues } from './stored-values.ts';

/** Palette index to RGBA; indices beyond the ends take the first or last entry (PS3.3 C.7.6.3.1.5). */
const renderPalette = ({ pixels }: DecodedFrame, palette: Palette): Uint8ClampedArray => {
  const { firstInput, red, green, blue } = palette;
  const out = new Uint8ClampedArray(pixels.length * 4);
  const last = Math.min(red.length, green.length, blue.length) - 1;
  for (let index = 0; index < pixels.length; index++) {
    const entry = Math.max(0, Math.min(last, (pixels[index] ?? 0) - firstInput));
    out[index * 4] = red[entry] ?? 0;
    out[index * 4 + 1] = green[entry] ?? 0;
    out[index * 4 + 2] = blue[entry] ?? 0;
    out[index * 4 + 3] = 255;
  }
  return out;
};

const renderRgb = ({ pixels, bits }: DecodedFrame): Uint8ClampedArray => {
  const out = new Uint8ClampedArray((pixels.length / 3) * 4);
  const scale = bits === 8 ? 1 : 255 / (2 ** bits - 1);
  for (let source = 0, target = 0; source < pixels.length; source += 3, target += 4) {
    out[target] = (pixels[source] ?? 0) * scale;
    out[target + 1] = (pixels[source + 1] ?? 0) * scale;
    out[target + 2] = (pixels[source + 2] ?? 0) * scale;
    out[target + 3] = 255;
  }
  return out;
};

const greyToRgba = (grey: Uint8ClampedArray): Uint8ClampedArray => {
  const out = new Uint8ClampedArray(grey.length * 4).fill(255);
  for (let index = 0; index < grey.length; index++) out.fill(grey[index] ?? 0, index * 4, index * 4 + 3);
  return out;
};

/** Whether a picture is in colour, so that no window applies. */
export const isColour = ({ samplesPerPixel, palette }: ImageDescription): boolean =>
  samplesPerPixel === 3 || palette !== null;

/**
 * RGBA, 8 bits, of any frame: `rows * columns * 4` bytes, opaque.
 * @param frameIndex counted from 0; it picks the windows of enhanced objects
 * @param display for greyscale pictures; the default of the header when omitted
 */
export const renderRgba = (
  description: ImageDescription,
  frame: DecodedFrame,
  frameIndex: number,
  display?: DisplaySettings,
): Uint8ClampedArray => {
  if (description.palette) return renderPalette(frame, description.palette);
  if (frame.samples === 3) return renderRgb(frame);
  return greyToRgba(renderGrey(frame, display ?? defaultDisplay(description, frameIndex, codedValues(frame))));
};
