import { greyOf, modalityValue, voiValue } from '../grey.ts';
import type { DisplayWindow, ImageDescription, LookupTable, Modality, Voi } from '../image-model.ts';
import type { StateGrey, StateOfImage, StateTable } from './model.ts';

type Description = Pick<ImageDescription, 'signed' | 'bitsStored' | 'sampleKind'>;
type Rescale = Extract<Modality, { kind: 'rescale' }>;

/** Grey values of a state in terms of an image: its modality values to display values. */
export interface ShownGrey {
  readonly voi: Voi;
  readonly inverted: boolean;
}

const maxTableBits = 16;

const tableOf = ({ firstInput, values, bits }: StateTable, signedInput: boolean): LookupTable => ({
  firstInput: signedInput && firstInput > 0x7fff ? firstInput - 0x10000 : firstInput,
  values: Uint16Array.from(values),
  bits,
  explanation: null,
});

const storedRange = ({ signed, bitsStored }: Description) => {
  const count = 2 ** bitsStored;
  return signed ? { low: -count / 2, high: count / 2 - 1 } : { low: 0, high: count - 1 };
};

const exactWindow = (low: number, high: number): DisplayWindow => ({
  kind: 'window',
  centre: (low + high) / 2,
  width: Math.max(high - low, 1e-6),
  function: 'LINEAR_EXACT',
  explanation: null,
});

/** The VOI of a frame in modality values of the state; without one, all of them from black to white. */
const stateVoi = (grey: StateGrey, modality: Modality, image: Description, frame: number): Voi => {
  const own = grey.vois.find(({ frames }) => frames === null || frames.includes(frame))?.voi;
  if (own?.kind === 'window') return { ...own, explanation: null };
  if (own?.kind === 'lut') {
    const signedInput = modality.kind === 'rescale' && (image.signed || modality.intercept < 0);
    return { kind: 'lut', lut: tableOf(own.lut, signedInput) };
  }
  if (modality.kind === 'lut') return exactWindow(0, 2 ** modality.lut.bits - 1);
  const { low, high } = storedRange(image);
  const ends = [modalityValue(modality, low), modalityValue(modality, high)];
  return exactWindow(Math.min(...ends), Math.max(...ends));
};

/** Entries of a modality LUT are values: how many bits are stated makes no difference. */
const sameValues = (one: LookupTable, other: LookupTable): boolean =>
  one.firstInput === other.firstInput &&
  one.values.length === other.values.length &&
  one.values.every((value, index) => value === other.values[index]);

const sameModality = (one: Modality, other: Modality): boolean =>
  one.kind === 'rescale'
    ? other.kind === 'rescale' && one.slope === other.slope && one.intercept === other.intercept
    : other.kind === 'lut' && sameValues(one.lut, other.lut);

/** Converts a window from modality values of the state to those of the image. */
const converted = (window: DisplayWindow, from: Rescale, to: Rescale): DisplayWindow | null => {
  const factor = to.slope / from.slope;
  if (!(factor > 0) || (window.function === 'LINEAR' && window.width <= 1)) return null;
  // LINEAR is LINEAR_EXACT with half a value less in its centre and one less in its width (PS3.3 C.11.2.1.2.1).
  const exact =
    window.function === 'LINEAR'
      ? { ...window, centre: window.centre - 0.5, width: window.width - 1, function: 'LINEAR_EXACT' as const }
      : window;
  return {
    ...exact,
    centre: ((exact.centre - from.intercept) / from.slope) * to.slope + to.intercept,
    width: exact.width * factor,
  };
};

/** The whole pipeline as one table of the image's modality values; null where these do not count stored values. */
const asTable = (
  grey: StateGrey,
  modality: Modality,
  voi: Voi,
  image: Description,
  imageModality: Modality,
): Voi | null => {
  if (imageModality.kind === 'lut' || imageModality.slope !== 1 || !Number.isInteger(imageModality.intercept))
    return null;
  if (image.sampleKind !== 'integer' || image.bitsStored > maxTableBits) return null;
  const presentation = grey.presentationLut && tableOf(grey.presentationLut, false);
  const { low, high } = storedRange(image);
  const values = Uint16Array.from({ length: high - low + 1 }, (_, index) => {
    const value = greyOf({ modality, voi, inverted: false }, low + index);
    const shown = presentation
      ? voiValue({ kind: 'lut', lut: presentation }, presentation.firstInput + value * (presentation.values.length - 1))
      : value;
    return Math.round(shown * 0xffff);
  });
  return { kind: 'lut', lut: { firstInput: low + imageModality.intercept, values, bits: 16, explanation: null } };
};

/**
 * Returns the grey values of a state for a frame of an image (from 1), as a VOI of the image's own modality values; null when they cannot be
 * expressed so, and for a colour state.
 */
export const shownGreyOf = (
  { grey }: Pick<StateOfImage, 'grey'>,
  image: Description,
  imageModality: Modality,
  frame: number,
): ShownGrey | null => {
  if (!grey) return null;
  const modality: Modality =
    grey.modality.kind === 'lut' ? { kind: 'lut', lut: tableOf(grey.modality.lut, image.signed) } : grey.modality;
  const voi = stateVoi(grey, modality, image, frame);
  const inverted = grey.inverted && grey.presentationLut === null;
  if (grey.presentationLut === null) {
    if (sameModality(modality, imageModality)) return { voi, inverted };
    if (modality.kind === 'rescale' && imageModality.kind === 'rescale' && voi.kind === 'window') {
      const window = converted(voi, modality, imageModality);
      if (window) return { voi: window, inverted };
    }
  }
  const table = asTable(grey, modality, voi, image, imageModality);
  return table && { voi: table, inverted };
};
