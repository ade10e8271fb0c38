import { regionWindow } from '../scene/auto-window.ts';
import { exceedsDragThreshold, insideImage, type Press, type PressGesture } from './press-gesture.ts';
import { imagePointAt, once, type StageImage } from './target.ts';

/** Draws a rectangle; the window is set from the values inside it. */
export const regionGesture = (press: Press, stageImage: StageImage): PressGesture => {
  const { target, overlay, start } = press;
  const { id, image } = stageImage;
  const from = insideImage(imagePointAt(stageImage, start), image);

  const settle = () => {
    const { region } = overlay.get();
    overlay.update({ region: null });
    const now = target.stageImage(id);
    if (!region || !now) return;
    const [left, right] = [region.from[0], region.to[0]].sort((one, other) => one - other);
    const [top, bottom] = [region.from[1], region.to[1]].sort((one, other) => one - other);
    if (left === undefined || right === undefined || top === undefined || bottom === undefined) return;
    const voi = regionWindow(now.image, { x: left, y: top, width: right - left, height: bottom - top });
    if (voi) once(target, id, 'window', { display: { ...now.display, voi } });
  };

  let started = false;
  return {
    image: () => (started ? id : null),
    mount: () => false,
    move: (point) => {
      const now = target.stageImage(id);
      // Cancelled by Escape.
      if (started && !overlay.get().region) return;
      if (!now || !(started || exceedsDragThreshold(press, point))) return;
      started = true;
      overlay.update({ region: { imageId: id, from, to: insideImage(imagePointAt(now, point), image) } });
    },
    end: () => {
      started = false;
      settle();
    },
    cancel: () => {
      started = false;
      overlay.update({ region: null });
    },
  };
};
