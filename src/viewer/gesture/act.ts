import { actualSize, fitted, type Point, panned, type Size } from '../scene/camera.ts';
import {
  flippedHorizontally,
  flippedVertically,
  inverted,
  noiseToggled,
  rotated,
  sharpenToggled,
} from '../scene/display.ts';
import { effectiveWindow } from '../scene/effective-window.ts';
import { mountPanned, mountPointAt, mountZoomedAbout, viewportCentredAt } from '../scene/mount.ts';
import type { Display, MountViewport } from '../scene/scene.ts';
import { beginByKeys, fixPoint, movePoint } from './draw-by-keys.ts';
import { endDraft, openText, removePoint } from './draw-marks.ts';
import type { KeyCommand } from './keys.ts';
import type { OverlayStore } from './overlay-store.ts';
import { type GestureTarget, type LiveMountState, once, type StageImage } from './target.ts';
import { draggedWindow, windowDragStart } from './window-drag.ts';
import { zoomedImage } from './zoomed-image.ts';

const zoomPerStep = 1.25;
/** CSS pixels of one arrow key press. */
const panStep = 40;
const windowStep = 10;

const middleOf = ({ rectangle }: Pick<StageImage, 'rectangle'>): Point => ({
  x: rectangle.x + rectangle.width / 2,
  y: rectangle.y + rectangle.height / 2,
});

/** The last settings of filters that were turned off, by image. */
export interface FilterMemory {
  readonly noise: Map<string, Display['noise']>;
  readonly sharpness: Map<string, number>;
}

export const createFilterMemory = (): FilterMemory => ({ noise: new Map(), sharpness: new Map() });

export interface CommandContext {
  readonly target: GestureTarget;
  readonly overlay: OverlayStore;
  readonly filters: FilterMemory;
}

/** Returns the viewport that shows the image at 1:1. */
const viewportAtActualSize = (live: LiveMountState, { image, rectangle, orientation }: StageImage): MountViewport => {
  const { mount, stage, pose } = live;
  const zoom = mount.view === 'fit' ? 1 : mount.view.zoom;
  const centre = mountPointAt(middleOf({ rectangle }), pose);
  return viewportCentredAt(mount, stage, centre, zoom / fitted(image, rectangle, orientation).scale);
};

/** Returns the middle of the active image if it is on the stage, else the middle of the stage. */
const zoomCentre = ({ width, height }: Size, stageImage: StageImage | null): Point => {
  const { x, y } = stageImage ? middleOf(stageImage) : { x: width / 2, y: height / 2 };
  return x >= 0 && y >= 0 && x < width && y < height ? { x, y } : { x: width / 2, y: height / 2 };
};

/** Returns the viewport after a zoom or pan command; null for other commands. */
const viewportAfter = (
  live: LiveMountState,
  stageImage: StageImage | null,
  command: KeyCommand,
  ratio: number,
): MountViewport | null => {
  const { mount, stage } = live;
  switch (command.type) {
    case 'zoom':
      return mountZoomedAbout(mount, stage, zoomPerStep ** command.steps, zoomCentre(stage, stageImage));
    case 'pan':
      return mountPanned(mount, stage, { x: -command.right * panStep * ratio, y: -command.down * panStep * ratio });
    case 'fit':
      return 'fit';
    case 'actual-size':
      return stageImage ? viewportAtActualSize(live, stageImage) : null;
    default:
      return null;
  }
};

