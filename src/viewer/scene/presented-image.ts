import type { PresentationState, StateArea } from '../../../contract/presentation-states.ts';
import { type ShownGrey, shownGreyOf } from '../../../dicom/presentation-state/shown-grey.ts';
import type { LoadedImage } from '../decode/loaded-image.ts';

const known = new WeakMap<LoadedImage, WeakMap<PresentationState, LoadedImage>>();

const greyOf = (image: LoadedImage, state: PresentationState): ShownGrey | null =>
  image.pixels.format === 'rgba8' ? null : shownGreyOf(state, image.description, image.modality, image.frame);

const withGrey = (image: LoadedImage, { voi, inverted }: ShownGrey): LoadedImage => {
  const isWindow = voi.kind === 'window';
  const voiLuts = isWindow ? image.voiLuts : [...image.voiLuts, voi];
  const chosen = isWindow
    ? { kind: voi.kind, centre: voi.centre, width: voi.width, function: voi.function }
    : { kind: voi.kind, index: image.voiLuts.length };
  return { ...image, voiLuts, shownInverse: inverted, original: { ...image.original, voi: chosen } };
};

/** Returns whether a state is for this frame. */
export const isForFrame = ({ frames }: Pick<PresentationState, 'frames'>, frame: number): boolean =>
  frames === null || frames.includes(frame);

/** Returns the displayed area of a state for a frame; null: the whole image. */
export const areaOf = ({ areas }: Pick<PresentationState, 'areas'>, frame: number): StateArea | null =>
  areas.find((area) => isForFrame(area, frame)) ?? null;

/** Returns whether the grey values of a state cannot be shown on this image. */
export const lacksGreyValues = (image: LoadedImage, state: PresentationState): boolean =>
  state.grey !== null && image.pixels.format !== 'rgba8' && isForFrame(state, image.frame) && !greyOf(image, state);

/**
 * Returns an image as a presentation state shows it: its default display is that of the state, and its graphics lie over it. The same object
 * for the same image and state.
 */
export const presentedImage = (image: LoadedImage, state: PresentationState | null | undefined): LoadedImage => {
  if (!state || !isForFrame(state, image.frame)) return image;
  const states = known.get(image) ?? new WeakMap<PresentationState, LoadedImage>();
  known.set(image, states);
  const found = states.get(state);
  if (found) return found;
  const grey = greyOf(image, state);
  const presented = {
    ...(grey ? withGrey(image, grey) : image),
    presentation: state,
    area: areaOf(state, image.frame),
  };
  states.set(state, presented);
  return presented;
};
