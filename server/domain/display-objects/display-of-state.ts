import type { NotTakenPart } from '../../../contract/display-objects.ts';
import { type Display, plainDisplay } from '../../../contract/displays.ts';
import { isInverted, modalityOf, voisOf } from '../../../dicom/grey.ts';
import type { DisplayWindow, ImageDescription, LookupTable, Voi } from '../../../dicom/image-model.ts';
import type { StateOfImage } from '../../../dicom/presentation-state/model.ts';
import { shownGreyOf } from '../../../dicom/presentation-state/shown-grey.ts';

/** Entries are parts of the range of their bits: a table of 12 bits may be written with 16. */
const sameTable = (one: LookupTable, other: LookupTable): boolean => {
  const part = ({ values, bits }: LookupTable, index: number) => (values[index] ?? 0) / (2 ** bits - 1);
  return (
    one.firstInput === other.firstInput &&
    one.values.length === other.values.length &&
    one.values.every((_, index) => Math.abs(part(one, index) - part(other, index)) < 1e-4)
  );
};

const sameWindow = (one: DisplayWindow, other: DisplayWindow): boolean =>
  one.centre === other.centre && one.width === other.width && one.function === other.function;

const sameVoi = (one: Voi, other: Voi | undefined): boolean =>
  one.kind === 'lut'
    ? other?.kind === 'lut' && sameTable(one.lut, other.lut)
    : other?.kind === 'window' && sameWindow(one, other);

/** The VOI as a display has it; null: the default of the file; undefined: a table that the file does not have. */
const displayVoi = (voi: Voi, description: ImageDescription): Display['voi'] | undefined => {
  if (sameVoi(voi, voisOf(description, 0)[0])) return null;
  if (voi.kind === 'window') {
    const { centre, width, function: shape } = voi;
    return { kind: 'window', centre, width, function: shape };
  }
  const index = description.voiLuts.findIndex((one) => sameVoi(voi, one));
  return index < 0 ? undefined : { kind: 'lut', index };
};

const greyOf = (state: StateOfImage, description: ImageDescription): Pick<Display, 'voi' | 'inverted'> | null => {
  const { grey } = state;
  if (!grey) return { voi: null, inverted: false };
  const shown = shownGreyOf({ grey }, description, modalityOf(description, 0), 1);
  const voi = shown ? displayVoi(shown.voi, description) : undefined;
  return shown && voi !== undefined ? { voi, inverted: shown.inverted !== isInverted(description) } : null;
};

const hasMore = ({ annotations, shutters, bitmapShutter, areas, notShown }: StateOfImage): boolean =>
  annotations.length + shutters.length + areas.length + notShown.length > 0 || bitmapShutter !== null;

/** Returns the display that a presentation state of another program gives an image, and what it does not have. */
export const displayOfState = (
  state: StateOfImage,
  description: ImageDescription,
): { readonly display: Display; readonly notTaken: readonly NotTakenPart[] } => {
  const grey = greyOf(state, description);
  const { rotation, horizontalFlip } = state;
  const missing: readonly NotTakenPart[] = hasMore(state) ? ['state-parts'] : [];
  return {
    display: { ...plainDisplay, ...grey, rotation, horizontalFlip },
    notTaken: grey ? missing : ['grey-values', ...missing],
  };
};
