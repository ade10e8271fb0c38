import type {
  DecodedFrame,
  DisplaySettings,
  DisplayWindow,
  ImageDescription,
  LookupTable,
  Modality,
  PixelArray,
  Voi,
} from './image-model.ts';

/*
 * The grey pipeline, in its fixed order (PS3.3 C.11, PS3.4 N.2):
 * stored value -> modality -> VOI -> presentation (inversion) -> display 0..1, and from there to 8 bits.
 */

const lookUp = ({ firstInput, values }: LookupTable, input: number): number => {
  const index = Math.round(input) - firstInput;
  return values[index < 0 ? 0 : Math.min(index, values.length - 1)] ?? 0;
};

/** Stored value to modality value (PS3.3 C.11.1.1). */
export const modalityValue = (modality: Modality, stored: number): number =>
  modality.kind === 'rescale' ? stored * modality.slope + modality.intercept : lookUp(modality.lut, stored);

const clamped = (value: number): number => Math.min(1, Math.max(0, value));

/** Modality value to 0..1 through a window. */
export const windowed = ({ centre, width, function: fn }: DisplayWindow, value: number): number => {
  if (fn === 'SIGMOID') return 1 / (1 + Math.exp((-4 * (value - centre)) / width));
  if (fn === 'LINEAR_EXACT') {
    if (value <= centre - width / 2) return 0;
    return value > centre + width / 2 ? 1 : (value - centre) / width + 0.5;
  }
  if (value <= centre - 0.5 - (width - 1) / 2) return 0;
  if (value > centre - 0.5 + (width - 1) / 2) return 1;
  return clamped((value - (centre - 0.5)) / (width - 1) + 0.5);
};

/** Modality value to 0..1 through a window or VOI LUT (PS3.3 C.11.2.1). */
export const voiValue = (voi: Voi, value: number): number =>
  voi.kind === 'window' ? windowed(voi, value) : lookUp(voi.lut, value) / (2 ** voi.lut.bits - 1);

/** Stored value to display value: 0 is black, 1 is white. */
export const greyOf = ({ modality, voi, inverted }: DisplaySettings, stored: number): number => {
  const grey = voiValue(voi, modalityValue(modality, stored));
  return inverted ? 1 - grey : grey;
};

/** Returns the smallest and largest stored value without padding (unless there is nothing else); null for an empty picture. */
export const extremes = (
  pixels: PixelArray,
  padding: ImageDescription['padding'] = null,
): { readonly low: number; readonly high: number } | null => {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < pixels.length; index++) {
    const value = pixels[index] ?? 0;
    if (padding && value >= padding.low && value <= padding.high) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low <= high) return { low, high };
  return padding ? extremes(pixels) : null;
};

/** Returns the full-range window: all values of a picture from black to white. */
export const fullWindow = (
  modality: Modality,
  pixels: PixelArray,
  padding: ImageDescription['padding'] = null,
): DisplayWindow => {
  const range = extremes(pixels, padding) ?? { low: 0, high: 1 };
  let low = modalityValue(modality, range.low);
  let high = modalityValue(modality, range.high);
  if (modality.kind === 'lut') {
    // A LUT need not be monotonic, so every value of the picture is mapped.
    for (let index = 0; index < pixels.length; index++) {
      const value = lookUp(modality.lut, pixels[index] ?? 0);
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  // A picture with a single value is black.
  if (low === high) high = low + 1;
  return {
    kind: 'window',
    centre: (low + high) / 2,
    width: Math.abs(high - low),
    function: 'LINEAR_EXACT',
    explanation: null,
  };
};

/** Whether low values are bright: MONOCHROME1 or Presentation LUT Shape INVERSE; both together invert once. */
export const isInverted = ({ photometricInterpretation, presentationShape }: ImageDescription): boolean =>
  photometricInterpretation === 'MONOCHROME1' || presentationShape === 'INVERSE';

/** The modality transform of a frame. */
export const modalityOf = (description: ImageDescription, frame: number): Modality =>
  description.frames?.[frame]?.modality ?? description.modality;

/** Whether a window spans all stored bits: detectors write such a window in addition to the intended VOI LUT. */
const isWholeRange = (window: DisplayWindow, modality: Modality, { signed, bitsStored }: ImageDescription): boolean => {
  if (modality.kind === 'lut') return false;
  const values = 2 ** bitsStored;
  const middle = modalityValue(modality, signed ? 0 : values / 2);
  const width = values * Math.abs(modality.slope);
  return Math.abs(window.width - width) <= width / 100 && Math.abs(window.centre - middle) <= width / 100;
};

/**
 * Returns the windows and VOI LUTs of the header for a frame, the default first: windows before LUTs, unless the
 * first window spans the full range. The standard leaves that choice to the viewer (PS3.3 C.11.2.1).
 */
export const voisOf = (description: ImageDescription, frame: number): readonly Voi[] => {
  const windows = description.frames?.[frame]?.windows ?? description.windows;
  const [first] = windows;
  const lutFirst = first !== undefined && isWholeRange(first, modalityOf(description, frame), description);
  return lutFirst ? [...description.voiLuts, ...windows] : [...windows, ...description.voiLuts];
};

/**
 * Returns the default display of a frame: the first of `voisOf`, else the full-range window.
 * @param frame counted from 0
 */
export const defaultDisplay = (description: ImageDescription, frame: number, pixels: PixelArray): DisplaySettings => {
  const modality = modalityOf(description, frame);
  const voi = voisOf(description, frame)[0] ?? fullWindow(modality, pixels, description.padding);
  return { modality, voi, inverted: isInverted(description) };
};

/** 8-bit grey of a frame: `rows * columns` bytes. */
export const renderGrey = (frame: DecodedFrame, display: DisplaySettings): Uint8ClampedArray => {
  const { pixels } = frame;
  const out = new Uint8ClampedArray(pixels.length);
  const range = extremes(pixels);
  if (!range) return out;
  const span = range.high - range.low;
  const whole = !(pixels instanceof Float32Array) && !(pixels instanceof Float64Array);
  if (whole && span < 0x10000 && span < pixels.length * 2) {
    const table = Uint8ClampedArray.from({ length: span + 1 }, (_, index) => greyOf(display, range.low + index) * 255);
    for (let index = 0; index < pixels.length; index++) out[index] = table[(pixels[index] ?? 0) - range.low] ?? 0;
    return out;
  }
  for (let index = 0; index < pixels.length; index++) out[index] = greyOf(display, pixels[index] ?? 0) * 255;
  return out;
};
