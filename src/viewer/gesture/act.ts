import { boardLookingAt, boardPanned, boardPointAt, boardZoomedAbout } from '../scene/board.ts';
import { actualSize, fitted, type Point, panned, type Size } from '../scene/camera.ts';
import {
  flippedHorizontally,
  flippedVertically,
  inverted,
  noiseToggled,
  rotated,
  sharpenToggled,
} from '../scene/display.ts';
import type { BoardView, Display } from '../scene/scene.ts';
import type { KeyCommand } from './keys.ts';
import type { SketchBook } from './sketch.ts';
import { type BoardInHand, type GestureTarget, once, type Subject, windowMeant } from './target.ts';
import { draggedWindow, gripOf } from './window-drag.ts';
import { zoomedImage } from './zoomed-image.ts';

const zoomPerStep = 1.25;
/** CSS pixels that an arrow key stands for. */
const panStep = 40;
const windowStep = 10;

const middleOf = ({ rectangle }: Pick<Subject, 'rectangle'>): Point => ({
  x: rectangle.x + rectangle.width / 2,
  y: rectangle.y + rectangle.height / 2,
});

/** What a filter was before it was put away, image by image. */
export interface FilterMemory {
  readonly noise: Map<string, Display['noise']>;
  readonly sharpness: Map<string, number>;
}

export const createFilterMemory = (): FilterMemory => ({ noise: new Map(), sharpness: new Map() });

export interface Actor {
  readonly target: GestureTarget;
  readonly book: SketchBook;
  readonly filters: FilterMemory;
}

/** The board so that the image lies on it at 1:1. */
const imageAtActualSize = (inHand: BoardInHand, { image, rectangle, orientation }: Subject): BoardView => {
  const { board, stage, pose } = inHand;
  const zoom = board.view === 'fit' ? 1 : board.view.zoom;
  const centre = boardPointAt(middleOf({ rectangle }), pose);
  return boardLookingAt(board, stage, centre, zoom / fitted(image, rectangle, orientation).scale);
};

/** The middle of the active image as far as it is on the stage: there one looks. */
const eyeOn = ({ width, height }: Size, subject: Subject | null): Point => {
  const { x, y } = subject ? middleOf(subject) : { x: width / 2, y: height / 2 };
  return x >= 0 && y >= 0 && x < width && y < height ? { x, y } : { x: width / 2, y: height / 2 };
};

/** What of the commands moves the eye over a board; null for all others. */
const boardViewAfter = (
  inHand: BoardInHand,
  subject: Subject | null,
  command: KeyCommand,
  ratio: number,
): BoardView | null => {
  const { board, stage } = inHand;
  switch (command.type) {
    case 'zoom':
      return boardZoomedAbout(board, stage, zoomPerStep ** command.steps, eyeOn(stage, subject));
    case 'pan':
      return boardPanned(board, stage, { x: -command.right * panStep * ratio, y: -command.down * panStep * ratio });
    case 'fit':
      return 'fit';
    case 'actual-size':
      return subject ? imageAtActualSize(inHand, subject) : null;
    default:
      return null;
  }
};

const actOnImage = ({ target, filters }: Actor, subject: Subject, command: KeyCommand): boolean => {
  const { id, image, display, orientation, camera } = subject;
  const ratio = target.pixelRatio();
  switch (command.type) {
    case 'zoom': {
      const factor = zoomPerStep ** command.steps;
      once(target, id, 'zoom', { view: zoomedImage(subject, factor, middleOf(subject)) });
      return true;
    }
    case 'pan': {
      // The arrow moves the eye: the picture goes the other way.
      const step = { x: -command.right * panStep * ratio, y: -command.down * panStep * ratio };
      once(target, id, 'pan', { view: panned(camera, step, image, orientation) });
      return true;
    }
    case 'window': {
      const greys = { window: windowMeant(subject), range: image.range, shownInverse: image.shownInverse };
      const voi = draggedWindow(gripOf(display, greys), command.wider * windowStep, -command.brighter * windowStep);
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
      once(target, id, 'reset', { display: subject.plain, view: 'fit' });
      return true;
    case 'frame': {
      const frame = Math.min(image.description.numberOfFrames, Math.max(1, subject.frame + command.by));
      if (frame === subject.frame) return false;
      target.emit({ type: 'frame.wanted', id, frame });
      return true;
    }
    default:
      return false;
  }
};

const abandon = ({ book }: Actor): boolean => {
  const { draft, chosen, region } = book.now();
  book.draw({ draft: null, region: null, ...(!draft && !region && { chosen: null }) });
  return Boolean(draft ?? region ?? chosen);
};

const deleteChosen = ({ target, book }: Actor): boolean => {
  const { chosen } = book.now();
  const subject = chosen && target.subject(chosen.imageId);
  if (!chosen || !subject?.marks.some(({ id }) => id === chosen.markId)) return false;
  book.draw({ chosen: null });
  target.mark(
    subject.id,
    subject.marks.filter(({ id }) => id !== chosen.markId),
    true,
  );
  return true;
};

/** Does what a command asks for to the active image, or to the board; false where there was nothing to do. */
export const act = (actor: Actor, command: KeyCommand): boolean => {
  const { target } = actor;
  if (command.type === 'tool') {
    target.emit({ type: 'tool.wanted', tool: command.tool });
    return true;
  }
  if (command.type === 'abandon') return abandon(actor);
  if (command.type === 'delete-mark') return deleteChosen(actor);
  const subject = target.active();
  const board = target.board();
  const view = board && boardViewAfter(board, subject, command, target.pixelRatio());
  if (view) {
    target.turnBoard(view);
    target.settleBoard();
    return true;
  }
  const movesEye = ['zoom', 'pan', 'fit', 'actual-size'].includes(command.type);
  return subject !== null && !(board && movesEye) && actOnImage(actor, subject, command);
};
