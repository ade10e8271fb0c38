import type { LoadedImage } from '../decode/loaded-image.ts';
import {
  cameraOf,
  clampScale,
  fitted,
  imageToStage,
  type Orientation,
  rotatedSize,
  type Size,
  stepInImage,
  type ViewedImage,
} from './camera.ts';
import { effectiveWindow, minimumWidth } from './effective-window.ts';
import type { Camera, Display, Scene, SceneImage, View, WindowChoice } from './scene.ts';

/** An image with its rectangle on the stage. */
interface PlacedImage {
  readonly image: ViewedImage;
  readonly rectangle: Size;
  readonly orientation: Orientation;
}

const nowhere = { x: 0, y: 0, width: 0, height: 0 };

/**
 * Returns the view of `to` that corresponds to `view` of `from`: the same zoom relative to fit, and the same relative
 * position, as seen on the screen, in the middle.
 */
export const linkedView = (from: PlacedImage, view: View, to: PlacedImage): 'fit' | Camera => {
  if (view === 'fit') return 'fit';
  const camera = cameraOf(view, from.image, from.rectangle, from.orientation);
  const zoom = camera.scale / fitted(from.image, from.rectangle, from.orientation).scale;
  const matrix = imageToStage({ centreX: 0, centreY: 0, scale: 1 }, nowhere, from.orientation);
  const fromMiddle = { x: camera.centreX - from.image.width / 2, y: camera.centreY - from.image.height / 2 };
  const box = rotatedSize(from.image, from.orientation);
  const otherBox = rotatedSize(to.image, to.orientation);
  const onScreen = {
    x: ((matrix.a * fromMiddle.x + matrix.c * fromMiddle.y) / box.width) * otherBox.width,
    y: ((matrix.b * fromMiddle.x + matrix.d * fromMiddle.y) / box.height) * otherBox.height,
  };
  const step = stepInImage(onScreen, 1, to.orientation);
  return {
    centreX: to.image.width / 2 + step.x,
    centreY: to.image.height / 2 + step.y,
    scale: clampScale(fitted(to.image, to.rectangle, to.orientation).scale * zoom),
  };
};

type WindowedImage = Pick<LoadedImage, 'pixels' | 'range' | 'shownInverse' | 'voiLuts' | 'original'>;

/** An image of a comparison with the values that linked windowing needs. */
export interface LinkedImage {
  readonly image: WindowedImage;
  readonly display: Display;
}

const isColour = ({ image }: LinkedImage) => image.pixels.format === 'rgba8';

const windowOf = ({ image, display }: LinkedImage): WindowChoice =>
  effectiveWindow({ image, drawn: { ...display, voi: display.voi ?? image.original.voi } });

/** 1 when a higher modality value is shown brighter, -1 when it is shown darker. The rescale slope is already applied. */
const directionOf = ({ image, display }: LinkedImage): 1 | -1 => (image.shownInverse === display.inverted ? 1 : -1);

/**
 * Returns the window of `to` after that of `from` has become that of `after`. Both change by the same amount as seen on the screen:
 * brightness by the same fraction of the window width, contrast by the same factor. This works between 8 and 16 bits, MONOCHROME1 and
 * MONOCHROME2, and inverted images. A VOI LUT is not transferred, nor is a window between colour and greyscale images.
 */
export const linkedVoi = (from: LinkedImage, after: Display, to: LinkedImage): Display['voi'] => {
  const next = { ...from, display: after };
  const voi = after.voi ?? from.image.original.voi;
  if (voi.kind === 'lut' || isColour(from) !== isColour(to)) return to.display.voi;
  const [was, is, own] = [windowOf(from), windowOf(next), windowOf(to)];
  if (was.centre === is.centre && was.width === is.width) return to.display.voi;
  const brighter = ((was.centre - is.centre) / was.width) * directionOf(next);
  return {
    ...own,
    centre: own.centre - brighter * own.width * directionOf(to),
    width: Math.max(minimumWidth(own, to.image.range), own.width * (is.width / was.width)),
  };
};

/** Returns the other images of a linked scene, updated after the image `id` got the display `after`; images that are not loaded are left out. */
export const linkedImages = (
  { images, linked, ownWindows, mount }: Scene,
  loadedOf: (id: string) => WindowedImage | null,
  id: string,
  after: Display,
): readonly SceneImage[] => {
  const changed = images.find((image) => image.id === id);
  const from = loadedOf(id);
  if (!linked || mount || !changed || !from) return [];
  return images.flatMap((other) => {
    const image = other.id === id ? null : loadedOf(other.id);
    if (!image) return [];
    const { display } = other;
    const before = { image: from, display: changed.display };
    const voi = ownWindows ? display.voi : linkedVoi(before, after, { image, display });
    return [{ ...other, display: voi === display.voi ? display : { ...display, voi } }];
  });
};
