import { hasValue, valueAt } from '../decode/pixel-value.ts';
import type { Point } from '../scene/camera.ts';
import { takeOver } from './draw-by-keys.ts';
import { followDraft } from './draw-marks.ts';
import { shownMarkAt } from './mark-gestures.ts';
import type { MarkReference, OverlayStore } from './overlay-store.ts';
import { type GestureTarget, pixelAt } from './target.ts';

/** Handles pointer movement without a pressed button: pixel value, magnifier, and the line being drawn. */
export const attachHover = (
  canvas: HTMLCanvasElement,
  target: GestureTarget,
  overlay: OverlayStore,
  pointOf: (event: MouseEvent) => Point,
) => {
  let isOver = false;

  const setHovered = (hovered: MarkReference | null) => {
    if (overlay.get().hovered?.markId !== hovered?.markId) overlay.update({ hovered });
  };

  const leave = () => {
    setHovered(null);
    if (isOver) target.emit({ type: 'pointer.left' });
    isOver = false;
  };

  const emitValue = (point: Point) => {
    const stageImage = target.stageImageAt(point);
    const pixel = stageImage && pixelAt(stageImage, point);
    if (!stageImage || !pixel || !hasValue(stageImage.image, pixel)) return leave();
    isOver = true;
    const { stored, modality } = valueAt(stageImage.image, pixel.x, pixel.y);
    target.emit({ type: 'pointer.value', id: stageImage.id, x: pixel.x, y: pixel.y, stored, modality });
  };

  canvas.addEventListener('pointerleave', (event) => {
    leave();
    if (event.pointerType !== 'touch') overlay.update({ lens: null });
  });
  canvas.addEventListener('pointerenter', (event) => {
    if (event.pointerType !== 'touch' && target.tool() === 'magnifier') overlay.update({ lens: pointOf(event) });
  });

  return {
    move: (point: Point) => {
      emitValue(point);
      takeOver(overlay);
      followDraft(target, overlay, point);
      const stageImage = target.stageImageAt(point);
      const under = stageImage && shownMarkAt(target, stageImage, point, false);
      if (stageImage) setHovered(under ? { imageId: stageImage.id, markId: under.mark.id } : null);
      if (target.tool() === 'magnifier') overlay.update({ lens: target.idAt(point) === null ? null : point });
    },
  };
};
