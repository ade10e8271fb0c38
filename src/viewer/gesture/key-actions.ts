import { actualSize, panned, zoomedAbout } from '../scene/camera.ts';
import { flippedHorizontally, flippedVertically, inverted, rotated } from '../scene/display.ts';
import { commandOf, type KeyCommand } from './keys.ts';
import { type GestureTarget, once, type Subject, windowMeant } from './target.ts';
import { draggedWindow, gripOf } from './window-drag.ts';

const zoomPerStep = 1.25;
/** CSS pixels that an arrow key stands for. */
const panStep = 40;
const windowStep = 10;

const middleOf = ({ rectangle }: Subject) => ({
  x: rectangle.x + rectangle.width / 2,
  y: rectangle.y + rectangle.height / 2,
});

/** Does what a key asks for to an image. */
export const act = (target: GestureTarget, subject: Subject, command: KeyCommand): void => {
  const { id, image, rectangle, display, orientation, camera } = subject;
  const ratio = target.pixelRatio();
  switch (command.type) {
    case 'zoom': {
      const factor = zoomPerStep ** command.steps;
      once(target, id, 'zoom', { view: zoomedAbout(camera, factor, middleOf(subject), rectangle, orientation) });
      break;
    }
    case 'pan': {
      // The arrow moves the eye: the picture goes the other way.
      const step = { x: -command.right * panStep * ratio, y: -command.down * panStep * ratio };
      once(target, id, 'pan', { view: panned(camera, step, image, orientation) });
      break;
    }
    case 'window': {
      const greys = { window: windowMeant(subject), range: image.range, shownInverse: image.shownInverse };
      const voi = draggedWindow(gripOf(display, greys), command.wider * windowStep, -command.brighter * windowStep);
      once(target, id, 'window', { display: { ...display, voi } });
      break;
    }
    case 'fit':
      once(target, id, 'fit', { view: 'fit' });
      break;
    case 'actual-size':
      once(target, id, 'actual-size', { view: actualSize(image) });
      break;
    case 'rotate':
      once(target, id, 'rotate', { display: rotated(display, command.quarters) });
      break;
    case 'flip': {
      const horizontalFlip = command.axis === 'horizontal' ? flippedHorizontally(display) : flippedVertically(display);
      once(target, id, 'flip', { display: horizontalFlip });
      break;
    }
    case 'invert':
      once(target, id, 'invert', { display: inverted(display) });
      break;
    case 'reset':
      once(target, id, 'reset', { display: image.original, view: 'fit' });
      break;
    case 'frame': {
      const frame = Math.min(image.description.numberOfFrames, Math.max(1, image.frame + command.by));
      if (frame !== image.frame) target.emit({ type: 'frame.wanted', id, frame });
      break;
    }
    case 'tool':
      target.emit({ type: 'tool.wanted', tool: command.tool });
      break;
  }
};

/** Keys of the focused canvas. */
export const attachKeys = (canvas: HTMLCanvasElement, target: GestureTarget) => {
  let space = false;
  canvas.addEventListener('keydown', (event) => {
    if (event.key === ' ') {
      space = true;
      event.preventDefault();
      return;
    }
    const command = commandOf(event);
    const subject = target.active();
    if (!command || !subject) return;
    event.preventDefault();
    act(target, subject, command);
  });
  canvas.addEventListener('keyup', (event) => {
    if (event.key === ' ') space = false;
  });
  canvas.addEventListener('blur', () => {
    space = false;
  });
  return { spaceHeld: () => space };
};