const actOnImage = ({ target, filters }: CommandContext, stageImage: StageImage, command: KeyCommand): boolean => {
  const { id, image, display, orientation, camera } = stageImage;
  const ratio = target.pixelRatio();
  switch (command.type) {
    case 'zoom': {
      const factor = zoomPerStep ** command.steps;
      once(target, id, 'zoom', { view: zoomedImage(stageImage, factor, middleOf(stageImage)) });
      return true;
    }
    case 'pan': {
      // An arrow moves the camera: the image moves in the opposite direction.
      const step = { x: -command.right * panStep * ratio, y: -command.down * panStep * ratio };
      once(target, id, 'pan', { view: panned(camera, step, image, orientation) });
      return true;
    }
    case 'window': {
      const windowInputs = {
        window: effectiveWindow(stageImage),
        range: image.range,
        shownInverse: image.shownInverse,
      };
      const voi = draggedWindow(
        windowDragStart(display, windowInputs),
        command.wider * windowStep,
        -command.brighter * windowStep,
      );
      once(target, id, 'window', { display: { ...display, voi } });
      return true;
    }
    case 'fit':
      once(target, id, 'fit', { view: 'fit' });
      return true;
    case 'actual-size':
      once(target, id, 'actual-size', { view: actualSize(image) });
      return true;
    case 'rotate':
      once(target, id, 'rotate', { display: rotated(display, command.quarters) });
      return true;
    case 'flip':
      once(target, id, 'flip', {
        display: command.axis === 'horizontal' ? flippedHorizontally(display) : flippedVertically(display),
      });
      return true;
    case 'invert':
      once(target, id, 'invert', { display: inverted(display) });
      return true;
    case 'noise':
      once(target, id, 'noise', { display: noiseToggled(display, filters.noise.get(id)) });
      if (display.noise.kind !== 'none') filters.noise.set(id, display.noise);
      return true;
    case 'sharpen':
      once(target, id, 'sharpen', { display: sharpenToggled(display, filters.sharpness.get(id)) });
      if (display.sharpness !== 0) filters.sharpness.set(id, display.sharpness);
      return true;
    case 'reset':
      target.emit({ type: 'reset.requested', id });
      return true;
    case 'frame': {
      const frame = Math.min(image.description.numberOfFrames, Math.max(1, stageImage.frame + command.by));
      if (frame === stageImage.frame) return false;
      target.emit({ type: 'frame.requested', id, frame });
      return true;
    }
    default:
      return false;
  }
};

const cancelDrawing = ({ overlay }: CommandContext): boolean => {
  const { draft, chosen, region } = overlay.get();
  overlay.update({ draft: null, region: null, ...(!draft && !region && { chosen: null }) });
  return Boolean(draft ?? region ?? chosen);
};

const deleteChosen = ({ target, overlay }: CommandContext): boolean => {
  const { chosen } = overlay.get();
  const stageImage = chosen && target.stageImage(chosen.imageId);
  if (!chosen || !stageImage?.marks.some(({ id }) => id === chosen.markId)) return false;
  overlay.update({ chosen: null });
  target.mark(
    stageImage.id,
    stageImage.marks.filter(({ id }) => id !== chosen.markId),
    true,
  );
  return true;
};

/** Fixes a point that was placed by keys, ends a polyline or area, or opens the selected text. */
const finishDrawing = ({ target, overlay }: CommandContext): boolean => {
  if (fixPoint(target, overlay) || endDraft(target, overlay)) return true;
  const { chosen } = overlay.get();
  const stageImage = chosen && target.stageImage(chosen.imageId);
  const mark = stageImage?.marks.find(({ id }) => id === chosen?.markId);
  if (!stageImage || mark?.kind !== 'text') return false;
  openText(overlay, stageImage.id, mark);
  return true;
};

/** Applies a command to the active image or the mount; returns false when it had no effect. */
export const act = (actor: CommandContext, command: KeyCommand): boolean => {
  const { target } = actor;
  if (command.type === 'tool') {
    target.emit({ type: 'tool.requested', tool: command.tool });
    beginByKeys(target, actor.overlay, command.tool);
    return true;
  }
  if (command.type === 'abandon') return cancelDrawing(actor);
  if (command.type === 'delete-mark') return deleteChosen(actor);
  if (command.type === 'finish') return finishDrawing(actor);
  if (command.type === 'pan') {
    const direction = { x: command.right, y: command.down };
    if (movePoint(target, actor.overlay, direction, command.held ?? false)) return true;
  }
  const isRemoval = command.type === 'remove-point' || command.type === 'reset';
  if (isRemoval && removePoint(actor.overlay)) return true;
  const stageImage = target.active();
  const mount = target.mount();
  const view = mount && viewportAfter(mount, stageImage, command, target.pixelRatio());
  if (view) {
    target.setMountViewport(view);
    target.settleMount();
    return true;
  }
  const movesEye = ['zoom', 'pan', 'fit', 'actual-size'].includes(command.type);
  return stageImage !== null && !(mount && movesEye) && actOnImage(actor, stageImage, command);
};
