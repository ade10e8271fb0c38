import { maxLensFactor, minLensFactor } from '../layers/lens.ts';
import type { Point } from '../scene/camera.ts';
import { mountZoomedAbout } from '../scene/mount.ts';
import type { OverlayStore } from './overlay-store.ts';
import type { GestureTarget, StageImage } from './target.ts';
import { isPadPinch, pixelsPerFrame, wheelFactor, wheelPixels } from './wheel.ts';
import { zoomedImage } from './zoomed-image.ts';

/** A wheel has no end event: the gesture is settled after this time without input. */
const restMs = 200;

/**
 * Zooms the image, the mount or the magnifier about the pointer. With Ctrl or Alt the wheel steps through the frames of a
 * multi-frame image. On slices it steps without a key, and zooms with Ctrl or a pinch.
 */
export const attachWheel = (canvas: HTMLCanvasElement, target: GestureTarget, overlay: OverlayStore) => {
  /** `id` is null for the mount. */
  let activeZoom: { readonly id: string | null; readonly rest: ReturnType<typeof setTimeout> } | null = null;
  let frameDistance = 0;

  const release = () => {
    if (!activeZoom) return;
    clearTimeout(activeZoom.rest);
    const { id } = activeZoom;
    activeZoom = null;
    if (id === null) target.settleMount();
    else target.settle(id, 'zoom');
  };

  const zoom = (id: string | null) => {
    if (activeZoom && activeZoom.id !== id) release();
    if (activeZoom) clearTimeout(activeZoom.rest);
    else if (id !== null) target.begin(id, 'zoom');
    activeZoom = { id, rest: setTimeout(release, restMs) };
  };

  /** Returns the number of steps that the wheel has turned since the last one. */
  const stepsOf = (event: WheelEvent): number => {
    // A change of direction takes effect immediately.
    if (Math.sign(event.deltaY) !== Math.sign(frameDistance)) frameDistance = 0;
    frameDistance += wheelPixels(event);
    const by = Math.trunc(frameDistance / pixelsPerFrame);
    frameDistance -= by * pixelsPerFrame;
    return by;
  };

  const step = ({ id, image, frame: before }: StageImage, event: WheelEvent) => {
    const by = stepsOf(event);
    if (by === 0) return;
    if (image.description.numberOfFrames === 1)
      return target.emit({ type: 'slice.requested', id, by: by > 0 ? 1 : -1 });
    const frame = Math.min(image.description.numberOfFrames, Math.max(1, before + by));
    if (frame !== before) target.emit({ type: 'frame.requested', id, frame });
  };

  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    const box = canvas.getBoundingClientRect();
    const ratio = target.pixelRatio();
    const point: Point = { x: (event.clientX - box.left) * ratio, y: (event.clientY - box.top) * ratio };
    const mount = target.mount();
    const { lens, lensFactor } = overlay.get();
    if (lens && target.tool() === 'magnifier') {
      const factor = lensFactor * wheelFactor(event);
      overlay.update({ lensFactor: Math.min(maxLensFactor, Math.max(minLensFactor, factor)) });
      return;
    }
    if (mount) {
      zoom(null);
      target.setMountViewport(mountZoomedAbout(mount.mount, mount.stage, wheelFactor(event), point));
      return;
    }
    const stageImage = target.stageImageAt(point);
    if (!stageImage) return;
    const { isSlice, image } = stageImage;
    const withKey = event.altKey || (event.ctrlKey && !isPadPinch(event));
    if (isSlice ? !event.ctrlKey : withKey && image.description.numberOfFrames > 1) {
      release();
      return step(stageImage, event);
    }
    zoom(stageImage.id);
    target.change(stageImage.id, { view: zoomedImage(stageImage, wheelFactor(event), point) });
  };

  canvas.addEventListener('wheel', onWheel, { passive: false });
  return {
    activeImage: () => activeZoom?.id ?? null,
    isMountActive: () => activeZoom !== null && activeZoom.id === null,
    release,
  };
};
