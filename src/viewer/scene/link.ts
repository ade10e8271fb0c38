import type { LoadedImage } from '../decode/loaded-image.ts';
import { clampScale, fitted, imageToStage, type Orientation, type Size, stepInImage, turnedSize } from './camera.ts';
import type { Display, View } from './scene.ts';

/** An image as it lies in its place. */
interface Laid {
  readonly image: Size;
  readonly rectangle: Size;
  readonly orientation: Orientation;
}

const nowhere = { x: 0, y: 0, width: 0, height: 0 };

/**
 * What a view of one image is to another: the same zoom by what fits, and the same part of the picture as it lies on
 * the screen in the middle.
 */
export const linkedView = (from: Laid, view: View, to: Laid): View => {
  if (view === 'fit') return 'fit';
  const zoom = view.scale / fitted(from.image, from.rectangle, from.orientation).scale;
  const turn = imageToStage({ centreX: 0, centreY: 0, scale: 1 }, nowhere, from.orientation);
  const fromMiddle = { x: view.centreX - from.image.width / 2, y: view.centreY - from.image.height / 2 };
  const box = turnedSize(from.image, from.orientation);
  const otherBox = turnedSize(to.image, to.orientation);
  const onScreen = {
    x: ((turn.a * fromMiddle.x + turn.c * fromMiddle.y) / box.width) * otherBox.width,
    y: ((turn.b * fromMiddle.x + turn.d * fromMiddle.y) / box.height) * otherBox.height,
  };
  const step = stepInImage(onScreen, 1, to.orientation);
  return {
    centreX: to.image.width / 2 + step.x,
    centreY: to.image.height / 2 + step.y,
    scale: clampScale(fitted(to.image, to.rectangle, to.orientation).scale * zoom),
  };
};

type Valued = Pick<LoadedImage, 'modality' | 'pixels' | 'description'>;

/**
 * Whether a value of one image means the same in the other: both grey, and either both rescaled into units (as CT is)
 * or both bare values of the same depth.
 */
export const sameValues = (one: Valued, other: Valued): boolean => {
  if ((one.pixels.format === 'rgba8') !== (other.pixels.format === 'rgba8')) return false;
  if (one.pixels.format === 'rgba8') return true;
  const isBare = ({ modality }: Valued) =>
    modality.kind === 'rescale' && modality.slope === 1 && modality.intercept === 0;
  if (one.modality.kind !== other.modality.kind || isBare(one) !== isBare(other)) return false;
  return (
    (one.modality.kind === 'rescale' && !isBare(one)) ||
    (one.description.bitsStored === other.description.bitsStored && one.description.signed === other.description.signed)
  );
};

/** The display of `to` after that of `from` became `display`: its window where the values mean the same. A LUT is the file's own. */
export const linkedDisplay = (from: Valued, display: Display, to: Valued, own: Display): Display =>
  display.voi?.kind === 'lut' || !sameValues(from, to) ? own : { ...own, voi: display.voi };
