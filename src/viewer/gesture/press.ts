import { actualSize, type Point } from '../scene/camera.ts';
import { boardHold } from './board-holds.ts';
import { dragHold } from './drags.ts';
import { type Hold, idleHold, type Press } from './hold.ts';
import { markHold } from './mark-holds.ts';
import { regionHold } from './region-hold.ts';
import { type GestureTarget, once, pixelAt } from './target.ts';

export type Button = 'left' | 'middle' | 'right';

/** The magnifier follows the pointer; a finger takes it away with it. */
const lensHold = ({ target, book, start, touch }: Press): Hold => {
  const show = (point: Point) => book.draw({ lens: target.idAt(point) === null ? null : point });
  const away = () => {
    if (touch) book.draw({ lens: null });
  };
  show(start);
  return { image: () => null, board: () => false, moved: show, lifted: away, dropped: away };
};

/** What a press becomes: on a board it moves things, beside one it is the tool of the scene. null where nothing is. */
export const holdOf = (press: Press, button: Button, spaceHeld: boolean): Hold | null => {
  const { target, start } = press;
  if (target.board()) return boardHold(press, button, spaceHeld);
  const id = target.idAt(start);
  if (id === null) return null;
  if (id !== target.active()?.id) target.emit({ type: 'image.chosen', id });
  const subject = target.subject(id);
  if (!subject) return idleHold();
  const tool = target.tool();
  if (button !== 'left' || spaceHeld) return dragHold(press, 'pan', subject);
  switch (tool) {
    case 'window':
    case 'pan':
    case 'zoom':
      return dragHold(press, tool, subject);
    case 'region':
      return regionHold(press, subject);
    case 'magnifier':
      return lensHold(press);
    default:
      return markHold(press, subject, tool);
  }
};

const isMeasuring = (target: GestureTarget) => ['length', 'angle', 'calibrate'].includes(target.tool());

/** A double click or tap: on a board it opens the image; else it goes between the whole picture and 1:1 at that place. */
export const doubled = (target: GestureTarget, point: Point): void => {
  if (target.board()) {
    const id = target.idAt(point);
    if (id !== null) target.emit({ type: 'image.opened', id });
    return;
  }
  const id = target.idAt(point);
  const subject = id === null ? null : target.subject(id);
  if (!subject || isMeasuring(target)) return;
  const pixel = pixelAt(subject, point);
  const centre = pixel ? { centreX: pixel.x + 0.5, centreY: pixel.y + 0.5 } : {};
  const isActual = subject.camera.scale === 1;
  once(target, subject.id, isActual ? 'fit' : 'actual-size', {
    view: isActual ? 'fit' : { ...actualSize(subject.image), ...centre },
  });
};
