import { type Point, panned, zoomedAbout } from '../scene/camera.ts';
import type { Camera } from '../scene/scene.ts';
import type { Subject } from './target.ts';

type Laid = Pick<Subject, 'image' | 'rectangle' | 'orientation' | 'camera'>;

/** Scaled by `factor` about a point of the stage (device pixels); the middle of the place stays on the picture. */
export const zoomedImage = ({ image, rectangle, orientation, camera }: Laid, factor: number, about: Point): Camera =>
  panned(zoomedAbout(camera, factor, about, rectangle, orientation), { x: 0, y: 0 }, image, orientation);
