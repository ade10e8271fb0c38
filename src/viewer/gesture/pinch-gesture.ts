import { type Point, panned } from '../scene/camera.ts';
import { mountPanned, mountZoomedAbout } from '../scene/mount.ts';
import { type Pinch, pinchBetween } from './pinch.ts';
import type { GestureTarget } from './target.ts';
import { zoomedImage } from './zoomed-image.ts';

/** A pinch with two fingers that zooms and pans an image or the mount. */
export interface PinchGesture {
  readonly image: () => string | null;
  readonly mount: () => boolean;
  /** One finger moved from `was` to `point` while the other stayed at `other`. */
  readonly move: (other: Point, was: Point, point: Point) => void;
  readonly settle: () => void;
}

const pinchMount = (target: GestureTarget, { factor, middle, step }: Pinch) => {
  const before = target.mount();
  if (!before) return;
  target.setMountViewport(mountPanned(before.mount, before.stage, step));
  const moved = target.mount();
  if (moved) target.setMountViewport(mountZoomedAbout(moved.mount, moved.stage, factor, middle));
};

const pinchImage = (target: GestureTarget, id: string, { factor, middle, step }: Pinch) => {
  const stageImage = target.stageImage(id);
  if (!stageImage) return;
  const camera = panned(stageImage.camera, step, stageImage.image, stageImage.orientation);
  target.change(id, { view: zoomedImage({ ...stageImage, camera }, factor, middle) });
};

/** `id`: the image under the first finger, null for the mount. */
export const pinchGesture = (target: GestureTarget, id: string | null): PinchGesture => {
  let started = false;
  return {
    image: () => (started ? id : null),
    mount: () => started && id === null,
    move: (other, was, point) => {
      if (!started && id !== null) target.begin(id, 'zoom');
      started = true;
      const pinch = pinchBetween([other, was], [other, point]);
      if (id === null) pinchMount(target, pinch);
      else pinchImage(target, id, pinch);
    },
    settle: () => {
      if (!started) return;
      started = false;
      if (id === null) target.settleMount();
      else target.settle(id, 'zoom');
    },
  };
};
