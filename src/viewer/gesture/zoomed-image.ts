import { type Point, panned, zoomedAbout } from '../scene/camera.ts';
import type { Camera } from '../scene/scene.ts';
import type { StageImage } from './target.ts';

type PlacedImage = Pick<StageImage, 'image' | 'rectangle' | 'orientation' | 'camera'>;

/** Zooms by `factor` about a point of the stage (device pixels); the centre of the camera stays inside the image. */
export const zoomedImage = (
  { image, rectangle, orientation, camera }: PlacedImage,
  factor: number,
  about: Point,
): Camera => panned(zoomedAbout(camera, factor, about, rectangle, orientation), { x: 0, y: 0 }, image, orientation);
