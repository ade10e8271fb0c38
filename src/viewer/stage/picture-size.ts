import type { LoadedImage } from '../decode/loaded-image.ts';
import { rotatedSize, type Size } from '../scene/camera.ts';
import type { Scene, SceneImage } from '../scene/scene.ts';

/** Most pixels of a picture: browsers make no larger canvas. */
const maxPixels = 48_000_000;

const rotated = ({ display }: SceneImage, image: LoadedImage): Size =>
  rotatedSize(image, { ...display, pixelAspect: image.pixelAspect });

export interface PictureBounds {
  /** Width by height of a scene of several images without a mount; an image alone, and a mount, have their own. */
  readonly aspect: number;
  /** Longest side in pixels; null: as many pixels as the finest image has. */
  readonly longestSide: number | null;
  /** Longest side that the GPU can draw, in pixels. */
  readonly maxSide: number;
}

/** Returns the size at which the finest image of a scene is drawn with its own pixels, or a smaller one within the bounds. Whole pixels. */
export const pictureSize = (
  scene: Scene,
  loaded: ReadonlyMap<string, LoadedImage>,
  { aspect, longestSide, maxSide }: PictureBounds,
): Size => {
  const sizes = scene.images.flatMap((image) => {
    const found = loaded.get(image.id);
    return found ? [{ placement: image.placement, size: rotated(image, found) }] : [];
  });
  const [only] = sizes;
  if (!only) return { width: 1, height: 1 };
  const { mount } = scene;
  const isAlone = sizes.length === 1 && !mount;
  const shape = mount ? mount.width / mount.height : isAlone ? only.size.width / only.size.height : aspect;
  const unit = mount ?? { width: 1, height: 1 };
  const heights = sizes.map(({ placement, size }) =>
    Math.max((size.height * unit.height) / placement.height, (size.width * unit.width) / (placement.width * shape)),
  );
  const height = Math.max(...heights);
  const width = height * shape;
  const longest = Math.max(width, height);
  const scale = Math.min(
    1,
    Math.min(longestSide ?? maxSide, maxSide) / longest,
    Math.sqrt(maxPixels / (width * height)),
  );
  // Rounded down: a size a pixel above the limit could not be drawn.
  const whole = (length: number) => Math.max(1, scale < 1 ? Math.floor(length * scale) : Math.round(length));
  return { width: whole(width), height: whole(height) };
};
